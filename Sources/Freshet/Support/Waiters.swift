/// Tasks that wait for something on the store's actor.
struct Waiters {
  private var continuations: [AsyncStream<Void>.Continuation] = []
  private var schedule = PruneSchedule()

  /// Whether no task waits.
  var isEmpty: Bool { continuations.isEmpty }
  /// How many tasks wait, including some that were cancelled.
  var count: Int { continuations.count }

  /// Looks whether a task waits that was not cancelled.
  ///
  /// - Complexity: O(*n*) in the tasks that wait.
  mutating func hasWaiting() -> Bool {
    forgetCancelled()
    return !isEmpty
  }

  /// Makes a stream to wait for: it ends when ``resume()`` is called or the waiting task is
  /// cancelled.
  ///
  /// - Complexity: amortized O(1).
  mutating func make() -> AsyncStream<Void> {
    if schedule.isDue(at: count) { forgetCancelled() }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(0))
    continuations.append(continuation)
    return stream
  }

  /// Resumes all tasks, after the current turn.
  mutating func resume() {
    for continuation in continuations.take() { continuation.finish() }
  }

  /// Removes the streams whose tasks were cancelled. Only an element sent to a stream shows that; a
  /// task that waits keeps waiting after it.
  private mutating func forgetCancelled() {
    continuations.removeAll {
      if case .terminated = $0.yield() { true } else { false }
    }
    schedule.pruned(leaving: count)
  }

  /// Stops the program if an invariant does not hold. For tests.
  func checkInvariants() {
    schedule.checkInvariants(at: count)
  }
}
