/// One page of a list: its items and how to get at its neighbors, all computed when it is decoded.
public struct Page<Item: Sendable>: Sendable {
  /// The items, in the server's order.
  public var items: [Item]
  /// How to ask for the page after this one; nil at the end of the list.
  public var next: PageLink?
  /// How to ask for the page before this one; nil at the start, and where the style knows none.
  public var previous: PageLink?
  /// The number of items in the whole list, where the server reports it.
  public var totalCount: Int?
  /// The style to decode this page's neighbors with.
  ///
  /// For a page that was decoded with ``PageStyle/auto`` it is the style that was recognized, so
  /// that later pages are not guessed at again.
  public var style: PageStyle
  /// How to count on after the next page, where it is known up to which; nil for most styles. Equality
  /// does not look at it.
  var ahead: ContentBox<PageStyle.Counting>?

  /// Makes a page.
  public init(
    items: [Item], next: PageLink? = nil, previous: PageLink? = nil, totalCount: Int? = nil,
    style: PageStyle = .auto
  ) {
    self.items = items
    self.next = next
    self.previous = previous
    self.totalCount = totalCount
    self.style = style
  }
}

extension Page {
  /// Links to the pages that follow the one that ``next`` leads to, relative to this page as that one is.
  ///
  /// Nothing where the style does not count, or the response does not say how long the list is.
  ///
  /// - Parameter count: how many links are wanted; there may be fewer.
  func links(ahead count: Int) -> [PageLink] {
    next == nil ? [] : ahead?.value.links(count, total: totalCount) ?? []
  }
}

extension Page: Equatable where Item: Equatable {
  /// Whether items, links, total and style are equal.
  public static func == (left: Page, right: Page) -> Bool {
    left.items == right.items && left.next == right.next && left.previous == right.previous
      && left.totalCount == right.totalCount && left.style == right.style
  }
}

extension Page: Hashable where Item: Hashable {
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(items)
    hasher.combine(next)
    hasher.combine(previous)
    hasher.combine(totalCount)
    hasher.combine(style)
  }
}
