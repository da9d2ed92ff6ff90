/// The error of a page number that cannot be requested.
///
/// A failed load has a ``ResourceError`` instead: see ``Paginator/latestError``.
public enum PaginatorError: Error, Sendable, Hashable {
  /// No page was loaded yet, or the current one was wiped.
  case notLoaded
  /// No page has that number. `first` is the number of the first page, `last` that of the last one, if
  /// known.
  case noSuchPage(Int, first: Int, last: Int?)
}

extension PaginatorError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .notLoaded:
      "no page is loaded: call loadPage(_:) and wait for success first"
    case .noSuchPage(let page, let first, let last?) where page >= first:
      "page \(page) does not exist: the last one is \(last)"
    case .noSuchPage(let page, let first, _):
      "page \(page) does not exist: the first one is \(first)"
    }
  }
}
