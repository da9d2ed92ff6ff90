import Foundation

extension ContentDecoder where Content: Decodable {
  /// Reads JSON with `JSONDecoder` and the configured ``Configuration/json`` settings.
  public static var json: ContentDecoder {
    ContentDecoder("json", accepting: ["application/json"]) { input in
      try input.json.makeDecoder().decode(Content.self, from: input.response.body)
    }
  }

  /// The decoder that a resource of this type has when none is named: the bytes for `Data`, text for
  /// `String`, JSON for all others.
  public static var standard: ContentDecoder {
    (ContentDecoder<Data>.data as? ContentDecoder)
      ?? (ContentDecoder<String>.text as? ContentDecoder) ?? .json
  }
}

extension ContentDecoder<Data> {
  /// Takes the bytes as they are.
  public static var data: ContentDecoder {
    ContentDecoder("data") { $0.response.body }
  }
}

extension ContentDecoder<String> {
  /// Reads text in the charset that the response names, UTF-8 where it names none.
  ///
  /// Bytes that are not text in that charset are an error, never replaced.
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

/// The content of a response whose body does not matter.
public struct NoContent: Sendable, Hashable {
  /// Makes it.
  public init() {}
}

extension ContentDecoder<NoContent> {
  /// Passes over the body, whatever its type.
  public static var nothing: ContentDecoder {
    ContentDecoder("nothing") { _ in NoContent() }
  }
}
