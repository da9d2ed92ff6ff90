/// Changing items in place, before the server has agreed.
///
/// What is shown is the server's content with every pending edit applied, so an edit survives loads that
/// are under way or begin later. The returned handle makes it a part of the content, or takes it back:
///
/// ```swift
/// let edit = gists.update(id: gist.id) { $0.isStarred = true }
/// star.request(.put).onSuccess { _ in edit?.commit() }.onFailure { _ in edit?.rollBack() }
/// ```
extension PagedCollection {
  /// Where the item of an identity is in ``items``; nil where it is not there.
  ///
  /// - Complexity: O(*m*) in the items of its page; in those of the list while a refresh is under way
  ///   that is shown when it is complete.
  public func index<ID: Hashable>(ofID id: ID) -> Int? {
    let identity = requireIdentity("index(ofID:)")
    let id = AnyHashable(id)
    guard let published else { return chain.slots.offset(of: id) }
    return published.items.firstIndex { identity.id($0) == id }
  }

  /// Changes an item, in every page that has a copy of it.
  ///
  /// - Parameters:
  ///   - id: the identity of the item, of the type that ``Options/identity`` gives.
  ///   - edit: may be called again, on other content, when a page was loaded or another edit taken back.
  /// - Returns: the handle to commit or roll back; nil where there is no such item.
  @discardableResult
  public func update<ID: Hashable>(
    id: ID, _ edit: @escaping (inout Item) -> Void
  ) -> ContentUpdate? {
    editPages(having: id, "update(id:)") { items, isSame in
      for index in items.indices where isSame(items[index]) { edit(&items[index]) }
    }
  }

  /// Takes an item out, of every page that has a copy of it.
  ///
  /// - Returns: the handle to commit or roll back; nil where there is no such item.
  @discardableResult
  public func remove<ID: Hashable>(id: ID) -> ContentUpdate? {
    editPages(having: id, "remove(id:)") { items, isSame in items.removeAll(where: isSame) }
  }

  /// Puts an item before the one at an index of ``items``, or at the end.
  ///
  /// With an identity it stays before that item when its page is loaded again, and otherwise at that
  /// place of its page.
  ///
  /// - Returns: the handle to commit or roll back; nil where no page is loaded.
  @discardableResult
  public func insert(_ item: Item, at index: Int) -> ContentUpdate? {
    precondition(
      (0...items.count).contains(index),
      "PagedCollection.insert(_:at:): index \(index) of \(items.count) items")
    // The place where page numbers ended is no page.
    guard let last = (0..<chain.slots.linkedCount).last(where: { page(at: $0).hasData })
    else { return nil }
    let end = chain.slots.linkedItemCount
    let id = options.identity?.id
    let index = place(ofShown: index)
    let (slot, offset) = index < end ? chain.slots.slot(showing: index) : (last, Int.max)
    let anchor = index < end ? id?(chain.items[index]) : nil
    return page(at: slot).updateContent { page in
      let place = anchor.flatMap { anchor in page.items.firstIndex { id?($0) == anchor } }
      page.items.insert(item, at: place ?? min(offset, page.items.count))
    }
  }

  /// Where the item that is shown at an index is in the chain, which may be ahead of what is shown.
  private func place(ofShown index: Int) -> Int {
    guard let published, index < published.items.count else { return index }
    return options.identity?.id(published.items[index]).flatMap { chain.slots.offset(of: $0) }
      ?? index
  }

  private func editPages<ID: Hashable>(
    having id: ID, _ call: String,
    _ edit: @escaping (inout [Item], _ isSame: (Item) -> Bool) -> Void
  ) -> ContentUpdate? {
    let identity = requireIdentity(call)
    let id = AnyHashable(id)
    var updates: [ContentUpdate] = []
    // Together, so that observers hear of one change.
    queue.together {
      updates = chain.slots.slots(having: id).compactMap { slot in
        page(at: slot).updateContent { page in
          edit(&page.items) { identity.id($0) == id }
        }
      }
    }
    guard !updates.isEmpty else { return nil }
    return ContentUpdate { [queue] isCommitted in
      queue.together {
        for update in updates { isCommitted ? update.commit() : update.rollBack() }
      }
    }
  }

  @discardableResult
  private func requireIdentity(_ call: String) -> ItemIdentity<Item> {
    guard let identity = options.identity else {
      preconditionFailure(
        "PagedCollection.\(call): this list does not tell items apart; set Options.identity")
    }
    return identity
  }
}
