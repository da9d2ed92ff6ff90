import Foundation

extension Request {
  /// Does work for this request away from the store's actor, and takes its result in on it.
  ///
  /// A request may do this several times, one after the other.
  ///
  /// - Parameters:
  ///   - away: the work; it is given where to report progress, and cancelled with the request.
  ///   - back: takes in the result, unless the request has ended or gone by then.
  func run<Value: Sendable>(
    _ away:
      @escaping @Sendable @concurrent (
        _ report: @escaping @Sendable (TransferProgress) -> Void
      ) async -> Value,
    back: @escaping (_ request: Request, _ value: Value) -> Void
  ) {
    let reporter = reporter ?? makeReporter()
    task = scope.isolation.launch {
      await away { reporter.yield($0) }
    } back: { [weak self] value in
      guard let self, !isCompleted else { return }
      back(self, value)
    }
  }

  /// Sends the request and reads its answer, in as many tries as that takes.
  ///
  /// - Parameters:
  ///   - exchange: what the request is.
  ///   - attempt: the next try.
  ///   - back: takes in what came of it, unless the request has ended or gone by then.
  func carryOut(
    _ exchange: Exchange<Content>, _ attempt: Exchange<Content>.Attempt,
    back: @escaping (_ request: Request, _ outcome: Exchange<Content>.Outcome) -> Void
  ) {
    run { report in
      await exchange.run(attempt, progress: report)
    } back: { request, step in
      switch step {
      case .ended(let outcome): back(request, outcome)
      case .again(let next, after: nil): request.carryOut(exchange, next, back: back)
      case .again(let next, after: let delay?):
        request.wait(for: delay) { $0.carryOut(exchange, next, back: back) }
      }
    }
  }

  /// Lets time pass before another try, which everybody can see.
  private func wait(for delay: Duration, then goOn: @escaping (_ request: Request) -> Void) {
    let clock = scope.clock
    run { _ in
      // Only a cancellation ends it early, and then nobody goes on.
      try? await clock.sleep(for: delay)
    } back: { request, _ in
      request.wait(until: nil)
      if !request.isCompleted { goOn(request) }
    }
    wait(until: clock.date + delay / .seconds(1))
  }
}
