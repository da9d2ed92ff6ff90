/// The merged array of a list, and what happens to it.
///
/// Comparing items may run code of the program that reads the list, so an edit is applied in two steps:
/// ``step(for:areEqual:)`` compares, and ``apply(_:)`` only writes.
struct MergedItems<Item: Sendable> {
  /// An edit with the items that it is about.
  struct Step {
    let range: Range<Int>
    let new: ArraySlice<Item>
    /// The edit as observers are told of it: without the items that are equal to those they replace.
    let splice: Splice<Item>
  }

  /// The items that all pages show, in chain order.
  private(set) var items: [Item] = []
  /// What happened to `items` since the splices were taken.
  private(set) var splices = SpliceLog<Item>()

  func step(for edit: ItemEdit, areEqual: ((Item, Item) -> Bool)?) -> Step {
    let range = edit.offset..<(edit.offset + edit.removedCount)
    // Copied: a slice of the whole array would make its next change copy all of it.
    let old = edit.removed?.items(of: Item.self) ?? ArraySlice(Array(items[range]))
    let new = edit.inserted?.items(of: Item.self) ?? []
    let splice = Splice(at: edit.offset, replacing: old, with: new, areEqual: areEqual)
    return Step(range: range, new: new, splice: splice)
  }

  mutating func apply(_ step: Step) {
    // All of them: items that are equal need not be the same, where `==` compares only some members.
    items.replace(step.range, with: step.new)
    if !step.splice.isEmpty { splices.append(step.splice) }
  }

  /// The splices since they were taken last.
  mutating func takeSplices() -> SpliceLog<Item> {
    guard !splices.isEmpty else { return splices }
    defer { splices = SpliceLog() }
    return splices
  }
}
