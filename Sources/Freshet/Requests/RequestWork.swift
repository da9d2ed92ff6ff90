/// The work that is done for a request. It does not keep the request alive.
class RequestWork {
  /// What the work is, which decides how it may end early, besides by the end of the request.
  enum Activity {
    /// Sends the request, or waits before that. A deadline ends the request.
    case attempt
    /// Reads the persistent cache. At the deadline, the closure makes the read end soon, without an entry.
    case readingCache(skip: () -> Void)
    /// Authorizes the request. If a fetch of a token begins to wait for the request, the closure begins the
    /// work again, as a part of that fetch.
    case authorizing(restart: (_ request: AnyRequest) -> Void)
    /// Decorates the request, which must not begin again: if a fetch of a token waits for the request, the work
    /// takes part like a fetch in the search for circular waits.
    case decorating(TokenFetch)
  }

  private final weak var request: AnyRequest?
  fileprivate final let isolation: StoreIsolation
  private final let deadlines: Deadlines
  private final let timeout: Duration?
  private final var deadline: Deadlines.ID?
  final let activity: Activity
  fileprivate final var task: Task<Void, Never>?

  fileprivate init(for request: AnyRequest, within timeout: Duration?, _ activity: Activity) {
    self.request = request
    isolation = request.scope.isolation
    deadlines = request.scope.deadlines
    self.timeout = timeout
    self.activity = activity
    if timeout != nil { deadlines.expect() }
  }

  /// Sets the deadline, once the work begins: the actor may be busy until then.
  fileprivate final func begin() {
    guard let timeout else { return }
    deadline = deadlines.set(for: current, in: timeout)
  }

  /// The request; nil if it has ended or has begun other work.
  private final var current: AnyRequest? {
    if let request, request.work === self { request } else { nil }
  }

  fileprivate final func end(_ next: (_ request: AnyRequest) -> Void) {
    liftDeadline()
    if let request = current {
      request.endWork()
      next(request)
    }
    deadlines.endTimerIfIdle()
  }

  /// Cancels the work, without waiting for it.
  func stop() {
    liftDeadline()
    cancelTask()
  }

  /// Cancels the operation alone; on any thread.
  final func cancelTask() { task?.cancel() }

  private final func liftDeadline() {
    if let deadline = deadline.take() { deadlines.lift(deadline) }
  }

  /// Notes that the deadline has passed: a read of the persistent cache ends early.
  ///
  /// - Returns: whether the request ends.
  final func expire() -> Bool {
    deadline = nil
    guard case .readingCache(let skip) = activity else { return true }
    skip()
    return false
  }
}

/// Work whose result is received on the store's actor.
///
/// It alone holds what receives the result, and releases that on the actor: a task releases what it was given
/// elsewhere, which is only right for what is `Sendable`.
final class ReceivedWork<Value: Sendable>: RequestWork {
  private var next: ((_ request: AnyRequest, _ value: Value) -> Void)?

  /// Creates work for a request.
  ///
  /// - Parameter next: the next step, with the request and the result, if the request still waits for this work.
  init(
    for request: AnyRequest, within timeout: Duration?, _ activity: Activity,
    then next: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    self.next = next
    super.init(for: request, within: timeout, activity)
  }

  /// Performs an operation off the store's actor, and receives the result.
  ///
  /// - Returns: whether it was begun: nothing returns to an actor that is being deallocated.
  func perform(_ operation: @escaping @Sendable @concurrent () async -> Value) -> Bool {
    task = isolation.launch(start: begin, operation) { self.received($0) }
    return task != nil
  }

  private func received(_ value: Value) {
    let next = next.take()
    end { next?($0, value) }
  }

  override func stop() {
    super.stop()
    _ = next.take()
  }
}
