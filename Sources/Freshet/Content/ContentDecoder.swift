import Foundation

/// Turns the bytes of a response into content.
///
/// Decoding runs off the store's actor. `Decodable` types are read from JSON, `Data` and `String` are
/// taken as they come; anything else has a decoder of its own:
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

  /// What distinguishes this decoder from others of the same content type. It is part of the identity
  /// under which a service keeps resources, so two decoders that work differently need different names.
  public var name: String { erased.name }
  /// The media types that it takes, such as `"text/csv"` or `"image/*"`, also sent as `Accept`; empty
  /// for any. `"application/json"` stands for every type that is JSON.
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

  /// Lets what the content derives from header fields be derived anew when a 304 has changed them.
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
  ///   - name: what distinguishes it from other decoders of the same content type.
  ///   - mediaTypes: the media types that it takes; empty for any. A response of another type fails
  ///     with an error of kind `.contentType` before the decoder is called.
  ///   - decode: reads the content; what it throws becomes an error of kind `.decoding`.
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

/// What a decoder gets.
public struct DecodingInput: Sendable {
  /// The response, after the response transforms of the pipeline.
  public let response: HTTPResponse
  /// The identity of what was asked for.
  public let key: ResourceKey
  /// How JSON is to be read, as configured.
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
  /// The response without its body, secrets replaced.
  public var description: String { "\(key.method) \(response)" }

  /// The same with the header fields, secrets in them replaced.
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

/// How JSON is read: the strategies of `JSONDecoder`.
public struct JSONSettings: Sendable {
  /// How dates are read; ISO 8601 by default.
  public var dates: JSONDecoder.DateDecodingStrategy = .iso8601
  /// How object keys are matched with property names.
  public var keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  /// How bytes are read.
  public var data: JSONDecoder.DataDecodingStrategy = .base64

  /// Makes the default settings.
  public init() {}

  /// A decoder with these settings.
  public func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dates
    decoder.keyDecodingStrategy = keys
    decoder.dataDecodingStrategy = data
    return decoder
  }
}
