/// Edits items in place, before the server has confirmed the change.
///
/// The items shown are the server's content with every pending edit applied, so an edit survives
/// loads that are under way or begin later. An edit of an item follows it to another page.
/// The returned handle makes it part of the content, or rolls it back:
///
/// ```swift
/// let edit = gists.update(id: gist.id) { $0.isStarred = true }
/// star.request(.put).onSuccess { _ in edit?.commit() }.onFailure { _ in edit?.rollBack() }
/// ```
extension PagedCollection where Item: Identifiable {
  /// Returns the index of an item in ``items``; nil if it is not shown.
  ///
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set.
  /// - Complexity: O(*m*) in the items of its page.
  public func index(ofID id: Item.ID) -> Int? { index(identifiedBy: id, "index(ofID:)") }

  /// Changes an item, in every page that has a copy of it.
  ///
  /// - Parameters:
  ///   - id: the item's own `id`.
  ///   - edit: changes the item. It may be called again, on other content, when a page is loaded or
  ///     another edit is rolled back.
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set.
  @discardableResult
  public func update(id: Item.ID, _ edit: @escaping (inout Item) -> Void) -> ContentUpdate? {
    update(identifiedBy: id, "update(id:)", edit)
  }

  /// Removes an item, from every page that has a copy of it.
  ///
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set.
  @discardableResult
  public func remove(id: Item.ID) -> ContentUpdate? { remove(identifiedBy: id, "remove(id:)") }
}

extension PagedCollection {
  /// Returns the index of an item in ``items``, by its identity; nil if it is not shown.
  ///
  /// - Parameter id: an identity of the type that ``Options/identity`` gives.
  /// - Precondition: the list has an identity, of that type.
  /// - Complexity: O(*m*) in the items of its page.
  public func index<ID: Hashable>(identifiedBy id: ID) -> Int? {
    index(identifiedBy: id, "index(identifiedBy:)")
  }

  /// Changes an item by its identity, in every page that has a copy of it.
  ///
  /// - Parameters:
  ///   - id: an identity of the type that ``Options/identity`` gives.
  ///   - edit: changes the item. It may be called again, on other content, when a page is loaded or
  ///     another edit is rolled back.
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Precondition: the list has an identity, of that type.
  @discardableResult
  public func update<ID: Hashable>(
    identifiedBy id: ID, _ edit: @escaping (inout Item) -> Void
  ) -> ContentUpdate? {
    update(identifiedBy: id, "update(identifiedBy:)", edit)
  }

  /// Removes an item by its identity, from every page that has a copy of it.
  ///
  /// - Parameter id: an identity of the type that ``Options/identity`` gives.
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Precondition: the list has an identity, of that type.
  @discardableResult
  public func remove<ID: Hashable>(identifiedBy id: ID) -> ContentUpdate? {
    remove(identifiedBy: id, "remove(identifiedBy:)")
  }

  /// Inserts an item before the one at an index of ``items``, or at the end.
  ///
  /// With an identity, the new item stays before that one when its page is loaded again; without
  /// one, it stays at that offset of its page.
  ///
  /// - Returns: the handle to commit or roll back; nil if no page is loaded.
  @discardableResult
  public func insert(_ item: Item, at index: Int) -> ContentUpdate? {
    let (shown, items) = (list.shown, shownItems)
    require(
      (0...items.count).contains(index),
      "PagedCollection.insert(_:at:): index \(index) of \(items.count) items")
    guard shown.linkedCount > 0 else { return nil }
    let (slot, offset) =
      index < shown.linkedItemCount
      ? shown.index(showing: index) : (shown.linkedCount - 1, Int.max)
    // Among all items of the page: others may be hidden before it.
    let itemIndex = shown.slots[slot].itemIndex(shownAt: offset)
    let id = traits.id
    let anchor = index < shown.linkedItemCount ? id?(items[index]) : nil
    let page = Self.resource(shown.slots[slot].page)
    return page.updateContent { page in
      let position = anchor.flatMap { anchor in page.items.firstIndex { id?($0) == anchor } }
      page.items.insert(item, at: position ?? min(itemIndex, page.items.count))
    }
  }

  private func index<ID: Hashable>(identifiedBy id: ID, _ call: String) -> Int? {
    requireIdentity(of: ID.self, call)
    return list.shown.offset(of: AnyHashable(id))
  }

  private func update<ID: Hashable>(
    identifiedBy id: ID, _ call: String, _ edit: @escaping (inout Item) -> Void
  ) -> ContentUpdate? {
    requireIdentity(of: ID.self, call)
    if let itemDetails { return itemDetails.updateItem(id, edit) }
    return editPages(holding: id, call) { items, isSame in items.edit(where: isSame, edit) }
  }

  private func remove<ID: Hashable>(identifiedBy id: ID, _ call: String) -> ContentUpdate? {
    editPages(holding: id, call) { items, isSame in items.removeAll(where: isSame) }
  }

  private func editPages<ID: Hashable>(
    holding id: ID, _ call: String,
    _ edit: @escaping (inout [Item], _ isSame: (Item) -> Bool) -> Void
  ) -> ContentUpdate? {
    let itemID = requireIdentity(of: ID.self, call)
    let id = AnyHashable(id)
    guard list.shown.offset(of: id) != nil else { return nil }
    let pages = pages(holding: id).filter(\.hasData)
    guard !pages.isEmpty else { return nil }
    let shared = SharedEdit<[Item]>(firstPage.store.makeEditID()) { items in
      edit(&items) { itemID($0) == id }
    }
    // Together, so that observers are notified of one change.
    queue.together {
      for page in pages { make(shared, in: page) }
    }
    note(shared, of: id)
    return shared.handle(queue)
  }

  /// Makes the pending edits of the items of a page that have come to it since, as an item that has moved.
  func makeEdits(in page: PageResource) {
    guard pendingEditsIfAny != nil || itemDetails != nil else { return }
    // They were made in what the list has already.
    guard !hasRead(page), let box = page.box else { return }
    itemDetails?.makeEdits(in: page)
    guard let pendingEditsIfAny, let itemID = traits.id else { return }
    let missing = pendingEditsIfAny.missing(in: page) { box.value.items.compactMap(itemID) }
    guard !missing.isEmpty else { return }
    queue.together {
      for (_, edit) in missing { make(edit, in: page) }
    }
  }

  /// Whether the list has the content of a page.
  func hasRead(_ page: PageResource) -> Bool {
    guard let box = page.box, let slot = list.slot(of: page) else { return false }
    return list.has(box, in: slot)
  }

  private func make(_ edit: SharedEdit<[Item]>, in page: PageResource) {
    guard let change = edit.change else { return }
    edit.make(in: page, ContentBox<Page<Item>>.edit { change(&$0.items) })
  }

  /// The pages that show an item now, and those that will after a refresh.
  func pages(holding id: AnyHashable) -> [PageResource] {
    var pages = list.chain.indices(holding: id).map { list.chain.slots[$0].page }
    if list.frozen != nil {
      let older = list.shown.indices(holding: id).map { list.shown.slots[$0].page }
      pages += older.filter { page in !pages.contains { $0 === page } }
    }
    return pages.map(Self.resource)
  }

  @discardableResult
  func requireIdentity<ID: Hashable>(
    of type: ID.Type, _ call: String
  ) -> (Item) -> AnyHashable? {
    guard let id = traits.id, let known = traits.idType else {
      misuse(
        "PagedCollection.\(call): the items of this list have no identity; set Options.identity")
    }
    require(
      known == type,
      "PagedCollection.\(call): items of this list are identified by \(known), not by \(type)")
    return id
  }
}
