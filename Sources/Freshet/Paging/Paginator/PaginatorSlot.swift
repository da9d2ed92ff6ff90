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
