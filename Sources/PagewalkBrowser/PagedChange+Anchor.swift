import Freshet

extension PagedChange {
  /// The index of an item after this change, so that a view can stay at it.
  ///
  /// An item that was replaced or moved is found by its identity. One that was removed leaves its place
  /// to the one that replaces it, or to the item after it; that may be the end of the list. It may come
  /// back with a later change: an item that was pushed beyond the last page that is loaded does so when
  /// the next page is.
  ///
  /// - Parameters:
  ///   - index: the index of the item before the change.
  ///   - lost: the identity of an item that was removed earlier and has left its place to that one; nil
  ///     for none.
  ///   - identity: the identity of an item.
  /// - Complexity: O(*k*) in the removed and inserted items.
  func index<ID: Equatable>(following index: Int, lost: inout ID?, identity: (Item) -> ID) -> Int {
    if let id = lost, let place = insertedIndex(of: id, identity: identity) {
      lost = nil
      return place
    }
    var index = index
    // In ascending order: no splice moves what those before it have inserted.
    for splice in splices where index >= splice.offset {
      guard splice.removedRange.contains(index) else {
        index += splice.insertedItems.count - splice.removedRange.count
        continue
      }
      let distance = index - splice.offset
      let id = identity(splice.removedItems[splice.removedItems.startIndex + distance])
      if let place = insertedIndex(of: id, identity: identity) { return place }
      if lost == nil { lost = id }
      return splice.offset + min(distance, splice.insertedItems.count)
    }
    return index
  }

  private func insertedIndex<ID: Equatable>(of id: ID, identity: (Item) -> ID) -> Int? {
    for splice in splices {
      if let place = splice.insertedItems.firstIndex(where: { identity($0) == id }) {
        return splice.offset + place - splice.insertedItems.startIndex
      }
    }
    return nil
  }
}
