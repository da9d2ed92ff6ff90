/// The whole list as far as it is known: the loaded items, and placeholders for the others.
///
/// A loaded page has as many slots as it has items. A page that is not loaded has as many
/// placeholders as a full page has items; the last one has the remaining number, if the number of
/// items is known. If the number of pages is unknown, the list ends after the last loaded page.
///
/// This is a value: it does not change with the paginator.
public struct PaginatorSlots<Item: Sendable>: RandomAccessCollection, Sendable {
  /// The slots of a loaded page.
  struct Run: Sendable {
    let page: Int
    let start: Int
    let items: [Item]

    var end: Int { start.saturatingSum(items.count) }
  }

  /// In ascending order, both by pages and by offsets.
  let runs: [Run]
  let firstPageNumber: Int
  let perPage: Int

  /// The number of slots.
  public let count: Int

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of slots.
  public var endIndex: Int { count }

  /// The slot at an index.
  ///
  /// - Complexity: O(log *p*) in the number of loaded pages.
  public subscript(position: Int) -> PaginatorSlot<Item> {
    require(
      position >= 0 && position < count,
      "PaginatorSlots[\(position)]: there are \(count) slots")
    let index = runs.partitionPoint { $0.start > position }
    guard index > 0 else {
      return .placeholder(page: firstPageNumber.saturatingSum(position / perPage))
    }
    let run = runs[index - 1]
    if position < run.end { return .item(run.items[position - run.start]) }
    return .placeholder(
      page: run.page.saturatingSum(1).saturatingSum((position - run.end) / perPage))
  }

  /// Returns the range of a page's slots; nil if the page is not loaded.
  ///
  /// - Complexity: O(log *p*) in the number of loaded pages.
  public func range(ofPage page: Int) -> Range<Int>? {
    run(ofPage: page).map { $0.start..<$0.end }
  }

  /// Returns the items of a page; nil if the page is not loaded.
  ///
  /// - Complexity: O(log *p*) in the number of loaded pages.
  public func items(ofPage page: Int) -> [Item]? { run(ofPage: page)?.items }

  /// How many slots have an item.
  ///
  /// - Complexity: O(*p*) in the number of loaded pages.
  package var loadedCount: Int { runs.reduce(0) { $0 + $1.items.count } }

  private func run(ofPage page: Int) -> Run? {
    let index = runs.partitionPoint { $0.page >= page }
    return index < runs.count && runs[index].page == page ? runs[index] : nil
  }
}

// Without the elements: there are as many as the server reports.
extension PaginatorSlots: CustomStringConvertible, CustomReflectable {
  /// The number of slots, and how many of them have an item.
  public var description: String { "\(count) slots, \(loadedCount) loaded" }
  /// How many slots there are, and how many have an item; no item, which may hold secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["count": count, "loadedCount": loadedCount])
  }
}

/// One item of a list that is loaded page by page, or a placeholder for it.
public enum PaginatorSlot<Item: Sendable>: Sendable {
  /// The item is loaded.
  case item(Item)
  /// The item is not loaded; it is on the page with this number.
  case placeholder(page: Int)

  /// The item, or nil if it is not loaded.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }
}

extension PaginatorSlot: Equatable where Item: Equatable {}

extension PaginatorSlot: Hashable where Item: Hashable {}
