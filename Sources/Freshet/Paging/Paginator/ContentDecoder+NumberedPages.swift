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
