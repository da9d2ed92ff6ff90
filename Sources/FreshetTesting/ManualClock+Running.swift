import Freshet

extension ManualClock {
  /// The error of ``run(until:within:)`` when nothing is left that could make the condition true.
  public struct Stalled: Error, CustomStringConvertible {
    /// The time of the clock.
    public let now: Duration
    /// The timers at that time: none, or only some beyond the limit of the run.
    public let timers: [Timer]

    /// The time and the timers, for the report of a failed test.
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

  /// Advances the clock, one timer after the other, until a condition holds.
  ///
  /// ```swift
  /// let load = resource.load()              // fails twice, and is retried
  /// try await clock.run(until: { load.isCompleted })
  /// ```
  ///
  /// **Isolation.** It runs on the actor of its caller, and so does the condition, which may read
  /// all state there. Call it on the actor of the store.
  ///
  /// **Order.** Timers end one at a time, each at its own time, in the order of ``timers``. Before
  /// each, all work of the stores on this clock has ended: responses are received, observers
  /// notified, and their reactions loaded or asleep. The condition is evaluated at the start and
  /// whenever work has ended or a timer was set. Tasks of the test itself that sleep on the clock
  /// are not such work; await them instead.
  ///
  /// **Deadlines.** A request that is under way is waited for, and never reaches its deadline in a
  /// run. Release a request that a gate holds, or end it with ``advanceToNextDeadline()``.
  ///
  /// **Termination.** It returns as soon as the condition holds, without advancing if it already
  /// does. If no work is under way and no timer ends within the limit it throws ``Stalled``,
  /// without advancing the clock.
  ///
  /// - Parameters:
  ///   - condition: reads the store, and changes nothing.
  ///   - limit: how far the clock may advance; a day by default.
  /// - Throws: ``Stalled``; `CancellationError` when the calling task is cancelled; what the condition
  ///   throws.
  public nonisolated(nonsending) func run(
    until condition: () throws -> Bool, within limit: Duration = .seconds(86_400)
  ) async throws {
    let end = now + limit
    while try !condition() {
      let changes = state.withLock { $0.changes }
      // Jobs that already wait for their turn on this actor come first.
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

  /// Returns when no work of the stores on this clock is under way, without advancing: what is left sleeps on
  /// the clock, such as a wait before a retry.
  ///
  /// ```swift
  /// model.appear()  // begins a task that loads
  /// await clock.settled()
  /// #expect(model.name == "Ada")
  /// ```
  ///
  /// It waits for everything that is loaded, also by what the test cannot see, as a view model that keeps its
  /// resources to itself. Tasks that already wait for their turn on the actor of the caller have it first; call
  /// it on the actor of the store. A request that a gate holds is under way.
  ///
  /// It returns early when the calling task is cancelled.
  public nonisolated(nonsending) func settled() async {
    while !Task.isCancelled {
      let changes = state.withLock { $0.changes }
      // Those that are resumed by what has ended may take several turns until they load again.
      for _ in 0..<8 { await Task.yield() }
      let (isWorking, latest) = state.withLock { ($0.isWorking, $0.changes) }
      if isWorking {
        await state.until { $0.changes != latest }
      } else if latest == changes {
        return
      }
    }
  }

  /// The next step of a run.
  enum Step: Sendable {
    /// Wait for the work that is under way.
    case wait
    /// Wake this; the clock has advanced to its end.
    case wake(Sleep)
    case stop(Stalled)
  }
}

extension ManualClock.State {
  /// Whether work of a store is under way: what sleeps on this clock waits for it to advance.
  fileprivate var isWorking: Bool { work > sleeps.count { $0.timer.isOfStore } }

  mutating func nextStep(by limit: Duration) -> ManualClock.Step {
    if isWorking { return .wait }
    guard let next = sleeps.first, next.timer.end <= limit,
      let woken = advance(to: next.timer.end, waking: 1).first
    else { return .stop(ManualClock.Stalled(now: now, timers: sleeps.map(\.timer))) }
    return .wake(woken)
  }
}

extension ManualClock.Timer {
  /// Whether work of a store sleeps.
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
