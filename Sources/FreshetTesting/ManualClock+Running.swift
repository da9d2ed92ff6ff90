import Freshet

extension ManualClock {
  /// The failure of ``run(until:within:)``: nothing is left that would make the condition hold.
  public struct Stalled: Error, CustomStringConvertible {
    /// Where the clock was.
    public let now: Duration
    /// What slept then: nothing, or what is further away than the run may go.
    public let timers: [Timer]

    /// What is left, for the report of a failed test.
    public var description: String {
      let rest =
        timers.isEmpty
        ? "nothing sleeps on the clock"
        : "what sleeps is further away: \(timers.map(\.description).joined(separator: ", "))"
      return """
        ManualClock.run(until:): the condition does not hold at \(now), no work of a store is under \
        way, and \(rest)
        """
    }
  }

  /// Lets time pass, one timer after the other, until a condition holds.
  ///
  /// ```swift
  /// let load = resource.load()              // fails twice, and is retried
  /// try await clock.run(until: { load.isCompleted })
  /// ```
  ///
  /// **Isolation.** It runs on the actor of its caller, and so does the condition, which may read all
  /// that lives there. Call it on the actor of the store.
  ///
  /// **Order.** Timers end one at a time, each at its own time, in the order of ``timers``. Before each,
  /// all work of the stores on this clock has ended: responses are received, observers notified, what they
  /// asked for is loaded or sleeps. The condition is evaluated at the start and whenever work has ended or
  /// a timer was set. A task that the test itself let sleep on the clock is no such work; such a task is
  /// to be awaited.
  ///
  /// **Deadlines.** A request that is under way is waited for, and never reaches its deadline in a run. One
  /// that a gate holds has to be released, or to be ended by ``advanceToNextDeadline()``.
  ///
  /// **Termination.** It returns as soon as the condition holds, without a step where it holds already.
  /// Where no work is under way and no timer ends within the limit it throws ``Stalled``; the clock stays
  /// where it is then.
  ///
  /// - Parameters:
  ///   - condition: looks at the store and changes nothing.
  ///   - limit: how far the clock may move; a day unless stated.
  /// - Throws: ``Stalled``; `CancellationError` when the calling task is cancelled; what the condition
  ///   throws.
  public nonisolated(nonsending) func run(
    until condition: () throws -> Bool, within limit: Duration = .seconds(86_400)
  ) async throws {
    let end = now + limit
    while try !condition() {
      let changes = state.withLock { $0.changes }
      // What already waits for its turn on this actor comes first.
      await Task.yield()
      guard try !condition() else { return }
      switch state.withLock({ $0.nextStep(by: end) }) {
      case .wait: await state.until { $0.changes != changes }
      case .wake(let sleep): sleep.continuation.resume()
      case .stop(let stalled): throw stalled
      }
      try Task.checkCancellation()
    }
  }

  /// What a run does next.
  enum Step: Sendable {
    /// Wait for the work that is under way.
    case wait
    /// Wake this; the clock has been moved to its end.
    case wake(Sleep)
    case stop(Stalled)
  }
}

extension ManualClock.State {
  mutating func nextStep(by limit: Duration) -> ManualClock.Step {
    // Work that sleeps here waits for the clock.
    let isWorking = work > sleeps.count { $0.timer.isOfStore }
    if isWorking { return .wait }
    guard let next = sleeps.first, next.timer.end <= limit,
      let woken = advance(to: next.timer.end, waking: 1).first
    else { return .stop(ManualClock.Stalled(now: now, timers: sleeps.map(\.timer))) }
    return .wake(woken)
  }
}

extension ManualClock.Timer {
  /// Whether it is work of a store that sleeps.
  fileprivate var isOfStore: Bool {
    switch purpose {
    case .deadline, .retry: true
    case .other: false
    }
  }
}

extension ManualClock: WorkCounter {
  /// Work of a store was launched.
  package func workBegan() {
    state.withLock { $0.work += 1 }
  }

  /// The result of the work was received, or dropped.
  package func workEnded() {
    state.withLock { state in
      state.work -= 1
      state.changes += 1
    }
  }
}
