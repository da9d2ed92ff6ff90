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
      /// A request waits before it is sent, because the server has asked for that by its response to another
      /// one; see ``RetryPolicy/pausesOrigin``.
      case pause
      /// The persistent cache could not be read or written, or responses are not stored because nothing says
      /// whose they are: see ``Service/Configuration/account``.
      case cacheFailure
      /// The body of an error response could not be read.
      case errorBody
      /// Content was decoded although its media type is another one.
      case mislabeledContent
      /// A page is taken for the whole list, and nothing in the response says so; or it says that there is
      /// more, where the chosen ``PageStyle`` does not look for it.
      case presumedEnd
      /// A page has items, and says that some may be missing, as by `timed_out` or `incomplete_results`, that
      /// the request has failed, or that it is another page than was requested.
      case doubtfulPage
    }

    /// The kind of the entry.
    public let category: Category
    /// What happened, without secrets.
    public let message: String
    /// The wait before the next attempt, of an entry of category ``Category/retry`` or ``Category/pause``;
    /// nil for others.
    public let wait: RequestWait?
    /// Category and message.
    public var description: String { "\(category.rawValue): \(message)" }
  }
}
