/// How the items of a paged collection changed, from one event to the next.
public struct PagedChange<Item: Sendable>: Sendable {
  /// The steps that turn the array at the previous event into the current one, applied in order.
  /// Their offsets ascend, and between any two steps at least one item stays.
  public let splices: [Splice<Item>]
  /// ``PagedCollection/firstItemIndex`` after the change.
  ///
  /// Where it is smaller than before, that many items were inserted at the front; where it is
  /// larger, that many were dropped there. A list view that keys its rows by
  /// `firstItemIndex + offset` keeps its scroll position.
  public let firstItemIndex: Int

  /// Makes a change.
  public init(_ splices: [Splice<Item>], firstItemIndex: Int = 0) {
    self.splices = splices
    self.firstItemIndex = firstItemIndex
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

extension PagedChange where Item: Identifiable & Equatable {
  /// The changes item by item, with `id` as identity.
  public var difference: ItemDifference { difference(by: \.id, areEqual: ==) }
}
