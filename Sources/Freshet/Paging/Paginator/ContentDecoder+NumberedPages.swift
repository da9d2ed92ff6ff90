extension ContentDecoder {
  /// Returns a decoder for a page that is requested by number, with items decoded from JSON.
  ///
  /// Items of the type ``JSONText`` stay as the server sent them.
  ///
  /// - Parameters:
  ///   - mapping: where the response reports page size and totals.
  ///   - path: where the item array is; nil to search for it, as ``PageStyle/items(at:)`` says.
  public static func numberedPage<Item: Decodable & Sendable>(
    _ mapping: PaginatorMapping, items path: JSONPath? = nil
  ) -> ContentDecoder where Content == PaginatorPage<Item> {
    let style = path.map { PageStyle.auto.items(at: $0) } ?? .auto
    var decoder = ContentDecoder("numbered page \(mapping.name) \(path?.description ?? "")") {
      input in
      let (items, response) = try style.scanned(in: input.response, to: input.key) {
        try $0.items(decoder: input.jsonSettings.makeDecoder()) as [Item]
      }
      // It would be the end.
      guard !response.head.isUnready else { throw PageError.notReady(status: 202) }
      return PaginatorPage(items: items, totals: mapping.read(response))
    }
    decoder.derive { page, confirmation in mapping.confirmed(page, by: confirmation) }
    return decoder
  }
}
