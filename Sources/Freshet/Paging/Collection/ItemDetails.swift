/// The detail resources of the items of a list, by item id: `details[id]`.
///
/// ```swift
/// let details = gists.details { id in service.resource("gists/\(id)", of: Gist.self) }
///
/// let gist = details[7]  // shows the list's item at once
/// gist.loadIfNeeded()
/// ```
///
/// An item and its resource show the same content, for as long as the list and the resource exist:
///
/// - The resource starts with the list's item as stale content, so ``AnyResource/loadIfNeeded()`` loads it. After the
///   resource is wiped, it has no content until a later load of the resource or the list receives some.
/// - Content that one receives from the server updates the other. If both have received some, the content of the load
///   that began later is used.
/// - An optimistic edit of one, with ``Resource/updateContent(_:)`` or ``PagedCollection/update(id:_:)``, is applied,
///   committed and rolled back in both. An override or a wipe of the resource's content ends the edit in both, unless
///   the resource had no content when the edit was made.
///
/// The resource and the pages have changed before the first observer is notified. Events are sent in the order of the
/// changes, with `.newData(.localOverride)` for a change that came from the other; ``PagedCollection/items`` changes
/// with the event of the list, which follows the event of a resource that has changed first. Content that was changed
/// in this way is no longer the content that the server sent, so its next load is unconditional.
///
/// Content that is not `Equatable` counts as changed by every response. Of content that is, only what is not equal
/// updates the other: where `==` compares identities alone, nothing does.
///
/// Removals and insertions are not shared, nor are edits of a page with ``Resource/updateContent(_:)``. An edit of
/// another list with the same page reaches the resource only if the resource was also obtained through that list. The
/// details belong to the actor of the service.
public struct ItemDetails<Item: Sendable & Identifiable, Detail: Sendable> {
  let link: DetailLink<Item, Detail>

  /// The resource of an item, which has the same content as the list's item from now on.
  ///
  /// - Complexity: that of making the resource; O(*m*) in the items of the pages that have the item.
  public subscript(id: Item.ID) -> Resource<Detail> { link.detail(of: id) }
}

extension ItemDetails: SecretHolding {}

extension PagedCollection where Item: Identifiable {
  /// Connects each item of this list with a resource of its own, which has the same content.
  ///
  /// - Parameter resource: makes the resource of an item.
  /// - Returns: the resources. Keep them: this method can be called once for a list, which keeps the closure.
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set; this was not called
  ///   before for this list; and the resources are of the list's service.
  public func details(
    _ resource: @escaping (_ id: Item.ID) -> Resource<Item>
  ) -> ItemDetails<Item, Item> {
    details(resource, item: { $0 }, detail: { item, _ in item })
  }

  /// Connects each item of this list with a resource of its own, which has more content than the item.
  ///
  /// ```swift
  /// let details = headlines.details { id in
  ///   service.resource("articles/\(id)", of: Article.self)
  /// } item: { article in
  ///   Headline(id: article.id, title: article.title)
  /// } detail: { headline, known in
  ///   Article(id: headline.id, title: headline.title, text: known?.text)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - resource: makes the resource of an item.
  ///   - item: makes an item from the content of its resource.
  ///   - detail: puts an item into the content of its resource, or makes content from an item alone.
  /// - Returns: the resources. Keep them: this method can be called once for a list, which keeps the
  ///   closures.
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set; this was not called
  ///   before for this list; and the resources are of the list's service.
  public func details<Detail: Sendable>(
    _ resource: @escaping (_ id: Item.ID) -> Resource<Detail>,
    item: @escaping (_ detail: Detail) -> Item,
    detail: @escaping (_ item: Item, _ known: Detail?) -> Detail
  ) -> ItemDetails<Item, Detail> {
    let id = requireIdentity(of: Item.ID.self, "details(_:)")
    require(
      itemDetails == nil,
      "PagedCollection.details(_:) was already called for this list; keep its result")
    let link = DetailLink(
      list: self, id: id, resource: resource, conversion: (item, detail))
    shareItems(by: link)
    return ItemDetails(link: link)
  }
}
