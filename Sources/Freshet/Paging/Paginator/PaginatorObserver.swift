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
