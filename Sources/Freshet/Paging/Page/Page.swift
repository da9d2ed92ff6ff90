/// One page of a list: its items and how to get at its neighbours, all computed when it is decoded.
public struct Page<Item: Sendable>: Sendable {
  /// The items, in the server's order.
  public var items: [Item]
  /// How to ask for the page after this one; nil at the end of the list.
  public var next: PageLink?
  /// How to ask for the page before this one; nil at the start, and where the style cannot tell.
  public var previous: PageLink?
  /// The number of items in the whole list, where the server tells.
  public var total: Int?
  /// The style to decode this page's neighbours with.
  ///
  /// For a page that was decoded with ``PageStyle/auto`` it is the style that was recognised, so
  /// that later pages are not guessed at again.
  public var style: PageStyle

  /// Makes a page.
  public init(
    items: [Item], next: PageLink? = nil, previous: PageLink? = nil, total: Int? = nil,
    style: PageStyle = .auto
  ) {
    self.items = items
    self.next = next
    self.previous = previous
    self.total = total
    self.style = style
  }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}

extension Page {
  /// Links to the pages after the next one.
  func links(ahead count: Int) -> [PageLink] { [] }
}
