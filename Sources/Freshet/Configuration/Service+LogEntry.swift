extension Service {
  /// An entry of the log of a service: network activity, or a failure that is not reported
  /// elsewhere.
  public struct LogEntry: Sendable, CustomStringConvertible {
    /// The kinds of log entries.
    public enum Category: String, Sendable {
      /// A request was sent.
      case request
      /// A response was received, or the attempt failed without one.
      case response
      /// A request is retried.
      case retry
      /// A request waits before it is sent, because the response to another request asked for a wait; see
      /// ``RetryPolicy/pausesOrigin``.
      case pause
      /// The persistent cache could not be read or written, or a response was not stored because its user is unknown;
      /// see ``Service/Configuration/userIdentifier``.
      case cacheFailure
      /// The body of an error response could not be read.
      case errorBody
      /// Content was decoded although the response has another media type.
      case mislabeledContent
      /// A page is treated as the whole list although nothing in the response confirms this, or although it indicates
      /// more items that the chosen ``PageStyle`` does not look for.
      case presumedEnd
      /// A page has items, but indicates that some may be missing (`timed_out`, `incomplete_results`), that the
      /// request has failed, or that it is another page than the requested one.
      case doubtfulPage
    }

    /// The kind of the entry.
    public let category: Category
    /// A description of what happened, without secrets.
    public let message: String
    /// The wait before the next attempt, for entries of category ``Category/retry`` or ``Category/pause``; nil for
    /// others.
    public let wait: RequestWait?
    /// The category and the message.
    public var description: String { "\(category.rawValue): \(message)" }
  }
}
