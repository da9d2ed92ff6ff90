import Foundation

/// The time of a store: a monotonic time, the date, and sleeping.
///
/// Ages and deadlines are measured with the monotonic time, so that a changed system date neither
/// keeps content fresh for ever nor makes it stale; dates are for people and for HTTP.
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
}

/// The clock of the machine.
public struct SystemClock: StoreClock {
  private static let start = ContinuousClock.now

  /// Makes the clock; all system clocks have the same time.
  public init() {}

  /// The time since the process first read it, including the machine's sleep.
  public var now: Duration { ContinuousClock.now - SystemClock.start }

  /// The date.
  public var date: Date { Date() }

  /// Waits for the duration, or throws `CancellationError` as soon as the task is cancelled.
  @concurrent
  public func sleep(for duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}

extension StoreClock where Self == SystemClock {
  /// The clock of the machine.
  public static var system: SystemClock { SystemClock() }
}
