// swift-format-ignore-file
// The declarations of Combine that Freshet uses, to type-check that code on other platforms. No bodies
// that do anything.

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public init(_ value: Output) {}
  public func send(_ value: Output) {}
}

public final class PassthroughSubject<Output, Failure: Error>: Subject {
  public init() {}
  public func send(_ value: Output) {}
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {}

public enum Publishers {
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
  }
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
  }
}

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never
  }

  public var wrappedValue: Value
  public var projectedValue: Publisher {
    get { Publisher() }
    set {}
  }
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Publisher where Failure == Never {
  public func assign(to published: inout Published<Output>.Publisher) {}
}

extension Publisher {
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Self, Result> {
    Publishers.Map()
  }
  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents()
  }
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }
}
