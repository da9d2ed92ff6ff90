/// Why a question to a paginator has no answer, or a page of it cannot be asked for.
///
/// What goes wrong with a load is a ``ResourceError`` instead: see ``Paginator/error``.
public enum PaginatorError: Error, Sendable, Hashable {
  /// No page was loaded yet, or the current one was wiped.
  case notLoaded
  /// Neither the server nor the pages tell how many pages there are.
  case pageCountUnknown
  /// The server does not tell how many items there are.
  case objectCountUnknown
  /// There is no page of that number. `last` is the last one there is, where that is known.
  case noSuchPage(Int, last: Int?)
}

extension PaginatorError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .notLoaded:
      "no page is loaded: call loadPage(_:) and wait for success first"
    case .pageCountUnknown:
      "the number of pages is not known: map it, or the number of items, to where the server tells"
    case .objectCountUnknown:
      "the number of items is not known: map it to where the server tells"
    case .noSuchPage(let page, nil):
      "there is no page \(page): pages are counted from the first number on"
    case .noSuchPage(let page, let last?):
      "there is no page \(page): the last one is \(last)"
    }
  }
}
