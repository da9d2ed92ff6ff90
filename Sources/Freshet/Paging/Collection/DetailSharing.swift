/// The link, as the resource of an item knows it.
class DetailSharing<Detail: Sendable> {
  /// Brings the item and its resource into agreement: the one that a later load brought counts, and the
  /// pending edits are made in both.
  func synchronize(_ id: AnyHashable, with detail: SharedDetail<Detail>) {}
}
