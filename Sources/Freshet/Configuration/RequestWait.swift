import Foundation

/// The wait of a request before its next attempt: when it ends, and why it is made.
///
/// ``AnyRequest/wait``, ``PagedCollectionState/waiting(_:)`` and ``Service/LogEntry/wait`` report
/// it.
public struct RequestWait: Sendable, Hashable {
  /// Why a request waits.
  public enum Reason: String, Sendable, Hashable {
    /// The server asked for it: by a time (``ResourceError/retryAfter``), or by a response of kind
    /// ``ResourceError/Kind/rateLimited`` that names none, after which ``Service/RetryPolicy`` sets
    /// the time.
    case server
    /// The attempt failed in another way, and ``Service/RetryPolicy`` sets the time.
    case backoff

    init(after error: ResourceError) {
      self = error.retryAfter != nil || error.kind == .rateLimited ? .server : .backoff
    }
  }

  /// The date at which the next attempt is made: wall-clock time, to be shown to a person.
  public let nextAttemptDate: Date
  /// Why the request waits.
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
  /// The date, as HTTP writes it, and the reason.
  public var description: String {
    "until \(HTTPDate.string(from: nextAttemptDate) ?? "?"), \(reason.rawValue)"
  }
}
