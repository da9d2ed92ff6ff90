/// The reason why a list stopped loading before its end, which is never reported as the end.
public struct IncompleteWalk: Error, Sendable, Hashable {
  /// The reasons why a list stopped before its end.
  public enum Reason: Error, Sendable, Hashable {
    /// The next link leads back to a page that is already in the chain.
    case loop(backTo: Int)
    /// The next link leads to an origin other than the request's own, which is not allowed.
    case crossOrigin(String)
    /// The next link leads from `https` to `http`.
    case insecure
    /// The next link cannot be used.
    case unusableLink(PageLinkError)
    /// The collection has reached its limit of pages.
    case pageLimit(Int)
    /// The collection has reached its limit of items.
    case itemLimit(Int)
    /// As many pages in a row as the collection allows have no items, and the last of them has a next page.
    case emptyPages(Int)
    /// One call has reached its limit of requested pages. The next call continues from there.
    case requestBudget(Int)
  }

  /// The reason why the walk stopped.
  public let reason: Reason
  /// The page, counted from 0, whose link was not followed.
  public let page: Int

  /// Where the walk stopped, after pages were added or dropped before the first one.
  func shifted(by count: Int) -> IncompleteWalk {
    let page = page + count
    guard case .loop(let first) = reason else { return IncompleteWalk(reason: reason, page: page) }
    return IncompleteWalk(reason: .loop(backTo: first + count), page: page)
  }
}

extension IncompleteWalk: CustomStringConvertible {
  /// What happened, where, and what to do. Pages are counted from 0, as by ``page``.
  public var description: String { description(firstPage: 0) }

  /// Returns the description with pages numbered from another number than 0, such as 1 for users.
  ///
  /// - Parameter firstPage: the number of the first page.
  public func description(firstPage: Int) -> String {
    reason.description(location: "page \(page + firstPage)", firstPage: firstPage)
  }
}

extension IncompleteWalk.Reason: CustomStringConvertible {
  /// What happened, and what to do. Pages are counted from 0.
  public var description: String { description(location: "a page", firstPage: 0) }

  fileprivate func description(location: String, firstPage: Int) -> String {
    switch self {
    case .loop(let first):
      "\(location) links back to page \(first + firstPage); the server's next links go in a circle"
    case .crossOrigin(let origin):
      "\(location) links to another origin, \(origin); allow it if it is to be trusted"
    case .insecure:
      "\(location) links from https to http; ask the server's owner to keep to https"
    case .unusableLink(let error):
      "the next link of \(location) cannot be followed: \(error)"
    case .pageLimit(let limit):
      "\(limit) \(limit == 1 ? "page was" : "pages were") loaded and there are more; raise the limit to "
        + "continue"
    case .itemLimit(let limit):
      "\(limit) items or more were loaded and there are more; raise the limit to continue"
    case .emptyPages(let limit):
      """
      the last \(limit) pages have no items and there are more; raise the limit to continue, if the \
      server may have items after so many empty pages
      """
    case .requestBudget(let budget):
      "\(budget) pages were requested and brought fewer items than are wanted; load more to continue"
    }
  }
}
