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
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
  }
}

extension Publisher {
  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents()
  }
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }
}
