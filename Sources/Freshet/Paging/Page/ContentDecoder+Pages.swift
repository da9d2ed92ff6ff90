extension ContentDecoder {
  /// Returns a decoder for a page of a list, whose items are decoded from JSON.
  ///
  /// Items of the type ``JSONText`` stay as the server sent them.
  ///
  /// - Parameter style: where items and links are found.
  public static func page<Item: Decodable & Sendable>(
    _ style: PageStyle
  ) -> ContentDecoder where Content == Page<Item> {
    decodingItems(by: style)
  }

  /// Returns a decoder for a page of a list, whose items stay JSON text as the server sent it.
  public static func page(_ style: PageStyle) -> ContentDecoder where Content == Page<JSONText> {
    decodingItems(by: style)
  }

  private static func decodingItems<Item: Decodable & Sendable>(
    by style: PageStyle
  ) -> ContentDecoder where Content == Page<Item> {
    var decoder = ContentDecoder("page \(style.identity)") { input in
      let page = try style.page(
        of: Item.self, from: input.response, to: input.key,
        decoder: input.jsonSettings.makeDecoder(),
        doubt: input.warn.map { warn in { warn(.doubtfulPage, $0) } })
      if let warn = input.warn {
        if let label = input.response.textLabel {
          warn(.mislabeledContent, "the response is JSON, sent as \(label)")
        }
        if let end = page.presumedEnd {
          warn(.presumedEnd, "\(end); \(end.advice)")
        }
      }
      return page
    }
    decoder.derive { page, confirmation in try page.confirmed(by: confirmation) }
    // The style that was recognized in one page is the style of its neighbors, with what is known of the first one.
    decoder.decodeLinked(endsAtNotFound: style.endsAtNotFound) { page in
      let recognized = page.value.style
      return recognized == style && recognized.statedFirst == style.statedFirst
        ? nil : .decodingItems(by: recognized)
    }
    return decoder
  }
}
