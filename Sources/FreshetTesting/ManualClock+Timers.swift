import Freshet

extension ManualClock {
  /// A task that sleeps on the clock.
  public struct Timer: Sendable, Hashable, CustomStringConvertible {
    /// The time at which it ends, as ``ManualClock/now`` counts.
    public let end: Duration
    /// The reason why the task sleeps.
    public let purpose: TimerPurpose

    /// Creates a timer, to compare with.
    public init(end: Duration, purpose: TimerPurpose) {
      self.end = end
      self.purpose = purpose
    }

    /// Purpose and end, such as `retry of GET https://api.test/a at 7.0 seconds`.
    public var description: String { "\(purpose) at \(end)" }
  }

  /// The timers on the clock, each with its end and purpose.
  ///
  /// In the order of their ends; those with the same end in the order in which they began.
  public var timers: [Timer] { state.withLock { $0.sleeps.map(\.timer) } }

  /// Returns as soon as there are that many timers, or when the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - count: how many timers.
  ///   - isIncluded: which timers count; all but the deadlines of requests unless it says otherwise. It
  ///     must not use the clock.
  public func timers(
    atLeast count: Int,
    where isIncluded: @escaping @Sendable (Timer) -> Bool = { $0.purpose != .deadline }
  ) async {
    await state.until { $0.sleeps.count { isIncluded($0.timer) } >= count }
  }

  /// Waits for a timer that is not a deadline of a request, and advances to its end.
  ///
  /// Time passes as in ``advance(by:)``: timers with earlier ends, deadlines too, are woken first.
  /// If there are several it is the earliest; if others are about to be set, wait for them with
  /// ``timers(atLeast:where:)`` before.
  ///
  /// - Returns: the timer; nil if the calling task was cancelled, and then the clock does not
  ///   advance.
  @discardableResult
  public func advanceToNextTimer() async -> Timer? {
    await advanceToNext { $0.purpose != .deadline }
  }

  /// Waits until a deadline of a request is set, and advances to it.
  ///
  /// One timer serves all requests of a store. It is set for the earliest deadline; if that request
  /// has ended while others are under way, it is set for the next deadline only when it ends. So
  /// with several requests under way it may take several calls until one of them fails.
  ///
  /// - Returns: the timer; nil if the calling task was cancelled, and then the clock does not
  ///   advance.
  @discardableResult
  public func advanceToNextDeadline() async -> Timer? {
    await advanceToNext { $0.purpose == .deadline }
  }

  private func advanceToNext(
    where isIncluded: @escaping @Sendable (Timer) -> Bool
  ) async -> Timer? {
    while !Task.isCancelled {
      await timers(atLeast: 1, where: isIncluded)
      let (timer, due) = state.withLock { state in
        let timer = state.sleeps.first { isIncluded($0.timer) }?.timer
        return (timer, timer.map { state.advance(to: $0.end) } ?? [])
      }
      for sleep in due { sleep.continuation.resume() }
      // It may have been cancelled since.
      if let timer { return timer }
    }
    return nil
  }
}
