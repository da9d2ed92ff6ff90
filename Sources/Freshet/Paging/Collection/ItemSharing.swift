/// The link between the items of a list and the resources that they have of their own, as the list knows
/// it.
protocol ItemSharing<Item>: AnyObject {
  associatedtype Item: Sendable
  /// A page has new or confirmed content.
  func pageChanged(_ page: Resource<Page<Item>>)
  /// The list visits a page, and is about to read its content, which may have had no event.
  func willRead(_ page: Resource<Page<Item>>)
  /// Makes the pending edits in a page whose content the list has not read yet.
  func makeEdits(in page: Resource<Page<Item>>)
  /// Edits an item, in the pages and in its resource; nil if the list does not show it.
  func updateItem(
    _ id: some Hashable, _ edit: @escaping (inout Item) -> Void
  ) -> ContentUpdate?
}

/// The link between the items of a list and the resources that they have of their own, as a resource knows it.
protocol DetailSharing<Detail>: AnyObject {
  associatedtype Detail: Sendable
  /// Brings the item and its resource into agreement: the one that a later load brought counts, and the
  /// pending edits are made in both.
  func synchronize(_ id: AnyHashable, with detail: SharedDetail<Detail>)
}
