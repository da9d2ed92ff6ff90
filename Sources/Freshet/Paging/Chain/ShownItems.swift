import Foundation

/// The items of a list as they are shown, and the changes of them that observers have yet to receive.
struct ShownItems<Item: Sendable> {
  /// The merged array with all changes so far.
  private var merged = MergedItems<Item>()
  /// The array as it was before a refresh whose changes are shown when it is complete.
  private var frozen: MergedItems<Item>?
  /// ``PageChain/firstItemIndex`` as of the last delivery.
  private var deliveredFirstItemIndex = 0

  /// The items that are shown.
  @inline(__always)
  var items: [Item] { frozen?.items ?? merged.items }

  /// Applies an edit to the merged array.
  ///
  /// - Parameter new: the inserted items.
  @inline(__always)
  mutating func apply(_ edit: ItemEdit, _ new: ArraySlice<Item>) { merged.apply(edit, new) }

  /// Inserts items into the merged array, as a change that nothing receives.
  @inline(__always)
  mutating func insert(_ new: ArraySlice<Item>, at offset: Int) { merged.insert(new, at: offset) }

  /// Forgets the changes since they were taken last, because nothing receives them.
  ///
  /// - Parameter firstItemIndex: that of the pages that are shown.
  /// - Returns: the splices, to be released outside of any access to the list; nil for none.
  @inline(__always)
  mutating func forgetChanges(firstItemIndex: Int) -> SpliceLog<Item>? {
    deliveredFirstItemIndex = firstItemIndex
    return merged.splices.isEmpty ? nil : merged.takeSplices()
  }

  /// Keeps showing the array as it is now, without later changes.
  mutating func freeze() {
    frozen = merged
    // Changes before this one are delivered for that array.
    _ = merged.takeSplices()
  }

  /// Shows the array with all changes.
  ///
  /// - Returns: the array that was shown, to be released outside of any access to the list.
  mutating func unfreeze() -> MergedItems<Item>? {
    guard let older = frozen.take() else { return nil }
    merged.prepend(older.splices)
    return older
  }

  /// The changes since they were taken last; nil for none.
  ///
  /// - Parameter firstItemIndex: that of the pages that are shown.
  mutating func takeChanges(firstItemIndex: Int) -> Changes? {
    let splices =
      frozen == nil ? merged.takeSplices() : frozen?.takeSplices() ?? SpliceLog()
    // Where the indices of items change, equal items with other indices are a change too.
    let isRenumbered = deliveredFirstItemIndex != firstItemIndex
    deliveredFirstItemIndex = firstItemIndex
    guard !splices.isEmpty || isRenumbered else { return nil }
    return Changes(splices: splices, firstItemIndex: firstItemIndex, isRenumbered: isRenumbered)
  }

  /// Stops the program where an invariant does not hold. For tests; O(*s*) in the splices.
  ///
  /// - Parameter isFrozen: whether the pages are frozen: then their items are.
  func checkInvariants(isFrozen: Bool) {
    precondition((frozen != nil) == isFrozen, "items and pages are of different states")
    merged.splices.checkInvariants()
    frozen?.splices.checkInvariants()
  }

  /// Changes to be delivered as one.
  struct Changes {
    fileprivate let splices: SpliceLog<Item>
    fileprivate let firstItemIndex: Int
    fileprivate let isRenumbered: Bool

    /// The changes as one, without items that are equal to those they replace; nil if nothing is left.
    ///
    /// Called outside of any access to the list, because the comparison may run code that reads it.
    func composed(areEqual: ((Item, Item) -> Bool)?) -> PagedChange<Item>? {
      var splices = splices
      splices.trim(by: areEqual)
      if splices.count > 1 {
        let composition = SpliceComposition(splices.inOrder)
        splices = SpliceLog(composition.splices(areEqual: isRenumbered ? nil : areEqual))
      }
      guard !splices.isEmpty || isRenumbered else { return nil }
      return PagedChange(splices.inOrder, firstItemIndex: firstItemIndex)
    }
  }
}
