/// One page of a list that is requested by number: its items, and the totals it reports.
public struct PaginatorPage<Item: Sendable>: Sendable {
  /// The items, in the server's order.
  public var items: [Item]
  /// Page size and totals that the response reports.
  public var totals: PaginatorTotals

  /// Makes a page.
  public init(items: [Item], totals: PaginatorTotals = PaginatorTotals()) {
    self.items = items
    self.totals = totals
  }
}

extension PaginatorPage: CustomStringConvertible, CustomReflectable {
  /// How many items it has, such as `PaginatorPage: 25 items`; no secrets.
  public var description: String { "PaginatorPage: \(items.count) items" }

  /// Empty: the items may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PaginatorPage: Equatable where Item: Equatable {}
extension PaginatorPage: Hashable where Item: Hashable {}

/// Page size and totals that a response reports; nil for those it does not report.
public struct PaginatorTotals: Sendable, Hashable {
  /// How many items a full page has: at least 1.
  public var perPage: Int?
  /// How many pages there are.
  public var totalPageCount: Int?
  /// How many items the whole list has.
  public var totalCount: Int?
  /// The number of the page that was sent.
  public var currentPage: Int?

  /// Makes totals.
  public init(
    perPage: Int? = nil, totalPageCount: Int? = nil, totalCount: Int? = nil, currentPage: Int? = nil
  ) {
    self.perPage = perPage
    self.totalPageCount = totalPageCount
    self.totalCount = totalCount
    self.currentPage = currentPage
  }
}

extension Resource {
  /// How many items the server has sent in this page, where it has optimistic edits; nil otherwise.
  func receivedCount<Item>() -> Int? where Content == PaginatorPage<Item> {
    guard state.hasEdits, let sent = state.edits?.base.content else { return nil }
    return unsafeDowncast(sent, to: ContentBox<Content>.self).value.items.count
  }
}

extension ContentDecoder {
  /// A decoder of one page that is requested by number, its items decoded from JSON.
  ///
  /// - Parameters:
  ///   - mapping: where the response reports page size and totals.
  ///   - path: where the item array is; nil to search for it, as ``PageStyle/items(at:)`` says.
  public static func numberedPage<Item: Decodable & Sendable>(
    _ mapping: PaginatorMapping, items path: JSONPath? = nil
  ) -> ContentDecoder where Content == PaginatorPage<Item> {
    numberedPage(mapping, path) { try $0.decode([Item].self, decoder: $1.json.makeDecoder()) }
  }

  /// A decoder of one page that is requested by number, its items as the server sent them.
  public static func numberedPage(
    _ mapping: PaginatorMapping, items path: JSONPath? = nil
  ) -> ContentDecoder where Content == PaginatorPage<JSONText> {
    numberedPage(mapping, path) { array, _ in array.elements ?? [] }
  }

  private static func numberedPage<Item>(
    _ mapping: PaginatorMapping, _ path: JSONPath?,
    decode: @escaping @Sendable (JSONText, DecodingInput) throws -> [Item]
  ) -> ContentDecoder where Content == PaginatorPage<Item> {
    let style = path.map { PageStyle.auto.items(at: $0) } ?? .auto
    var decoder = ContentDecoder("numbered page \(mapping.name) \(path?.description ?? "")") {
      input in
      let (items, response) = try style.scanned(in: input.response, to: input.key) {
        try decode($0, input)
      }
      // It would be the end.
      guard !response.head.isUnready else { throw PageError.notReady(status: 202) }
      return PaginatorPage(items: items, totals: mapping.read(response))
    }
    decoder.derive { page, confirmation in mapping.confirmed(page, by: confirmation) }
    return decoder
  }
}
