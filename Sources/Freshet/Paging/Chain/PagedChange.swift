/// A change of the items of a paged collection, from one event to the next.
public struct PagedChange<Item> {
  /// The steps that turn the array at the previous event into the current one, applied in order.
  ///
  /// They are in ascending order, and at least one unchanged item lies between any two of them.
  public let splices: [Splice]
  /// ``PagedCollection/firstItemIndex`` after the change.
  ///
  /// If it is smaller than before, the difference is the number of items inserted at the front; if
  /// it is larger, the number of items dropped there. A list view that keys its rows by
  /// `firstItemIndex + offset` keeps its scroll position.
  public let firstItemIndex: Int

  /// Creates a change.
  public init(_ splices: [Splice], firstItemIndex: Int = 0) {
    self.splices = splices
    self.firstItemIndex = firstItemIndex
  }

  /// Applies the change to an array that has the items of the previous event.
  ///
  /// - Complexity: that of as many `replaceSubrange(_:with:)` as there are ``splices``.
  public func apply(to items: inout [Item]) {
    for splice in splices { items.replaceSubrange(splice.removedRange, with: splice.insertedItems) }
  }

  /// The indices of the removed items, in the array as it was before the change, in ascending order.
  ///
  /// Together with ``insertedIndices``, this is what a table or collection view needs for one batch
  /// of updates.
  public var removedIndices: [Int] {
    var growth = 0
    return splices.flatMap { splice in
      defer { growth += splice.insertedItems.count - splice.removedRange.count }
      return splice.removedRange.map { $0 - growth }
    }
  }

  /// The indices of the inserted items, in the array as it is after the change, in ascending order.
  public var insertedIndices: [Int] { splices.flatMap(\.insertedRange) }

  /// Returns the new index of the item that had this index before the change; nil if it was removed or replaced.
  ///
  /// For a selection or a scroll position. ``newIndex(ofItemAt:by:)`` follows items that have an identity
  /// to where they were moved, and to the version that replaced them.
  ///
  /// - Complexity: O(*s*) in the splices.
  public func newIndex(ofUnchangedItemAt oldIndex: Int) -> Int? {
    var index = oldIndex
    for splice in splices where index >= splice.offset {
      guard index - splice.offset >= splice.removedItems.count else { return nil }
      index += splice.insertedRange.count - splice.removedItems.count
    }
    return index
  }

  /// Returns the new index of the item that had this index before the change, even if it was moved or replaced by
  /// another version; nil if it was removed.
  ///
  /// ```swift
  /// selection = selection.flatMap { change.newIndex(ofItemAt: $0, by: \.id) }
  /// ```
  ///
  /// - Parameters:
  ///   - oldIndex: the index of the item before the change.
  ///   - id: the identity of an item.
  /// - Complexity: O(*s*) in the splices if the item stays as it is, otherwise O(*k*) in the removed
  ///   and inserted items.
  public func newIndex<ID: Equatable>(ofItemAt oldIndex: Int, by id: (Item) -> ID) -> Int? {
    if let index = newIndex(ofUnchangedItemAt: oldIndex) { return index }
    let pieces = SpliceComposition(splices).pieces
    for piece in pieces where (piece.oldOffset..<piece.oldEnd).contains(oldIndex) {
      let item = id(piece.old[piece.old.startIndex + oldIndex - piece.oldOffset])
      for piece in pieces {
        if let index = piece.new.firstIndex(where: { id($0) == item }) {
          return piece.newOffset + index - piece.new.startIndex
        }
      }
    }
    return nil
  }

  /// Returns the changes item by item, for items that have an identity.
  ///
  /// - Parameters:
  ///   - id: the identity of an item.
  ///   - areEqual: whether two versions of an item are equal; without it every item that was
  ///     replaced by one of the same identity counts as updated.
  /// - Complexity: O(*k* log *k*) in the removed and inserted items.
  public func difference<ID: Hashable>(
    by id: (Item) -> ID, areEqual: (Item, Item) -> Bool = { _, _ in false }
  ) -> ItemDifference {
    ItemDifference(SpliceComposition(splices), id: id, areEqual: areEqual)
  }
}

extension PagedChange: CustomStringConvertible, SecretHolding {
  /// The numbers of removed and inserted items, and their positions, such as `PagedChange: [-1 +2 at 20]`; no
  /// secrets.
  public var description: String { "PagedChange: \(splices)" }
}

extension PagedChange: Sendable where Item: Sendable {}

extension PagedChange: Equatable where Item: Equatable {}

extension PagedChange where Item: Identifiable & Equatable {
  /// The changes item by item, with `id` as the identity.
  public var difference: ItemDifference { difference(by: \.id, areEqual: ==) }
}

extension PagedChange where Item: Identifiable {
  /// Returns the new index of the item that had this index before the change, identified by its `id`; nil if it was
  /// removed.
  ///
  /// ```swift
  /// selection = selection.flatMap(change.newIndex(ofItemAt:))
  /// ```
  ///
  /// - Complexity: that of ``newIndex(ofItemAt:by:)``.
  public func newIndex(ofItemAt oldIndex: Int) -> Int? { newIndex(ofItemAt: oldIndex, by: \.id) }
}
