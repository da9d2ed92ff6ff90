/// The merged array of a list as it is shown, and the changes of it that observers have yet to receive.
struct ShownItems<Item: Sendable> {
  /// The items that all pages show, in chain order.
  private var merged: [Item] = []
  /// The changes of `merged` since they were taken last, each to be applied to the array that the one before it left;
  /// nil, and not an empty array, for none: a call on a generic array looks up its type.
  private var splices: [PagedChange<Item>.Splice]?
  /// Both as they were before a refresh whose changes are shown when it is complete.
  private var frozen: (items: [Item], splices: [PagedChange<Item>.Splice]?)?
  /// ``PageChain/firstItemIndex`` as of the last delivery.
  private var deliveredFirstItemIndex = 0

  // Inlined into the list, which knows the type of its items: a call looks it up. Saves 8 % of a change.

  /// The items that are shown.
  @inline(__always)
  var items: [Item] { frozen?.items ?? merged }

  /// Applies an edit to the merged array.
  ///
  /// No item is compared or released, because that may run code of the program that reads the list:
  /// the splice holds what is removed.
  @inline(__always)
  mutating func apply(_ edit: ItemEdit, _ new: ArraySlice<Item>) {
    var old: ArraySlice<Item> = []
    if let removed = edit.removed {
      old = removed.items()
    } else if !edit.range.isEmpty {
      // Copied: a slice of the whole array would make this change copy all of it.
      old = Array(merged[edit.range])[...]
    }
    merged.replace(edit.range, with: new)
    let splice = PagedChange.Splice(at: edit.range.lowerBound, removing: old, inserting: new)
    guard !splice.isEmpty else { return }
    if splices == nil { splices = [splice] } else { splices?.append(splice) }
  }

  /// Inserts items into the merged array, as a change that nothing receives.
  @inline(__always)
  mutating func insert(_ new: ArraySlice<Item>, at offset: Int) {
    merged.replace(offset..<offset, with: new)
  }

  /// Forgets the changes since they were taken last, because nothing receives them.
  ///
  /// - Parameter firstItemIndex: that of the pages that are shown.
  /// - Returns: the splices, to be released outside of any access to the list; nil for none.
  @inline(__always)
  mutating func forgetChanges(firstItemIndex: Int) -> [PagedChange<Item>.Splice]? {
    defer { splices = nil }
    deliveredFirstItemIndex = firstItemIndex
    return splices
  }

  /// Keeps showing the array as it is now, without later changes.
  mutating func freeze() {
    // Changes before this one are delivered for that array.
    frozen = (merged, splices)
    splices = nil
  }

  /// Shows the array with all changes.
  ///
  /// - Returns: the array that was shown, to be released outside of any access to the list.
  mutating func unfreeze() -> [Item]? {
    guard let older = frozen.take() else { return nil }
    if let earlier = older.splices { splices = earlier + (splices ?? []) }
    return older.items
  }

  /// The changes since they were taken last, and whether items have other indices; nil for none.
  ///
  /// - Parameter firstItemIndex: that of the pages that are shown.
  @inline(__always)
  mutating func takeChanges(
    firstItemIndex: Int
  ) -> (splices: [PagedChange<Item>.Splice]?, isRenumbered: Bool)? {
    defer { if frozen == nil { splices = nil } else { frozen?.splices = nil } }
    let splices = frozen == nil ? self.splices : frozen?.splices
    // If the indices of items change, equal items with other indices are a change too.
    let isRenumbered = deliveredFirstItemIndex != firstItemIndex
    deliveredFirstItemIndex = firstItemIndex
    return splices == nil && !isRenumbered ? nil : (splices, isRenumbered)
  }

  func checkInvariants(isFrozen: Bool) {
    precondition((frozen != nil) == isFrozen, "items and pages are of different states")
    for splices in [splices, frozen?.splices].compactMap(\.self) {
      precondition(!splices.isEmpty, "no splices in place of nil")
      precondition(splices.allSatisfy { $0.offset >= 0 }, "a splice before the first item")
    }
  }
}
