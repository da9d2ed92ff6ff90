/// What became true of a paginator.
///
/// The paginator has reached the state that an event describes before the first observer hears of it.
public enum PaginatorEvent: Sendable {
  /// The observer that hears this was added; no other observer hears it.
  case observerAdded
  /// A page that was asked for is being loaded: ``Paginator/isLoading`` is true.
  case loading(page: Int)
  /// The page that was asked for is there, and the current one.
  case loaded(page: Int)
  /// The page that was asked for could not be loaded; everything else is as before.
  case failed(ResourceError, page: Int)
  /// The page that was asked for is not waited for any more; everything is as before.
  case cancelled(page: Int)
  /// ``Paginator/slots`` changed: a page came, was changed by somebody, or went.
  case slotsChanged
  /// A page no longer counts as fresh; whoever shows it may load it again.
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
