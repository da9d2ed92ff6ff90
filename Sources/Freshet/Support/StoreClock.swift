import Foundation

/// A clock for ages, deadlines and waits, with a monotonic time and a date.
///
/// Ages and deadlines are measured with the monotonic time, so that a changed system date neither
/// keeps content fresh forever nor makes it stale; dates are for people and for HTTP.
public protocol StoreClock: Sendable {
  /// The time since some fixed moment; it never decreases.
  var now: Duration { get }

  /// The date.
  var date: Date { get }

  /// Waits for the duration, or throws `CancellationError` as soon as the task is cancelled.
  @concurrent
  func sleep(for duration: Duration) async throws

  /// Waits as ``sleep(for:)`` does, for a given purpose: this is what a store calls.
  ///
  /// The default implementation ignores the purpose.
  @concurrent
  func sleep(for duration: Duration, purpose: TimerPurpose) async throws
}

extension StoreClock {
  /// Waits as ``sleep(for:)`` does.
  @concurrent
  public func sleep(for duration: Duration, purpose: TimerPurpose) async throws {
    try await sleep(for: duration)
  }

  /// Waits until ``now`` is at least a time.
  ///
  /// A wait is for a time that was read when it was decided on. Its task starts later, when the clock may have
  /// been advanced already; for a duration it would then wait from that time on.
  func sleep(until end: Duration, purpose: TimerPurpose) async throws {
    try await sleep(for: end - now, purpose: purpose)
  }
}

/// Counts the work that stores do away from their actors: a clock that a test moves does, so that it
/// moves only when nothing is under way.
package protocol WorkCounter: AnyObject, Sendable {
  /// Work was launched.
  func workBegan()
  /// The result of work was received, or dropped.
  func workEnded()
}

extension StoreClock {
  /// The clock, if it counts the work of stores; nil for one of the machine.
  var workCounter: (any WorkCounter)? { self as? any WorkCounter }
}
