/// The validators of a response, by which its server recognizes it, RFC 9110 section 8.8.
package struct HTTPValidators: Sendable, Hashable {
  /// The `ETag` to the letter, `W/` and quotes included; nil for none.
  package let etag: String?
  /// The `Last-Modified` to the letter; nil for none.
  package let lastModified: String?

  /// Reads the validators of a response.
  package init(_ headers: HTTPHeaders) {
    // `*` is not a tag, and as a condition it stands for any: the server would confirm whatever it has.
    etag = headers.first("ETag").flatMap { $0.isEmpty || $0 == "*" ? nil : $0 }
    lastModified = headers.first("Last-Modified").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether there is nothing to ask the server with.
  package var isEmpty: Bool { etag == nil && lastModified == nil }

  /// The request fields with those added that let the server respond with 304.
  ///
  /// A request that has a condition or a range of its own is left as it is: the 304 or 206 it may bring
  /// is for the program that set it. It is also left as it is if a validator has a control character, which
  /// cannot be sent.
  ///
  /// - Parameter method: that of the request.
  package func conditioning(_ headers: HTTPHeaders, of method: HTTPMethod = .get) -> HTTPHeaders {
    guard !headers.contains(HTTPValidators.conditions), HTTPValidators.isSendable(etag),
      HTTPValidators.isSendable(lastModified)
    else { return headers }
    var headers = headers
    if let etag { headers.append(etag, for: "If-None-Match") }
    if let date = date(for: method) { headers.append(date, for: "If-Modified-Since") }
    return headers
  }

  private static func isSendable(_ validator: String?) -> Bool {
    validator.map(HTTPHeaders.isValidValue) ?? true
  }

  /// The date that is a condition of a request with that method: with another one than GET and HEAD servers ignore
  /// it, RFC 9110 section 13.1.3.
  private func date(for method: HTTPMethod) -> String? { method.isRead ? lastModified : nil }

  /// The fields that make a request conditional, or ask for a part.
  static let conditions: HTTPFieldNames = [
    "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
  ]

  /// Those of them that are never made of validators.
  static let preconditions: HTTPFieldNames = [
    "If-Match", "If-Unmodified-Since", "If-Range", "Range",
  ]

  /// Whether a request asks about the response that these are the validators of, and not about one that the
  /// program knows.
  package func areConditions(of request: HTTPRequest) -> Bool {
    let date = date(for: request.method)
    guard etag != nil || date != nil else { return false }
    return HTTPValidators.areSame(request.headers["If-None-Match"], etag)
      && HTTPValidators.areSame(request.headers["If-Modified-Since"], date)
  }

  /// Whether a 304 is about the response that these are the validators of, RFC 9111 section 4.3.4.
  ///
  /// Tags are compared weakly. A 304 with a tag is about a response without one only if it names the same
  /// date: the tag may be of newer content. A 304 that names no validator is taken to be about it: many
  /// servers leave them out.
  package func areConfirmed(by notModified: HTTPHeaders) -> Bool {
    let other = HTTPValidators(notModified)
    if let etag, let otherTag = other.etag {
      return etag.hasSameBytes(as: otherTag)
        || HTTPValidators.opaque(etag).hasSameBytes(as: HTTPValidators.opaque(otherTag))
    }
    // Without any, what is confirmed is of no request with conditions.
    if etag == nil, lastModified != nil, other.etag != nil {
      return HTTPValidators.areSame(lastModified, other.lastModified)
    }
    guard let lastModified, let otherModified = other.lastModified else { return true }
    return HTTPValidators.areSame(lastModified, otherModified)
  }

  /// Whether two validators are the same, byte for byte, RFC 9110 section 8.8.3.2: `==` takes different ones of
  /// other than ASCII characters for equal.
  static func areSame(_ validator: String?, _ other: String?) -> Bool {
    guard let validator, let other else { return validator == nil && other == nil }
    return validator.hasSameBytes(as: other)
  }

  package static func == (left: HTTPValidators, right: HTTPValidators) -> Bool {
    areSame(left.etag, right.etag) && areSame(left.lastModified, right.lastModified)
  }

  private static func opaque(_ etag: String) -> Substring {
    etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
  }
}
