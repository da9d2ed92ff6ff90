import Foundation

/// Content with the metadata of its response.
public struct ResourceEntity<Content: Sendable>: Sendable {
  /// The entity without the type of its content.
  var erased: AnyEntity

  /// The content.
  ///
  /// Setting it removes `ETag` and `Last-Modified` from ``headers``, because the server would otherwise confirm
  /// content that it did not send.
  public var content: Content {
    get { ContentBox<Content>.value(of: erased.content) }
    set {
      erased.content = ContentBox(newValue)
      erased.dropValidators()
    }
  }
  /// The header fields of the response that had the content, updated by every 304.
  public var headers: HTTPHeaders { erased.headers }
  /// The date at which the content was received, confirmed or written.
  public var timestamp: Date { erased.timestamp }
  /// The URL of the response, after redirects; nil for content that no server sent.
  public var url: URL? { responseURL.flatMap { URL(string: $0) } }
  /// The URL as text, which takes a fraction of the memory.
  var responseURL: String? { erased.responseURL }
  /// The size of the body in bytes, which counts toward the store's limit on bytes.
  ///
  /// It is 0 for a local write.
  public var byteCount: Int { erased.byteCount }

  /// Creates an entity, for instance to write it with `Resource.overrideLocalContent(_:)`.
  public init(
    _ content: Content, headers: HTTPHeaders = [:], timestamp: Date = Date(), url: URL? = nil
  ) {
    erased = AnyEntity(
      content: ContentBox(content), headers: headers, timestamp: timestamp,
      responseURL: url?.absoluteString, byteCount: 0)
  }

  /// An entity whose content is of this type.
  init(_ erased: AnyEntity) {
    self.erased = erased
  }

  /// The media type of the response, if it has one.
  public var contentType: MediaType? { headers.mediaType }
  /// The charset of the response, in lower case.
  public var charset: String? { contentType?.charset }
  /// The `ETag`, RFC 9110 section 8.8.3, with its quotes.
  public var etag: String? { headers["ETag"] }
}

extension ResourceEntity: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The type of the content, the URL of the response and its size; neither content nor secrets.
  public var description: String {
    let source = responseURL.map { Redaction.url($0) } ?? "of no response"
    return "ResourceEntity<\(Content.self)> \(source), \(byteCount) bytes"
  }
}
