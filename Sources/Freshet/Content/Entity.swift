import Foundation

/// Content together with what the server said about it.
public struct Entity<Content: Sendable>: Sendable {
  /// The content.
  public var content: Content
  /// The header fields of the answer that brought the content, brought up to date by every 304.
  public internal(set) var headers: HTTPHeaders
  /// The wall date at which the content was received, confirmed or written.
  public internal(set) var timestamp: Date
  /// The URL that answered, after redirects; nil for content that no server sent.
  public var url: URL? { answeredURL.flatMap { URL(string: $0) } }
  /// The same as text, which takes a fraction of the memory.
  let answeredURL: String?
  /// How many bytes the body had; what the store's limit on bytes counts. 0 for a local write.
  public let byteCount: Int

  /// Makes an entity, for instance to write it with `Resource.overrideLocalContent(_:)`.
  public init(
    _ content: Content, headers: HTTPHeaders = [:], timestamp: Date = Date(), url: URL? = nil
  ) {
    self.init(
      content, headers: headers, timestamp: timestamp, url: url?.absoluteString, byteCount: 0)
  }

  init(_ content: Content, headers: HTTPHeaders, timestamp: Date, url: String?, byteCount: Int) {
    self.content = content
    self.headers = headers
    self.timestamp = timestamp
    answeredURL = url
    self.byteCount = byteCount
  }

  /// The media type of the answer, if it named one.
  public var contentType: MediaType? { headers.mediaType }
  /// The charset that the answer named, in lower case.
  public var charset: String? { contentType?.charset }
  /// The `ETag`, RFC 9110 section 8.8.3, with its quotes.
  public var etag: String? { headers["ETag"] }
  /// What makes a request for this content conditional.
  var validators: HTTPValidators { HTTPValidators(headers) }
}
