import Foundation

extension ContentDecoder where Content: Decodable {
  /// A decoder of JSON, which uses `JSONDecoder` with the settings of
  /// ``Service/Configuration/json``.
  public static var json: ContentDecoder {
    ContentDecoder("json", accepting: ["application/json"]) { input in
      try input.json.makeDecoder().decode(Content.self, from: input.response.body)
    }
  }

  /// The default decoder of a content type: ``data`` for `Data`, ``text`` for `String`, ``json``
  /// for all others.
  public static var standard: ContentDecoder {
    (ContentDecoder<Data>.data as? ContentDecoder)
      ?? (ContentDecoder<String>.text as? ContentDecoder) ?? .json
  }
}

extension ContentDecoder<Data> {
  /// A decoder whose content is the body itself.
  public static var data: ContentDecoder {
    ContentDecoder("data") { $0.response.body }
  }
}

extension ContentDecoder<String> {
  /// A decoder of text in the charset that the response names, or UTF-8 where it names none.
  ///
  /// Bytes that are not text in that charset fail the request; they are never replaced.
  public static var text: ContentDecoder {
    ContentDecoder("text") { input in
      let charset = input.response.headers.mediaType?.charset
      if let text = TextEncoding.decode(input.response.body, charset: charset) { return text }
      let reason = UnreadableText(charset: charset ?? "utf-8")
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: reason.description, underlyingError: reason))
    }
  }
}

private struct UnreadableText: QuotableError {
  let charset: String

  var description: String {
    "the body is not text in \(charset), or this system cannot read that charset"
  }
}
