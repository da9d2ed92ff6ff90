/// The work that is done for a request. It does not keep the request alive.
final class RequestWork {
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

  private weak var request: AnyRequest?
  private let isolation: StoreIsolation
  private let deadlines: Deadlines
  private let timeout: Duration?
  private var deadline: Deadlines.ID?
  let activity: Activity
  private var task: Task<Void, Never>?

  init(for request: AnyRequest, within timeout: Duration?, _ activity: Activity) {
    self.request = request
    isolation = request.scope.isolation
    deadlines = request.scope.deadlines
    self.timeout = timeout
    self.activity = activity
    if timeout != nil { deadlines.expect() }
  }

  /// Performs an operation off the store's actor, and passes the request and the result to the next step, if
  /// the request still waits for this work.
  ///
  /// - Parameter isPartOfFetch: whether the operation is a part of ``TokenFetch/current``.
  /// - Returns: whether it was begun: nothing returns to an actor that is being deallocated.
  func perform<Value: Sendable>(
    isPartOfFetch: Bool = false, _ operation: @escaping @Sendable @concurrent () async -> Value,
    then next: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) -> Bool {
    task = isolation.launch(isPartOfFetch: isPartOfFetch, start: begin, operation) { value in
      self.end { next($0, value) }
    }
    return task != nil
  }

  /// Sets the deadline, once the work begins: the actor may be busy until then.
  private func begin() {
    guard let timeout else { return }
    deadline = deadlines.set(for: current, in: timeout)
  }

  /// The request; nil if it has ended or has begun other work.
  private var current: AnyRequest? {
    if let request, request.work === self { request } else { nil }
  }

  private func end(_ next: (_ request: AnyRequest) -> Void) {
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
  func cancelTask() { task?.cancel() }

  private func liftDeadline() {
    if let deadline = deadline.take() { deadlines.lift(deadline) }
  }

  /// Notes that the deadline has passed: a read of the persistent cache ends early.
  ///
  /// - Returns: whether the request ends.
  func expire() -> Bool {
    deadline = nil
    guard case .readingCache(let skip) = activity else { return true }
    skip()
    return false
  }
}
