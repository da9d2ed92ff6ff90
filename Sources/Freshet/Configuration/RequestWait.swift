import Foundation

/// A wait of a request before its next attempt: its end and its reason.
///
/// ``AnyRequest/wait``, ``PagedCollectionState/waiting(_:)`` and ``Service/LogEntry/wait`` report
/// it.
public struct RequestWait: Sendable, Hashable {
  /// The reasons why a request waits.
  public enum Reason: String, Sendable, Hashable {
    /// The server asked for the wait.
    ///
    /// Either it named a time (``ResourceError/retryAfter``), or its response was of kind
    /// ``ResourceError/Kind/rateLimited`` without a time; then ``Service/RetryPolicy`` sets the time.
    case server
    /// The attempt failed for another reason, and ``Service/RetryPolicy`` sets the time.
    case backoff

    init(after error: ResourceError) {
      self = error.retryAfter != nil || error.kind == .rateLimited ? .server : .backoff
    }
  }

  /// The date at which the next attempt is made: wall-clock time, to be shown to a person.
  public let nextAttemptDate: Date
  /// The reason for the wait.
  public let reason: Reason

  /// Creates a wait.
  public init(nextAttemptDate: Date, reason: Reason) {
    self.nextAttemptDate = nextAttemptDate
    self.reason = reason
  }

  /// Creates a wait that begins now.
  init(for delay: Duration, _ reason: Reason, clock: any StoreClock) {
    self.init(nextAttemptDate: clock.date + delay / .seconds(1), reason: reason)
  }
}

extension RequestWait: CustomStringConvertible {
  /// The date in the format of HTTP, and the reason.
  public var description: String {
    "until \(HTTPDate.string(from: nextAttemptDate) ?? "?"), \(reason.rawValue)"
  }
}
