import Foundation

extension AnyRequest {
  /// The load that a request is for.
  final class Load {
    private weak var resource: AnyResource?
    private let id: ResourceState.LoadID
    /// The content whose validators are sent.
    var known: AnyEntity?

    init(resource: AnyResource, id: ResourceState.LoadID) {
      self.resource = resource
      self.id = id
    }

    /// Tells the resource what the load has brought.
    func received(_ answer: ResourceState.Answer, writing write: CacheWrites.Write? = nil) {
      resource?.received(answer, load: id, writing: write)
    }

    /// Tells the resource that the load will bring nothing.
    func giveUp() {
      resource?.giveUp(id)
    }
  }

  /// Work that is done for a request, which it does not keep alive.
  private final class Errand {
    private weak var request: AnyRequest?
    private let scope: RequestScope
    private let timeout: Duration?

    init(for request: AnyRequest, within timeout: Duration?) {
      self.request = request
      scope = request.scope
      self.timeout = timeout
      if timeout != nil { scope.running?.expectDeadline() }
    }

    /// Sets the deadline. When the work begins, because the actor may be busy until then.
    func begin() {
      guard let timeout, let running = scope.running else { return }
      let request = request
      running.setDeadline(of: request?.isCompleted == false ? request : nil, in: timeout)
    }

    /// Hands over the request, unless that has ended or gone.
    func end(_ goOn: (_ request: AnyRequest) -> Void) {
      let running = scope.running
      if let request, !request.isCompleted {
        // The task is just ending, so there is nothing left to cancel.
        request.task = nil
        running?.liftDeadline(of: request)
        goOn(request)
      }
      running?.letSleeperGo()
    }
  }

  /// Does work for this request away from the store's actor, and takes its result in on it.
  ///
  /// A request may do this several times, one after the other.
  ///
  /// - Parameters:
  ///   - timeout: how long it may take; nil for any time.
  ///   - away: the work; it is cancelled with the request.
  ///   - back: takes in the result, unless the request has ended or gone by then.
  final func run<Value: Sendable>(
    within timeout: Duration? = nil,
    _ away: @escaping @Sendable @concurrent () async -> Value,
    back: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    let errand = Errand(for: self, within: timeout)
    task = scope.isolation.launch(start: errand.begin, away) { value in
      errand.end { back($0, value) }
    }
  }

  /// Sends the request and reads its answer, in as many tries as that takes.
  final func carryOut(_ attempt: Exchange.Attempt) {
    guard let exchange else {
      preconditionFailure("AnyRequest.carryOut: a request without an exchange cannot be sent")
    }
    let report = makeReporter()
    run(within: exchange.timeout(of: attempt)) {
      await exchange.run(attempt, progress: report)
    } back: { request, step in
      switch step {
      case .ended(let outcome): request.end(with: outcome)
      case .again(let next, after: nil): request.carryOut(next)
      case .again(let next, after: let delay?): request.wait(for: delay) { $0.carryOut(next) }
      }
    }
  }

  /// Ends the request because its deadline has come. Its work is told to stop, and not waited for.
  final func expire() {
    guard let exchange, !isCompleted else { return }
    end(with: .failure(exchange.timedOut()))
    scope.running?.letSleeperGo()
  }

  /// Lets time pass before another try, which everybody can see.
  private func wait(for delay: Duration, then goOn: @escaping (_ request: AnyRequest) -> Void) {
    let clock = scope.clock
    run {
      // Only a cancellation ends it early, and then nobody goes on.
      try? await clock.sleep(for: delay)
    } back: { request, _ in
      request.wait(until: nil)
      if !request.isCompleted { goOn(request) }
    }
    wait(until: clock.date + delay / .seconds(1))
  }

  /// Ends the request: first the resource and its observers hear of it, then who waits for the
  /// request.
  private func end(with outcome: Exchange.Outcome) {
    // Held until the events are delivered: what the load has known may have no other reference.
    let load = load.take()
    // Together, so that the request has ended by the time that observers hear of its answer.
    scope.queue.together {
      switch outcome {
      case .newData(let fetched, let write):
        load?.received(.newData(fetched.entity, lifetime: fetched.lifetime), writing: write)
        complete(.newData(fetched.entity))
      case .notModified(let confirmation, let lifetime, let write):
        guard var entity = load?.known else {
          preconditionFailure("Exchange.run: 304 for a request without validators passed through")
        }
        load?.received(.notModified(entity, confirmation, lifetime: lifetime), writing: write)
        entity.confirm(confirmation)
        complete(.notModified(entity))
      case .failure(let error):
        load?.received(.failure(error))
        complete(.failure(error))
      }
    }
    withExtendedLifetime(load) {}
  }
}
