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
  private let deadlines: Deadlines
  private let timeout: Duration?
  private var deadline: Deadlines.ID?
  let interruption: Interruption
  var task: Task<Void, Never>?

  init(for request: AnyRequest, within timeout: Duration?, _ interruption: Interruption) {
    self.request = request
    deadlines = request.scope.deadlines
    self.timeout = timeout
    self.interruption = interruption
    if timeout != nil { deadlines.expect() }
  }

  /// Sets the deadline, once the work begins: the actor may be busy until then.
  func begin() {
    guard let timeout else { return }
    deadline = deadlines.set(for: current, in: timeout)
  }

  /// The request; nil if it has ended or has begun other work.
  private var current: AnyRequest? {
    if let request, request.work === self { request } else { nil }
  }

  /// Passes the request to the next step, if it still waits for this work.
  func end(_ next: (_ request: AnyRequest) -> Void) {
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
    task?.cancel()
  }

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
