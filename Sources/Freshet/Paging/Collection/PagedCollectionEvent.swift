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

extension PagedCollectionEvent: Equatable where Item: Equatable {}
