import Foundation

/// A decoder whose content type is not known: what exchanges read responses with.
final class AnyDecoder: Sendable {
  /// See ``ContentDecoder/name``.
  let name: String
  /// The type of the content.
  let contentType: ObjectIdentifier
  /// See ``ContentDecoder/mediaTypes``.
  let mediaTypes: [String]
  /// The header field that asks for these types; nil if any will do.
  let accept: HTTPHeaders.Field?
  /// Reads the body of error responses if the configuration names no decoder for them.
  let errorDecoder: ErrorDecoder?
  /// The decoder of what the content links to, where the content decides that.
  let successor: Successor?
  /// Whether a list ends at a page that does not exist (404), if this decoder was to read it.
  let endsAtNotFound: Bool
  /// Derives content again once a 304 has changed the header fields, if it depends on them.
  let derivation: Derivation?
  private let body: Body
  private let transform: @Sendable (AnyContent, HTTPResponse, Pipeline) throws -> AnyContent

  init(
    _ name: String, of contentType: ObjectIdentifier, accepting mediaTypes: [String],
    decode body: @escaping Body,
    transform: @escaping @Sendable (AnyContent, HTTPResponse, Pipeline) throws -> AnyContent
  ) {
    self.name = name
    self.contentType = contentType
    self.mediaTypes = mediaTypes
    accept =
      mediaTypes.isEmpty
      ? nil : HTTPHeaders.Field(name: "Accept", value: mediaTypes.joined(separator: ", "))
    errorDecoder = nil
    successor = nil
    endsAtNotFound = false
    derivation = nil
    self.body = body
    self.transform = transform
  }

  /// Copies a decoder, with other parts where they are not nil.
  ///
  /// - Parameter body: not optional, because a function that was put into an optional and back may take two more
  ///   calls whenever it is called.
  private init(
    _ other: AnyDecoder, errors errorDecoder: ErrorDecoder? = nil, successor: Successor? = nil,
    endsAtNotFound: Bool? = nil, derivation: Derivation? = nil, decode body: @escaping Body
  ) {
    name = other.name
    contentType = other.contentType
    mediaTypes = other.mediaTypes
    accept = other.accept
    self.errorDecoder = errorDecoder ?? other.errorDecoder
    self.successor = successor ?? other.successor
    self.endsAtNotFound = endsAtNotFound ?? other.endsAtNotFound
    self.derivation = derivation ?? other.derivation
    self.body = body
    transform = other.transform
  }

  /// A reader of the content of responses.
  typealias Body = @Sendable (DecodingInput) throws -> AnyContent
  /// A decoder of the body of error responses.
  typealias ErrorDecoder = @Sendable (DecodingInput) throws -> any Sendable
  /// A function from an error to the one that is thrown in its place.
  typealias ErrorMap = @Sendable (any Error, DecodingInput) -> any Error
  /// A function from content to the decoder of what the content links to; nil for the same decoder.
  typealias Successor = @Sendable (AnyContent) -> AnyDecoder?
  /// Derives content again from confirmed content; nil if nothing in it changes. It throws
  /// ``ContentConfirmation/BodyNeeded`` where that takes the body.
  typealias Derivation = @Sendable (AnyContent, ContentConfirmation) throws -> AnyContent?

  /// The decoder, which also reads the body of error responses.
  func decodingErrors(_ decode: @escaping ErrorDecoder) -> AnyDecoder {
    AnyDecoder(self, errors: decode, decode: body)
  }

  /// The decoder, which throws other errors, as do the decoders of what its content links to.
  func mappingErrors(_ map: @escaping ErrorMap) -> AnyDecoder {
    let next: Successor? =
      if let successor { { successor($0)?.mappingErrors(map) } } else { nil }
    return AnyDecoder(self, successor: next) { [body] input in
      do { return try body(input) } catch { throw map(error, input) }
    }
  }

  /// The decoder, which also finds the decoder of what its content links to.
  func followed(by successor: @escaping Successor, endsAtNotFound: Bool) -> AnyDecoder {
    AnyDecoder(self, successor: successor, endsAtNotFound: endsAtNotFound, decode: body)
  }

  /// The decoder, which also derives content again that a response has confirmed.
  func deriving(with derivation: @escaping Derivation) -> AnyDecoder {
    AnyDecoder(self, derivation: derivation, decode: body)
  }

  /// Whether resources with the one decoder are resources with the other: content of the same type, and
  /// the same name.
  func reads(like other: AnyDecoder) -> Bool {
    self === other || (contentType == other.contentType && name == other.name)
  }

  /// The decoder of what the content links to, which is this one unless the content decides otherwise.
  ///
  /// - Parameter content: nil for none.
  func successor(of content: AnyContent?) -> AnyDecoder {
    if let content, let successor = successor?(content) { successor } else { self }
  }

  /// Reads the content of a response.
  ///
  /// - Throws: ``ResourceError`` of kind `.contentType` or `.decoding`, naming the media type and the
  ///   location in the document.
  func decode(_ input: DecodingInput, date: Date) throws(ResourceError) -> AnyContent {
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

  /// Puts content that this decoder has read through the last stages of a pipeline.
  func transform(
    _ content: AnyContent, of response: HTTPResponse, in pipeline: Pipeline
  ) throws -> AnyContent {
    pipeline.transformsContent ? try transform(content, response, pipeline) : content
  }

  private func checkMediaType(of input: DecodingInput, date: Date) throws(ResourceError) {
    // A response that names no type is left to the decoder, RFC 9110 section 8.3.
    guard !mediaTypes.isEmpty, let field = input.response.headers["Content-Type"] else { return }
    if let type = input.response.headers.mediaType {
      if type.isJSON, mediaTypes.contains("application/json") { return }
      if mediaTypes.contains(where: type.matches) { return }
    }
    throw ResourceError(
      .contentType,
      """
      \(input.location) sent media type "\(field.excerpt)", where \
      \(mediaTypes.joined(separator: " or ")) was expected; a login or error page, perhaps. Check \
      the URL and the credentials, or give the resource a decoder that takes this type.
      """,
      status: input.response.status, timestamp: date)
  }
}

/// A confirmation by 304 of content that a decoder has read, as the decoder sees it.
struct ContentConfirmation: Sendable {
  /// The request.
  let key: ResourceKey
  /// The URL of the response, after redirects.
  let url: String
  /// The header fields that the content was derived from before.
  let oldHeaders: HTTPHeaders
  /// The header fields of the content, brought up to date by the 304.
  let headers: HTTPHeaders

  /// Thrown if the new fields may change the content, and only a body shows how.
  struct BodyNeeded: Error {}
}

/// Words for what went wrong in decoding: the media type and the location in the document.
private enum DecodingFailure {
  static func message(for error: any Error, in input: DecodingInput) -> String {
    let type = input.response.headers["Content-Type"]?.excerpt ?? "no media type"
    let size = input.response.body.count
    let hint = size == 0 ? "; where no content is expected, decode NoContent" : ""
    let reason = syntaxError(error, in: input) ?? Redaction.nature(of: error)
    return
      "\(input.location): the response (\(type), \(size) bytes) cannot be decoded: \(reason)\(hint)"
  }

  /// The error in the syntax of a JSON document, in our own words: Foundation's quote the document.
  private static func syntaxError(_ error: any Error, in input: DecodingInput) -> String? {
    guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty,
      context.underlyingError != nil, input.response.headers.mediaType?.isJSON ?? true
    else { return nil }
    do throws(JSONText.SyntaxError) {
      _ = try JSONText(parsing: input.response.body)
      return nil
    } catch {
      return "at $: \(error)"
    }
  }
}
