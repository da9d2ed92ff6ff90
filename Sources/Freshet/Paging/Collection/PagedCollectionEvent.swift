/// A change in the state of a paged collection.
public enum PagedCollectionEvent<Item: Sendable>: Sendable {
  /// The observer was added; no other observer receives this.
  case observerAdded
  /// The items changed: the splices of the change, applied in order, turn the array as it was at the
  /// event before into the one that it is now.
  case itemsChanged(PagedChange<Item>)
  /// ``PagedCollection/state`` changed: the end of the list.
  case stateChanged(PagedCollectionState)
  /// ``PagedCollection/previousState`` changed: the start of the list.
  case previousStateChanged(PagedCollectionState)
  /// ``PagedCollection/refreshState`` changed.
  case refreshStateChanged(PagedCollectionState)
  /// A page of the list no longer counts as fresh: it, or all that the list shows, was invalidated.
  case invalidated
}

/// Receives the events of the paged collections it was added to.
///
/// The rules are those of ``ResourceObserver``: every event once, in one causal order with the events
/// of all resources of the service, on the store's actor.
public protocol PagedCollectionObserver<Item>: AnyObject {
  /// What the collection holds.
  associatedtype Item: Sendable
  /// Something changed; the collection is already in the new state.
  func collectionChanged(_ collection: PagedCollection<Item>, event: PagedCollectionEvent<Item>)
}
