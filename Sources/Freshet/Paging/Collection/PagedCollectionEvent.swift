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
  /// Pages of the list were invalidated: one of them, or all that the list shows.
  case invalidated
}

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
