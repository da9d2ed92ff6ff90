/// The error of a ``PageQuery`` that could not load a page.
public enum PageQueryError: Error, Sendable, Equatable {
  /// The load failed, or was cancelled by other code than ``PageQuery/cancelLoad()``.
  /// ``PageQuery/retry()`` requests that page again.
  case load(ResourceError)
  /// The link to the page must not be followed. This is not the end of the list.
  case link(IncompleteWalk.Reason)
}

extension PageQueryError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .load(let error): "\(error)"
    case .link(let reason): "\(reason)"
    }
  }
}
