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
