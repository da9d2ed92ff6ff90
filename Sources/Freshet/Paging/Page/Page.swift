/// One page of a list: its items, and the links to its neighbors.
public struct Page<Item: Sendable>: Sendable {
  /// The items, in the server's order.
  public var items: [Item]
  /// The link to the next page; nil at the end of the list.
  public var next: PageLink?
  /// The link to the previous page; nil at the start of the list, or if the style knows none.
  public var previous: PageLink?
  /// The number of items in the whole list, if the server reports it.
  public var totalCount: Int?
  /// The style with which this page's neighbors are decoded.
  ///
  /// For a page that was decoded with ``PageStyle/auto`` it is the style that was recognized, so
  /// that later pages need no recognition.
  public var style: PageStyle
  /// What else is known of the pages after this one. Not compared by `==`.
  ///
  /// One reference for all cases: a page that is a word longer costs 4 % of a visit (`walk.visit`).
  var rest: ContentBox<PageRest>?

  /// Creates a page.
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
  /// How the style counts the pages after this one; nil if it does not count.
  var counting: PageStyle.Counting? {
    if case .counted(let counting) = rest?.value { counting } else { nil }
  }

  /// The link to the page that many pages after the next one, relative to this page as ``next`` is; nil if the style
  /// does not count, or the response does not show that there is such a page.
  func link(ahead distance: Int) -> PageLink? {
    next == nil ? nil : counting?.link(ahead: distance, total: totalCount)
  }

  /// The link to the next page where this one, which has items, counts none, and an earlier page of the list has
  /// counted it: the server shows whether it exists.
  func next(countedBy earlier: Page) -> PageLink? {
    guard next == nil, let counting, let older = earlier.counting, let end = older.end,
      older.counter == counting.counter, counting.next < end
    else { return nil }
    return counting.link
  }

  /// How many pages this one counts, if its style numbers them.
  package var countedPages: Int? {
    guard let counting else { return nil }
    return counting.end.map { $0 - counting.first }
  }

  /// Why this page, which is taken for the whole list because nothing was recognized in it, may not be
  /// it; nil for all others.
  package var presumedEnd: PresumedEnd? { presumption?.end }

  /// The path of the chosen style at which a first page without a next one has nothing; nil for all others.
  package var pathOfNothing: JSONPath? {
    guard next == nil, case .nothing(let path) = rest?.value else { return nil }
    return path
  }

  /// Whether the page says that it is the last one, and has a link.
  package var hasStatedEnd: Bool {
    if case .statedEnd = rest?.value { true } else { false }
  }

  /// The offset of the page in a list whose style counts items; nil for all others.
  package var countedOffset: Int? {
    guard let counting, counting.isOfItems else { return nil }
    return counting.next - counting.step - counting.first
  }

  /// What is presumed of a page with a ``presumedEnd``: the style that may continue it, as the request or the response
  /// counts, nil where neither shows how; and whether it certainly has others after it, by its place in the list and
  /// the number of all items.
  package var presumption: (end: PresumedEnd, counting: PageStyle?, isBeforeEnd: Bool)? {
    guard next == nil, case .presumedEnd(let end, let counting, let isBeforeEnd)? = rest?.value
    else { return nil }
    return (end, counting, isBeforeEnd)
  }
}

extension Page: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The number of items, and which links the page has, without their content.
  public var description: String {
    let total = totalCount.map { " of \($0)" } ?? ""
    let links = [previous.map { _ in "previous" }, next.map { _ in "next" }].compactMap(\.self)
    return (["Page: \(items.count)\(total) items"] + links).joined(separator: ", ")
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
