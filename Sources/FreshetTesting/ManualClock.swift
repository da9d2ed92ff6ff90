import Foundation
import Freshet

/// A clock that advances only when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
/// service.configure { $0.retryPolicy = .standard }
/// stub.on(.get, "/a", .status(503, headers: ["Retry-After": "7"]), .text("one"))
/// let load = service.resource("a", of: String.self).load()
/// await clock.advanceToNextTimer()
/// #expect(clock.now == .seconds(7))
/// #expect(try await load.value() == "one")
/// ```
///
/// A task that sleeps on the clock is a timer; ``timers`` lists them with their ends and purposes.
/// A test waits for some of them, such as the wait before another attempt, and not for the
/// deadlines of requests, which exist whenever a request is under way. The clock
/// advances in several ways:
///
/// | call | advances to |
/// | --- | --- |
/// | ``advanceToNextTimer()`` | the next timer, except deadlines |
/// | ``advanceToNextDeadline()`` | the next deadline of a request, which then fails with a timeout |
/// | ``run(until:within:)`` | one timer after the other, until a condition holds |
/// | ``advance(by:)`` | any time |
///
/// Any thread may use the clock at any time.
public final class ManualClock: StoreClock {
  struct State: Sendable {
    var now = Duration.zero
    var date: Date
    /// Ordered by their ends; those with the same end in the order in which they began.
    var sleeps: [Sleep] = []
    var nextID = 0
    /// How much work of stores was launched and not received yet, timers included.
    var work = 0
    /// Counts the changes that ``ManualClock/run(until:within:)`` waits for.
    var changes = 0
  }

  /// A timer and its continuation.
  struct Sleep: Sendable {
    let id: Int
    let timer: Timer
    let continuation: CheckedContinuation<Void, any Error>
  }

  let state: Watched<State>

  /// The date at which a clock starts by default: 2026-01-01 00:00:00 UTC.
  public static let startDate = Date(timeIntervalSince1970: 1_767_225_600)

  /// Creates a clock whose monotonic time is zero.
  public init(date: Date = ManualClock.startDate) {
    state = Watched(State(date: date))
  }

  /// The time by which the clock has been advanced.
  public var now: Duration { state.withLock { $0.now } }

  /// The date: the start date, advanced with ``now``, and changed by ``jump(dateBy:)``.
  public var date: Date { state.withLock { $0.date } }

  /// Advances the clock in one step, and wakes the timers that end within it.
  ///
  /// They are resumed in the order of their ends, those with the same end in the order in which
  /// they began, before this returns; each task continues when its executor runs it. A task that
  /// sleeps again when woken sleeps from the new time on.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "ManualClock.advance(by: \(duration)): time never goes back")
    let due = state.withLock { $0.advance(to: $0.now + duration) }
    for sleep in due { sleep.continuation.resume() }
  }

  /// Changes only the date, as a user or a time server does; the date may go back.
  public func jump(dateBy duration: Duration) {
    state.withLock { $0.date += duration / .seconds(1) }
  }

  /// Waits until the clock has been advanced by the duration; zero or less does not wait.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  @concurrent
  public func sleep(for duration: Duration) async throws {
    try await sleep(for: duration, purpose: .other("sleep"))
  }

  /// Waits until the clock has been advanced by the duration; zero or less does not wait.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  @concurrent
  public func sleep(for duration: Duration, purpose: TimerPurpose) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early: Result<Void, any Error>? = state.withLock { state in
          // Checked under the lock, so that a cancellation is seen either here or by the handler.
          guard !Task.isCancelled else { return .failure(CancellationError()) }
          guard duration > .zero else { return .success(()) }
          let timer = Timer(end: state.now + duration, purpose: purpose)
          state.add(Sleep(id: id, timer: timer, continuation: continuation))
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      let sleep = state.withLock { $0.remove(id) }
      sleep?.continuation.resume(throwing: CancellationError())
    }
  }
}

extension ManualClock.State {
  mutating func add(_ sleep: ManualClock.Sleep) {
    let index = sleeps.firstIndex { $0.timer.end > sleep.timer.end }
    sleeps.insert(sleep, at: index ?? sleeps.endIndex)
    changes += 1
  }

  mutating func remove(_ id: Int) -> ManualClock.Sleep? {
    changes += 1
    return sleeps.firstIndex { $0.id == id }.map { sleeps.remove(at: $0) }
  }

  /// Advances the time, never back, and removes the timers that are due then: at most that many.
  mutating func advance(to end: Duration, waking limit: Int = .max) -> [ManualClock.Sleep] {
    if end > now {
      date += (end - now) / .seconds(1)
      now = end
    }
    let due = sleeps.prefix(limit).prefix { $0.timer.end <= now }
    sleeps.removeFirst(due.count)
    changes += 1
    return Array(due)
  }
}
