/// A change in the state of a paged collection.
public enum PagedCollectionEvent<Item: Sendable>: Sendable {
  /// The observer was added; no other observer receives this.
  case observerAdded
  /// The items changed: the splices of the change, applied in order, turn the array at the previous
  /// event into the current one.
  case itemsChanged(PagedChange<Item>)
  /// ``PagedCollection/state``, the loading state at the end of the list, changed.
  case stateChanged(PagedCollectionState)
  /// ``PagedCollection/previousState``, the loading state at the start of the list, changed.
  case previousStateChanged(PagedCollectionState)
  /// ``PagedCollection/refreshState`` changed.
  case refreshStateChanged(PagedCollectionState)
  /// Pages of the list were invalidated: one page, or all that the list shows.
  case invalidated
}

extension PagedCollectionEvent: CustomStringConvertible {
  /// The name of the event with what it carries, such as `itemsChanged(-1 +2 at 20)`: counts and not items.
  ///
  /// Pages are counted from 0, as by ``PagedCollectionState/failed(_:page:)``.
  public var description: String { description(firstPage: 0) }

  /// Returns the description with pages numbered from another number than 0, such as 1 for users.
  ///
  /// - Parameter firstPage: the number of the first page.
  public func description(firstPage: Int) -> String {
    switch self {
    case .observerAdded: "observerAdded"
    case .stateChanged(let state): "stateChanged(\(state.description(firstPage: firstPage)))"
    case .previousStateChanged(let state):
      "previousStateChanged(\(state.description(firstPage: firstPage)))"
    case .refreshStateChanged(let state):
      "refreshStateChanged(\(state.description(firstPage: firstPage)))"
    case .invalidated: "invalidated"
    case .itemsChanged(let change):
      "itemsChanged(\(change.splices.map(\.description).joined(separator: ", ")))"
    }
  }
}

extension PagedCollectionEvent: Equatable where Item: Equatable {}

/// Receives the events of the paged collections it was added to.
///
/// The rules are those of ``ResourceObserver``: every event once, in one causal order with the events
/// of all resources of the service, on the store's actor.
public protocol PagedCollectionObserver<Item>: AnyObject {
  /// The type of the collection's items.
  associatedtype Item: Sendable
  /// Called for each event; the collection is already in the new state.
  func collectionChanged(_ collection: PagedCollection<Item>, event: PagedCollectionEvent<Item>)
}
