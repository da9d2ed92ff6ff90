/// The link between the items of a list and the resources that they have of their own, as a resource knows it.
protocol DetailSharing<Detail>: AnyObject {
  associatedtype Detail: Sendable
  /// Brings the item and its resource into agreement: the one that a later load brought counts, and the
  /// pending edits are made in both.
  func synchronize(_ id: AnyHashable, with detail: SharedDetail<Detail>)
}
