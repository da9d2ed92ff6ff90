import Foundation

/// The loading state of a paged collection at one end of the list, or in a refresh.
public enum PagedCollectionState: Sendable, Equatable {
  /// No load is under way, and there may be more: none was requested yet, the requested items are
  /// loaded, or the load was cancelled.
  case idle
  /// A page is being loaded.
  case loading
  /// A page is loading, and its request waits before the next attempt: because the server asked for
  /// that, or to space attempts that fail; see ``RequestWait/reason-swift.property``.
  /// ``PagedCollection/cancelLoad()`` cancels it.
  case waiting(RequestWait)
  /// A page could not be loaded; the items of all others stay. ``PagedCollection/retry()`` requests
  /// that page again. Pages are counted from 0; the one before the first is -1.
  case failed(ResourceError, page: Int)
  /// No page follows in this direction. At the start of the list, that is also so where no link
  /// leads to the page before. Pages may have been dropped from memory: see
  /// ``PagedCollection/Options/retainedPageLimit``.
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

  /// When the next request may be sent: for a request that waits, the end of the wait; for one that
  /// failed, the time that the server named, if any.
  public var nextAttemptDate: Date? {
    switch self {
    case .waiting(let wait): wait.nextAttemptDate
    case .failed(let error, _): error.retryDate
    case .idle, .loading, .ended, .incomplete: nil
    }
  }
}

extension PagedCollectionState {
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

  /// The description in which pages are counted from another number than 0, such as 1 for people.
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
