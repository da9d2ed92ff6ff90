import Foundation

/// Turns the bytes of an answer into content.
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
  /// What tells this decoder from others of the same content type. It is part of the identity under
  /// which a service keeps resources, so two decoders that work differently need different names.
  public let name: String
  /// The media types that it takes, such as `"text/csv"` or `"image/*"`, also sent as `Accept`; empty
  /// for any. `"application/json"` stands for every type that is JSON.
  public let mediaTypes: [String]
  private let body: @Sendable (DecodingInput) throws -> Content
  /// The decoder of what the content links to, where the content decides that.
  var successor: (@Sendable (Content) -> ContentDecoder?)?
  /// Reads the body of error answers where the configuration names no decoder for them.
  var errorDecoder: (@Sendable (DecodingInput) throws -> any Sendable)?

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - name: what tells it from other decoders of the same content type.
  ///   - mediaTypes: the media types that it takes; empty for any. An answer of another type fails
  ///     with an error of kind `.contentType` before the decoder is asked.
  ///   - decode: reads the content; what it throws becomes an error of kind `.decoding`.
  public init(
    _ name: String, accepting mediaTypes: [String] = [],
    decode: @escaping @Sendable (DecodingInput) throws -> Content
  ) {
    self.name = name
    self.mediaTypes = mediaTypes
    body = decode
  }

  /// Reads the content of an answer.
  ///
  /// - Throws: ``ResourceError`` of kind `.contentType` or `.decoding`, naming the media type and the
  ///   place in the document.
  func decode(_ input: DecodingInput, date: Date) throws(ResourceError) -> Content {
    try checkMediaType(of: input, date: date)
    do {
      return try body(input)
    } catch let error as ResourceError {
      throw error
    } catch {
      throw ResourceError(
        .decoding, DecodingFailure.message(for: error, in: input), status: input.response.status,
        underlying: error, timestamp: date)
    }
  }

  private func checkMediaType(of input: DecodingInput, date: Date) throws(ResourceError) {
    // An answer that names no type is left to the decoder, RFC 9110 section 8.3.
    guard !mediaTypes.isEmpty, let field = input.response.headers["Content-Type"] else { return }
    if let type = input.response.headers.mediaType {
      if mediaTypes.contains(where: type.matches) { return }
      if type.isJSON, mediaTypes.contains("application/json") { return }
    }
    throw ResourceError(
      .contentType,
      """
      \(input.place) answered with media type "\(field)", where \
      \(mediaTypes.joined(separator: " or ")) was expected; a login or error page, perhaps. Check \
      the URL and the credentials, or give the resource a decoder that takes this type.
      """,
      status: input.response.status, timestamp: date)
  }
}

/// What a decoder gets.
public struct DecodingInput: Sendable {
  /// The answer, after the response transforms of the pipeline.
  public let response: HTTPResponse
  /// The identity of what was asked for.
  public let key: ResourceKey
  /// How JSON is to be read, as configured.
  public let json: JSONSettings

  /// Makes an input, for testing a decoder by itself.
  public init(response: HTTPResponse, key: ResourceKey, json: JSONSettings = JSONSettings()) {
    self.response = response
    self.key = key
    self.json = json
  }

  /// Origin and path of what answered, for messages.
  var place: String { Redaction.originAndPath(of: response.url.absoluteString) }
}

/// How JSON is read: the strategies of `JSONDecoder`.
public struct JSONSettings: Sendable {
  /// How dates are read; ISO 8601 unless told otherwise.
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
