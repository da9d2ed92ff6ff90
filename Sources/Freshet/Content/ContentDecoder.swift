import Foundation

/// Decodes the body of a response to content.
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
  /// The same without its type.
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
  /// The decoder of what the content links to, which is this one unless the content decides otherwise.
  func successor(of content: ContentBox<Content>) -> ContentDecoder {
    erased.successor?(content).map { ContentDecoder($0) } ?? self
  }

  /// Lets the content decide what decodes that which it links to; nil for this decoder.
  mutating func decodeLinked(
    with successor: @escaping @Sendable (ContentBox<Content>) -> ContentDecoder?
  ) {
    erased = erased.followed { successor(unsafeDowncast($0, to: ContentBox<Content>.self))?.erased }
  }

  /// Lets what the content derives from header fields be derived again when a 304 has changed them.
  ///
  /// - Parameter derivation: makes the new content, sharing what stays the same; nil where nothing
  ///   changes. It runs off the store's actor, and fails the load with what it throws.
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

  /// A decoder of content of this type.
  init(_ erased: AnyDecoder) {
    self.erased = erased
  }

  /// Makes a decoder.
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

/// The input of a decoder: the response, its request, and the settings for JSON.
public struct DecodingInput: Sendable {
  /// The response, after the response transforms of the pipeline.
  public let response: HTTPResponse
  /// The identity of the resource that was requested.
  public let key: ResourceKey
  /// The configured settings for JSON.
  public let json: JSONSettings
  /// Receives what is odd about the response and does not keep it from being read; nil without a log.
  var warn: (@Sendable (_ message: String) -> Void)?

  /// Makes an input, for testing a decoder by itself.
  public init(response: HTTPResponse, key: ResourceKey, json: JSONSettings = JSONSettings()) {
    self.response = response
    self.key = key
    self.json = json
  }

  /// The origin and path of the response, for messages.
  package var place: String { Redaction.originAndPath(of: response.url.absoluteString) }
}

extension DecodingInput: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The response without its body, with secrets replaced.
  public var description: String { "\(key.method) \(response)" }

  /// The same with the header fields, with secrets replaced.
  public var debugDescription: String { "\(key.method) \(response.debugDescription)" }

  /// Empty: the response may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A confirmation by 304 of content that a decoder has read, as the decoder sees it.
struct ContentConfirmation: Sendable {
  /// The request.
  let key: ResourceKey
  /// The URL of the response, after redirects.
  let url: String
  /// The header fields that the content was derived from before.
  let oldHeaders: HTTPHeaders
  /// The same, brought up to date by the 304.
  let headers: HTTPHeaders
}

/// The settings for decoding JSON: the strategies of `JSONDecoder`.
public struct JSONSettings: Sendable {
  /// The strategy for dates; ISO 8601 by default.
  public var dates: JSONDecoder.DateDecodingStrategy = .iso8601
  /// The strategy for matching object keys with property names; as they are by default.
  public var keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  /// The strategy for `Data`; Base64 by default.
  public var data: JSONDecoder.DataDecodingStrategy = .base64

  /// Makes the default settings.
  public init() {}

  /// Returns a decoder with these settings.
  public func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dates
    decoder.keyDecodingStrategy = keys
    decoder.dataDecodingStrategy = data
    return decoder
  }
}
