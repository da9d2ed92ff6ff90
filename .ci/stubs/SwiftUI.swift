// The parts of SwiftUI that the documentation's code uses, to type-check that code on Linux. No body
// does anything.

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError() } }

public protocol Primitive: View where Body == Never {}
extension Primitive { public var body: Never { fatalError() } }

@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<A: View, B: View>(_ a: A, _ b: B) -> TupleView { TupleView() }
  public static func buildEither<A: View>(first: A) -> some View { first }
  public static func buildEither<A: View>(second: A) -> some View { second }
  public static func buildEither<A: View, B: View>(first: A) -> Either<A, B> { Either() }
  public static func buildEither<A: View, B: View>(second: B) -> Either<A, B> { Either() }
  public static func buildIf<A: View>(_ content: A?) -> Either<A, EmptyView> { Either() }
}

public struct TupleView: Primitive { public nonisolated init() {} }
public struct Either<A: View, B: View>: Primitive { public nonisolated init() {} }
public struct EmptyView: Primitive { public nonisolated init() {} }
public struct ProgressView: Primitive { public nonisolated init() {} }
public struct Text: Primitive { public nonisolated init(_ text: some StringProtocol) {} }
public struct Button: Primitive { public init(_ title: String, action: @escaping @MainActor () -> Void) {} }
public struct VStack: Primitive { public init(@ViewBuilder content: () -> some View) {} }
public struct NavigationStack: Primitive { public init(@ViewBuilder content: () -> some View) {} }
public struct NavigationLink: Primitive {
  public init(_ title: some StringProtocol, @ViewBuilder destination: () -> some View) {}
}
public struct List: Primitive {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> some View
  ) where Data.Element: Identifiable {}
  public init(@ViewBuilder content: () -> some View) {}
}
public struct ForEach: Primitive {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View
  ) where Data.Element: Identifiable {}
}

public enum VerticalEdge: Sendable { case top, bottom }

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func overlay(@ViewBuilder content: () -> some View) -> some View { self }
  public func safeAreaInset(
    edge: VerticalEdge, @ViewBuilder content: () -> some View
  ) -> some View { self }
  // Older SDKs do not let the closure inherit its actor.
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  public func task<ID: Equatable>(
    id: ID, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
  public func task(
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
}

@propertyWrapper public struct State<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor public protocol Scene {}
public struct WindowGroup: Scene { public init(@ViewBuilder content: () -> some View) {} }
@MainActor public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
  init()
}
