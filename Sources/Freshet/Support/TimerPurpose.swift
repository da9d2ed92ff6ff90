/// Why something sleeps on a clock.
///
/// A clock of the machine has no use for it. One that a test moves shows it, and tells by it what a test
/// waits for from deadlines, which only matter where something takes too long.
public enum TimerPurpose: Sendable, Hashable {
  /// The deadlines of the requests of a store that are under way: one timer serves them all.
  case deadline
  /// A wait before another attempt, also where the server asked for it (`Retry-After`).
  ///
  /// The text is the method and the URL of the request, secrets in it replaced.
  case retry(of: String)
  /// Anything else, in a few words.
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
