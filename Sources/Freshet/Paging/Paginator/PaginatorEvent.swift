/// A change in the state of a paginator.
///
/// The paginator has reached the state that an event describes before the first observer is notified.
public enum PaginatorEvent: Sendable, Equatable {
  /// The observer that receives this was added; no other observer receives it.
  case observerAdded
  /// A requested page is loading: ``Paginator/isLoading`` is true.
  case loading(page: Int)
  /// The requested page was loaded, and is the current one.
  case loaded(page: Int)
  /// The requested page could not be loaded; everything else is as before.
  case failed(ResourceError, page: Int)
  /// The requested page is no longer waited for; everything is as before.
  case cancelled(page: Int)
  /// ``Paginator/slots`` changed: a page was loaded, edited or removed. Also sent if the page that failed was
  /// wiped, and ``Paginator/latestError`` is nil.
  case slotsChanged
  /// A page was invalidated.
  ///
  /// The current page is reloaded while the paginator is observed (see
  /// ``Service/Configuration/reloadsWhenInvalidated``). Reload any other page that is shown.
  case invalidated(page: Int)
}

extension PaginatorEvent: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .observerAdded: "observerAdded"
    case .loading(let page): "loading(\(page))"
    case .loaded(let page): "loaded(\(page))"
    case .failed(let error, let page): "failed(\(page), \(error.kind.rawValue))"
    case .cancelled(let page): "cancelled(\(page))"
    case .slotsChanged: "slotsChanged"
    case .invalidated(let page): "invalidated(\(page))"
    }
  }
}

/// An observer of paginators, which receives the events of those it was added to.
///
/// The rules are those of ``ResourceObserver``: every event once, in one causal order with the events
/// of all resources of the service, on the store's actor.
public protocol PaginatorObserver<Item>: AnyObject {
  /// The type of the paginator's items.
  associatedtype Item: Sendable
  /// Called for each event; the paginator is already in the new state.
  func paginatorChanged(_ paginator: Paginator<Item>, event: PaginatorEvent)
}
