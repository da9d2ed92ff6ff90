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

  /// The validators that make a request for this content conditional.
  var validators: HTTPValidators { HTTPValidators(headers) }

  /// The changes by a 304. An object, because it is passed on more often than it is used.
  final class Confirmation: Sendable {
    /// The content that was confirmed; see ``AnyEntity/content``.
    let content: AnyContent
    /// The validators that were sent: other content that has them was confirmed too.
    let validators: HTTPValidators
    /// The updated headers.
    let headers: HTTPHeaders
    let date: Date
    /// See ``ResourceEntity/responseURL``.
    let responseURL: String?
    /// The content after what it derives from the headers was derived again; nil if that has not changed.
    let derived: AnyContent?
    /// See ``HTTPVariant/digest(of:varyingBy:for:)``.
    let variant: UInt64
    /// See ``AnyEntity/received``.
    let received: Received?

    init(
      of content: AnyContent, _ validators: HTTPValidators, headers: HTTPHeaders, date: Date,
      responseURL: String?, derived: AnyContent? = nil, variant: UInt64 = 0,
      received: Received? = nil
    ) {
      self.content = content
      self.validators = validators
      self.headers = headers
      self.date = date
      self.responseURL = responseURL
      self.derived = derived
      self.variant = variant
      self.received = received
    }
  }

  /// Applies a 304. The content stays the same object unless another one was derived from it.
  ///
  /// - Returns: whether it is another one.
  @discardableResult
  mutating func confirm(_ confirmation: Confirmation) -> Bool {
    headers = confirmation.headers
    received = confirmation.received
    timestamp = confirmation.date
    responseURL = confirmation.responseURL
    variant = confirmation.variant
    let confirmed = confirmation.derived ?? confirmation.content
    // Other content with the same tag is of the same body, and may be derived from other header fields. With
    // the same `Last-Modified` alone it may be newer content of the same second.
    guard confirmed !== content,
      confirmation.content === content || confirmation.validators.etag != nil
    else { return false }
    content = confirmed
    return true
  }

  /// Whether a 304 was about this content.
  func isContent(of confirmation: Confirmation) -> Bool {
    // Mostly the same object, and then the validators are not read once more.
    content === confirmation.content || validators == confirmation.validators
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
