/// Edits items in place, before the server has confirmed the change, as a ``PagedCollection`` does.
///
/// ```swift
/// removal.begin(service.request(.delete, "users/\(id)"), edits: [users.remove(id: id)]) {
///   try? users.refresh()
/// }
/// ```
extension Paginator where Item: Identifiable {
  /// Changes an item, in every loaded page that has it.
  ///
  /// - Parameters:
  ///   - id: the item's own `id`.
  ///   - edit: changes the item. It may be called again, on other content, when a page is loaded or
  ///     another edit is rolled back. It does not follow an item that a load moves to another page.
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Complexity: O(*n*) in the loaded items.
  @discardableResult
  public func update(id: Item.ID, _ edit: @escaping (inout Item) -> Void) -> ContentUpdate? {
    editPages(holding: id) { items in items.edit(where: { $0.id == id }, edit) }
  }

  /// Removes an item, from every loaded page that has it.
  ///
  /// ``totalCount`` and the other pages stay as they are: when the server has removed the item too, call
  /// ``refresh()``, or invalidate the pages.
  ///
  /// - Returns: the handle to commit or roll back; nil if there is no such item.
  /// - Complexity: O(*n*) in the loaded items.
  @discardableResult
  public func remove(id: Item.ID) -> ContentUpdate? {
    editPages(holding: id) { items in items.removeAll { $0.id == id } }
  }

  private func editPages(
    holding id: Item.ID, _ edit: @escaping (inout [Item]) -> Void
  ) -> ContentUpdate? {
    let pages = table.entries.filter { $0.value.content.items.contains { $0.id == id } }
    let resources = pages.keys.sorted().compactMap { self.resources[$0] }
    guard !resources.isEmpty else { return nil }
    let shared = SharedEdit<[Item]>(store.makeEditID(), edit)
    // Together, so that observers are notified of one change.
    queue.together {
      for page in resources {
        shared.make(in: page, ContentBox<PaginatorPage<Item>>.edit { edit(&$0.items) })
      }
    }
    return shared.handle(queue)
  }
}
