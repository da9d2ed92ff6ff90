/// The handle of an observation by a closure.
///
/// ``cancel()`` ends the observation. Whether releasing the token ends it too depends on the call
/// that returned the token:
///
/// | call | the observation ends |
/// | --- | --- |
/// | `addObserver(owner:_:)`, ``PagedCollection/addPageObserver(owner:_:)`` | with its owner, or with ``cancel()`` |
/// | ``Paginator/onSuccess(owner:_:)``, ``Paginator/onFailure(owner:_:)`` | the same |
/// | `printEvents(to:)` of a list or paginator | when that is deallocated, or with ``cancel()`` |
/// | ``AnyResource/printEvents(to:)`` | with ``cancel()``; until then the resource stays in memory |
/// | `observe(_:)` | when the token is released, or with ``cancel()`` |
/// | ``Resource/observeContent(_:)``, ``PagedCollection/observeChanges(_:)`` | the same |
/// | ``Service/loadIfNeeded(matching:on:_:)`` | the same: its triggers end |
///
/// A token of the first four kinds can be discarded.
///
/// A token is not `Sendable`: it belongs to the actor of its service, and ``cancel()`` is called
/// there. It may be released on any thread; a closure that it owns is released with it, on that
/// thread.
public final class ObservationToken {
  private var stop: (() -> Void)?
  /// The closure that this token owns: held here and not in the list, so that a closure which
  /// captures its subject does not keep that forever.
  private var body: ((Notice) -> Void)?
  private let queue: EventQueue

  init(_ queue: EventQueue, stop: @escaping () -> Void) {
    self.queue = queue
    self.stop = stop
  }

  /// Creates a token that owns a closure.
  ///
  /// - Parameter add: adds an observer whose owner is the token.
  init(
    _ queue: EventQueue, owning body: @escaping (Notice) -> Void,
    _ add: (_ owner: ObservationToken, _ body: @escaping (Notice) -> Void) -> ObservationToken
  ) {
    self.queue = queue
    self.body = body
    stop = add(self) { [weak self] in self?.body?($0) }.stop
  }

  /// Ends the observation: the closure is not called again.
  ///
  /// Within a delivery, the closure does not receive the event that is being delivered either,
  /// unless it has received it already; it may cancel its own token. The closure is released after
  /// the waiting events. Further calls do nothing, and neither does a call after the observation
  /// has ended otherwise.
  public func cancel() {
    stop.take()?()
    if let body = body.take() { queue.post { withExtendedLifetime(body) {} } }
  }
}

extension ObservationToken: SecretHolding {}
