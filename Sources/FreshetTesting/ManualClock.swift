import Foundation
import Freshet

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let retry = Task { try await clock.sleep(for: .seconds(2)) }
/// await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(2))
/// try await retry.value
/// ```
///
/// Time passes only in ``advance(by:)``, all of it at once: a task that sleeps again when woken
/// sleeps from the new time on. Wait with ``sleepers(atLeast:)`` between two steps.
public final class ManualClock: StoreClock {
  private struct Sleeper: Sendable {
    let id: Int
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Duration.zero
    var date: Date
    /// Ordered by deadline; equal deadlines in the order in which they went to sleep.
    var sleepers: [Sleeper] = []
    var nextID = 0
  }

  private let state: Watched<State>

  /// The wall date at which a clock starts unless told otherwise: 2026-01-01 00:00:00 UTC.
  public static let startDate = Date(timeIntervalSince1970: 1_767_225_600)

  /// Makes a clock whose monotonic time is zero.
  public init(date: Date = ManualClock.startDate) {
    state = Watched(State(date: date))
  }

  /// How far the clock has been advanced.
  public var now: Duration { state.withLock { $0.now } }

  /// The wall date: the start date, advanced as ``now`` is, and moved by ``jump(dateBy:)``.
  public var date: Date { state.withLock { $0.date } }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Returns as soon as that many tasks sleep, or when the calling task is cancelled.
  public func sleepers(atLeast count: Int) async {
    await state.until { $0.sleepers.count >= count }
  }

  /// Lets time pass, and wakes the sleepers whose time has come.
  ///
  /// They are resumed in the order of their deadlines, equal ones in the order in which they went to
  /// sleep, before this returns; each runs on when its executor gets to it.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "ManualClock.advance(by: \(duration)): time never goes back")
    let due = state.withLock { state in
      state.now += duration
      state.date += duration / .seconds(1)
      let count = state.sleepers.prefix { $0.deadline <= state.now }.count
      defer { state.sleepers.removeFirst(count) }
      return state.sleepers[..<count]
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Changes the wall date only, as a person or a time server does; it may go back.
  public func jump(dateBy duration: Duration) {
    state.withLock { $0.date += duration / .seconds(1) }
  }

  /// Waits until the clock has been advanced by the duration; zero or less does not wait.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  @concurrent
  public func sleep(for duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early: Result<Void, any Error>? = state.withLock { state in
          // Asked under the lock, so that a cancellation is seen either here or by the handler.
          guard !Task.isCancelled else { return .failure(CancellationError()) }
          guard duration > .zero else { return .success(()) }
          let deadline = state.now + duration
          let place = state.sleepers.firstIndex { $0.deadline > deadline }
          state.sleepers.insert(
            Sleeper(id: id, deadline: deadline, continuation: continuation),
            at: place ?? state.sleepers.endIndex)
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
