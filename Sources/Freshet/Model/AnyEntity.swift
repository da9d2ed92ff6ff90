import Foundation

/// An entity of any content type.
///
/// All that a store does with entities is the same for every type of content, so it is written, and
/// compiled, once: the content is in a box, and only `ResourceEntity`, `Resource` and `Request`
/// know what it is. That saved a third of the instructions of a cold page. Copying takes a few
/// references, however large the content.
struct AnyEntity: Sendable {
  /// A ``ContentBox`` of the type that the resource or request has.
  var content: AnyContent
  /// See ``ResourceEntity/timestamp``.
  var timestamp: Date
  /// See ``ResourceEntity/responseURL``.
  private(set) var responseURL: String?
  /// See ``ResourceEntity/byteCount``.
  let byteCount: Int
  /// See ``HTTPVariant/digest(of:varyingBy:for:)``.
  var variant: UInt64 = 0
  /// See ``ResourceEntity/headers``.
  var headers: HTTPHeaders
  /// The response as it was received, if a transform has changed its header fields; nil if it has not.
  private(set) var received: Received?

  /// What a response was before its transforms, by which its entry of the persistent cache is known. An object,
  /// because hardly any entity has one.
  final class Received: Sendable {
    /// The header fields, updated by every 304.
    let headers: HTTPHeaders
    /// ``AnyEntity/variant`` by these fields.
    let variant: UInt64

    init(_ headers: HTTPHeaders, variant: UInt64) {
      self.headers = headers
      self.variant = variant
    }
  }

  init(
    content: AnyContent, headers: HTTPHeaders, timestamp: Date, responseURL: String? = nil,
    byteCount: Int, variant: UInt64 = 0, received: Received? = nil
  ) {
    self.content = content
    self.headers = headers
    self.received = received
    self.timestamp = timestamp
    self.responseURL = responseURL
    self.byteCount = byteCount
    self.variant = variant
  }

  /// The header fields as they were received, updated by every 304.
  var receivedHeaders: HTTPHeaders { received?.headers ?? headers }

  /// ``variant`` by these fields.
  var receivedVariant: UInt64 { received?.variant ?? variant }

  /// The validators that make a request for this content conditional.
  var validators: HTTPValidators { HTTPValidators(headers) }

  /// Applies a 304. The content stays the same object unless another one was derived from it.
  ///
  /// - Parameters:
  ///   - known: the content that was confirmed.
  ///   - confirmed: that content as it is now.
  /// - Returns: whether the content is another one.
  mutating func confirm(_ known: KnownContent, as confirmed: AnyEntity) -> Bool {
    headers = confirmed.headers
    received = confirmed.received
    timestamp = confirmed.timestamp
    responseURL = confirmed.responseURL
    variant = confirmed.variant
    // Other content with the same tag is of the same body, and may be derived from other header fields. With
    // the same `Last-Modified` alone it may be newer content of the same second.
    guard confirmed.content !== content,
      known.entity.content === content || known.validators.etag != nil
    else { return false }
    content = confirmed.content
    return true
  }

  /// Whether a 304 about known content was about this.
  func isConfirmed(with known: KnownContent) -> Bool {
    // The same content may have other validators by now, from another 304.
    content === known.entity.content || validators == known.validators
  }

  /// Removes the validators, because a server could confirm content with them that it did not send.
  mutating func dropValidators() {
    headers["ETag"] = nil
    headers["Last-Modified"] = nil
    received = nil
  }

  /// Assigns the content to a user, even if another one has requested it, as far as it does not vary by the request.
  mutating func assign(to user: UInt64) {
    if headers.first("Vary") == nil { variant = user }
    if let received, received.headers.first("Vary") == nil {
      self.received = Received(received.headers, variant: user)
    }
  }
}

/// Content that the server may confirm, or has confirmed.
///
/// An object, because it is passed on more often than it is used, and so that the validators are read from the header
/// fields once.
final class KnownContent: Sendable {
  let entity: AnyEntity
  /// The validators that are sent: other content that has them is confirmed too.
  let validators: HTTPValidators

  init(_ entity: AnyEntity) {
    self.entity = entity
    validators = entity.validators
  }
}

/// Content of any type: a ``ContentBox``.
typealias AnyContent = any AnyObject & Sendable

/// Makes new content from content.
typealias ContentEdit = (AnyContent) -> AnyContent

/// Content as an object.
final class ContentBox<Content: Sendable>: Sendable {
  let value: Content

  init(_ value: Content) {
    self.value = value
  }

  /// The content of a box of this type. The owner of the box guarantees the type: a resource only
  /// ever receives boxes that its own decoder or its own methods have made.
  static func value(of box: AnyContent) -> Content {
    unsafeDowncast(box, to: ContentBox.self).value
  }

  /// An edit of content of this type, for callers that do not know the type.
  static func edit(_ change: @escaping (inout Content) -> Void) -> ContentEdit {
    { box in
      var value = value(of: box)
      change(&value)
      return ContentBox(value)
    }
  }
}
