/// How the items of a paged collection changed, from one event to the next.
public struct PagedChange<Item> {
  /// The steps that turn the array as it was at the event before into the one that it is now, applied
  /// in order. They are in ascending order, and something stays between any two of them.
  public let splices: [Splice]
  /// ``PagedCollection/firstItemIndex`` after the change.
  ///
  /// Where it is smaller than before, that many items were inserted at the front; where it is
  /// larger, that many were dropped there. A list view that keys its rows by
  /// `firstItemIndex + offset` keeps its scroll position.
  public let firstItemIndex: Int

  /// Makes a change.
  public init(_ splices: [Splice], firstItemIndex: Int = 0) {
    self.splices = splices
    self.firstItemIndex = firstItemIndex
  }

  /// Makes the same change to an array that had the items of the event before.
  ///
  /// - Complexity: that of as many `replaceSubrange(_:with:)` as there are ``splices``.
  public func apply(to items: inout [Item]) {
    for splice in splices { items.replaceSubrange(splice.removed, with: splice.inserted) }
  }

  /// The changes item by item, for items that have an identity.
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

extension PagedChange: Sendable where Item: Sendable {}

extension PagedChange where Item: Identifiable & Equatable {
  /// The changes item by item, with `id` as identity.
  public var difference: ItemDifference { difference(by: \.id, areEqual: ==) }
}
