import Foundation

/// The loading state of a paged collection at one end of the list, or in a refresh.
public enum PagedCollectionState: Sendable, Equatable {
  /// No load is in progress, and there may be more items.
  ///
  /// No items were requested yet, the requested ones are loaded, or the load was cancelled.
  case idle
  /// A page is being loaded.
  case loading
  /// A page is loading, and its request waits before the next attempt.
  ///
  /// The server has asked for the wait, or it spaces failing attempts; see ``RequestWait/reason-swift.property``.
  /// ``PagedCollection/cancelLoad()`` cancels the request.
  case waiting(RequestWait)
  /// A page could not be loaded; the items of all others stay.
  ///
  /// ``PagedCollection/retry()`` requests the page again. Pages are counted from 0; the one before the first is -1.
  case failed(ResourceError, page: Int)
  /// No page follows in this direction.
  ///
  /// At the start of the list, this is also the state if no link leads to the previous page. Pages may have been
  /// dropped from memory; see ``PagedCollection/Options/retainedPageLimit``.
  case ended
  /// Something other than the end of the list stopped the walk.
  case incomplete(IncompleteWalk)

  /// Whether a page is loading, or its request waits.
  public var isLoading: Bool {
    switch self {
    case .loading, .waiting: true
    case .idle, .failed, .ended, .incomplete: false
    }
  }

  /// The date at which the next request may be sent; nil if there is no such date.
  ///
  /// For a request that waits, it is the end of the wait; after a failure, the time that the server named.
  public var nextAttemptDate: Date? {
    switch self {
    case .waiting(let wait): wait.nextAttemptDate
    case .failed(let error, _): error.retryDate
    case .idle, .loading, .ended, .incomplete: nil
    }
  }
}

extension PagedCollectionState {
  /// The page at which a failure, or something other than the end of the list, has stopped the walk.
  var stoppedPage: Int? {
    switch self {
    case .failed(_, let page): page
    case .incomplete(let walk): walk.page
    case .idle, .loading, .waiting, .ended: nil
    }
  }

  /// The same state after pages were added or dropped before the first one.
  func shifted(by count: Int) -> PagedCollectionState {
    switch self {
    case .failed(let error, let page): .failed(error, page: page + count)
    case .incomplete(let walk): .incomplete(walk.shifted(by: count))
    case .idle, .loading, .waiting, .ended: self
    }
  }
}

extension PagedCollectionState: CustomStringConvertible {
  /// The state in a few words. Pages are counted from 0, as by the cases.
  public var description: String { description(firstPage: 0) }

  /// Returns the description with pages numbered from another number than 0, such as 1 for users.
  ///
  /// - Parameter firstPage: the number of the first page.
  public func description(firstPage: Int) -> String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .waiting(let wait): "waiting(\(wait))"
    case .failed(let error, let page): "failed(page \(page + firstPage), \(error.kind.rawValue))"
    case .ended: "ended"
    case .incomplete(let walk): "incomplete(\(walk.description(firstPage: firstPage)))"
    }
  }
}
