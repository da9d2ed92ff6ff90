import Foundation

/// A decoder that converts the body of a response to content.
///
/// Decoding runs off the service's actor. Content of a `Decodable` type is decoded from JSON;
/// `Data` is the body itself, and `String` its text. For any other content, make a decoder:
///
/// ```swift
/// let csv = ContentDecoder<[Row]>("csv", accepting: ["text/csv"]) { input in
///   try Row.parse(input.response.body)
/// }
/// let rows = service.resource("export", decoder: csv)
/// ```
public struct ContentDecoder<Content: Sendable>: Sendable {
  /// The decoder without the type of its content.
  private(set) var erased: AnyDecoder

  /// The name that distinguishes this decoder from others of the same content type.
  ///
  /// A service has one resource for each request, content type and name, so decoders that work
  /// differently need different names.
  public var name: String { erased.name }
  /// The media types that the decoder accepts, such as `"text/csv"` or `"image/*"`; empty for any.
  ///
  /// They are sent as `Accept`. `"application/json"` stands for every type that is JSON.
  public var mediaTypes: [String] { erased.mediaTypes }

  /// Sets the decoder of linked resources, which is chosen from the content; nil keeps this one.
  ///
  /// - Parameter endsAtNotFound: whether a list ends at a page of this decoder that does not exist.
  mutating func decodeLinked(
    endsAtNotFound: Bool,
    with successor: @escaping @Sendable (ContentBox<Content>) -> ContentDecoder?
  ) {
    erased = erased.followed(
      by: { successor(unsafeDowncast($0, to: ContentBox<Content>.self))?.erased },
      endsAtNotFound: endsAtNotFound)
  }

  /// Lets what the content derives from header fields be derived again when a 304 has changed them.
  ///
  /// - Parameter derivation: makes the new content, sharing what stays the same; nil if nothing
  ///   changes. It runs off the store's actor, and fails the load with what it throws, but for
  ///   ``ContentConfirmation/BodyNeeded``: then the body is requested.
  mutating func derive(
    with derivation: @escaping @Sendable (Content, ContentConfirmation) throws -> Content?
  ) {
    erased = erased.deriving { content, confirmation in
      try derivation(ContentBox<Content>.value(of: content), confirmation).map { ContentBox($0) }
    }
  }

  /// Reads the body of error responses with this where the configuration names no decoder for them.
  package mutating func decodeErrors(
    _ decode: @escaping @Sendable (DecodingInput) throws -> any Sendable
  ) {
    erased = erased.decodingErrors(decode)
  }

  /// Has this decoder, and those of linked resources, throw other errors.
  ///
  /// - Parameter map: makes the error from the one of this decoder.
  package mutating func mapErrors(
    _ map: @escaping @Sendable (any Error, DecodingInput) -> any Error
  ) {
    erased = erased.mappingErrors(map)
  }

  /// A decoder of content of this type.
  init(_ erased: AnyDecoder) {
    self.erased = erased
  }

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - name: the name that distinguishes it from other decoders of the same content type.
  ///   - mediaTypes: the media types that it accepts; empty for any. A response of another type
  ///     fails the request with kind `.contentType`, and the closure is not called.
  ///   - decode: decodes the content. An error that it throws fails the request with kind
  ///     `.decoding`, unless it is a ``ResourceError``.
  public init(
    _ name: String, accepting mediaTypes: [String] = [],
    decode: @escaping @Sendable (DecodingInput) throws -> Content
  ) {
    erased = AnyDecoder(
      name, of: ObjectIdentifier(Content.self), accepting: mediaTypes
    ) { input in
      ContentBox(try decode(input))
    } transform: { content, response, pipeline in
      ContentBox(
        try pipeline.transform(ContentBox<Content>.value(of: content), of: response))
    }
  }
}

// MARK: - Standard decoders

extension ContentDecoder where Content: Decodable {
  /// A decoder for JSON, which uses `JSONDecoder` with the settings of ``Service/Configuration/json``.
  ///
  /// A ``JSONText`` stays as the server sent it.
  public static var json: ContentDecoder {
    ContentDecoder("json", accepting: ["application/json"]) { try $0.decodeJSON() }
  }

  /// The default decoder of a content type: ``data`` for `Data`, ``text`` for `String`, ``json``
  /// for all others.
  public static var standard: ContentDecoder {
    (ContentDecoder<Data>.data as? ContentDecoder)
      ?? (ContentDecoder<String>.text as? ContentDecoder) ?? .json
  }
}

extension DecodingInput {
  /// Decodes the body of the response from JSON, with the configured settings.
  ///
  /// For a decoder that converts what the server sends, such as an envelope around the content:
  ///
  /// ```swift
  /// let enveloped = ContentDecoder("profile", accepting: ["application/json"]) { input in
  ///   try input.decodeJSON(Envelope<Profile>.self).data
  /// }
  /// let profile = service.resource("profile", decoder: enveloped)
  /// ```
  ///
  /// A ``JSONText`` stays as the server sent it.
  ///
  /// - Throws: what the decoder throws, usually `DecodingError`; ``JSONText/SyntaxError`` for a ``JSONText``.
  public func decodeJSON<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    // A coder would read a JSONText from a string.
    if type == JSONText.self, let text = try JSONText(parsing: response.body) as? Value {
      return text
    }
    return try jsonSettings.makeDecoder().decode(type, from: response.body)
  }
}

extension ContentDecoder<Data> {
  /// A decoder whose content is the unchanged body.
  public static var data: ContentDecoder {
    ContentDecoder("data") { $0.response.body }
  }
}

extension ContentDecoder<String> {
  /// A decoder for text in the charset of the response, or in UTF-8 if it names none.
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
