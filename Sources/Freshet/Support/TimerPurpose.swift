/// The purpose of a timer on a clock.
///
/// A clock of the machine ignores it. A manual clock shows it, and distinguishes by it the timers
/// that a test waits for from deadlines, which matter only if something takes too long.
public enum TimerPurpose: Sendable, Hashable {
  /// The deadlines of a store's requests in progress, which share one timer.
  case deadline
  /// A wait before another attempt, even if the server asked for it (`Retry-After`).
  ///
  /// The text is the method and the URL of the request, secrets in it replaced.
  case retry(of: String)
  /// Any other purpose, in a few words.
  case other(String)
}

extension TimerPurpose: CustomStringConvertible {
  /// The purpose in a few words.
  public var description: String {
    switch self {
    case .deadline: "deadline of requests"
    case .retry(let request): "retry of \(request)"
    case .other(let text): text
    }
  }
}
