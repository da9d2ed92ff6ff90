/// Something that a store did or could not do.
public struct LogEntry: Sendable, CustomStringConvertible {
  /// What an entry is about.
  public enum Category: String, Sendable {
    /// A request was sent.
    case request
    /// A response came, or none did.
    case response
    /// A request is tried again.
    case retry
    /// The persistent cache could not do what it was asked to.
    case cacheFailure
    /// The body of an error response could not be read.
    case errorBody
    /// Content was read that is of another type than its label says.
    case mislabeledContent
  }

  /// What it is about.
  public let category: Category
  /// What happened, without secrets.
  public let message: String
  /// The wait before the next attempt, of an entry of category ``Category/retry``; nil for others.
  public let wait: RequestWait?
  /// Category and message.
  public var description: String { "\(category.rawValue): \(message)" }
}
