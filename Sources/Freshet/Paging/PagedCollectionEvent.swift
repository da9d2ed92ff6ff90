/// What became true of a paged collection.
public enum PagedCollectionEvent<Item: Sendable>: Sendable {
  /// The observer that hears this was added; no other observer hears it.
  case observerAdded
  /// The items changed: these splices, applied in order, turn the array as it was at the event before
  /// into the one that it is now.
  case itemsChanged([Splice<Item>])
  /// ``PagedCollection/state`` changed.
  case stateChanged(PagedCollectionState)
}
