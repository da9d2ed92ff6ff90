/// The work that is done for a request. It does not keep the request alive.
final class RequestWork {
  /// A reason to end the work early, besides the end of the request.
  enum Interruption {
    /// The deadline, which ends the request.
    case deadline
    /// The deadline. The closure makes the work end soon.
    case overdue(() -> Void)
    /// A fetch of a token that waits for the request. The closure begins the work again.
    case restart((_ request: AnyRequest) -> Void)
    /// A fetch of a token that waits for the request, where the work waits for that token. The work takes part
    /// in the search for such circles like a fetch, because it must not begin again.
    case circle(TokenFetch)
  }

  private weak var request: AnyRequest?
  private let isolation: StoreIsolation
  private let deadlines: Deadlines
  private let timeout: Duration?
  private var deadline: Deadlines.ID?
  let interruption: Interruption
  private var task: Task<Void, Never>?

  init(for request: AnyRequest, within timeout: Duration?, _ interruption: Interruption) {
    self.request = request
    isolation = request.scope.isolation
    deadlines = request.scope.deadlines
    self.timeout = timeout
    self.interruption = interruption
    if timeout != nil { deadlines.expect() }
  }

  /// Performs an operation off the store's actor, and passes the request and the result to the next step, if
  /// the request still waits for this work.
  ///
  /// - Returns: whether it was begun: nothing returns to an actor that is being deallocated.
  func perform<Value: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async -> Value,
    then next: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) -> Bool {
    task = isolation.launch(start: begin, operation) { value in
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

  /// Ends the work early because its deadline has passed.
  ///
  /// - Returns: whether that ends the request.
  func expire() -> Bool {
    deadline = nil
    if case .overdue(let end) = interruption {
      end()
      return false
    }
    task?.cancel()
    return true
  }
}
