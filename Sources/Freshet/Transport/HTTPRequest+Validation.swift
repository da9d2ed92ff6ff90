import Foundation

extension HTTPRequest {
  /// Throws if the request cannot be sent exactly as it is.
  ///
  /// Foundation drops a header whose value holds a line break and sends the rest, so that a
  /// credential with a stray newline makes an anonymous request. Here such a request is not sent.
  ///
  /// - Throws: ``TransportError`` of kind `.invalidRequest`. It names the header, never its value.
  func validate() throws(TransportError) {
    guard method == .get || HTTPHeaders.isValidName(method.rawValue) else {
      throw invalid("the method is not an HTTP token (RFC 9110 section 9.1)")
    }
    // Nearly all URLs begin with a well-formed origin, and need no further check.
    if !address.isPlain, URIReference.plainOriginLength(of: urlString) == nil {
      try validateOrigin()
    }
    // Foundation refuses to send a body with GET, and one with HEAD makes it expect a body in the
    // response.
    guard body?.isEmpty ?? true || !(method == .get || method == .head) else {
      throw invalid("a \(method) request cannot have a body; use POST")
    }
    for field in headers.fields {
      guard HTTPHeaders.isValidName(field.name) else {
        throw invalid(
          "the header name \(field.name.debugDescription) is not an HTTP token "
            + "(RFC 9110 section 5.1)")
      }
      guard HTTPHeaders.isValidValue(field.value) else {
        throw invalid(
          "the value of the header \(field.name) holds a line break or another control character "
            + "(RFC 9110 section 5.5)")
      }
      guard !HTTPHeaders.isFraming(field.name) else {
        throw invalid("the header \(field.name) frames the message, which the transport does")
      }
    }
  }

  private func validateOrigin() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw invalid("the URL is not an absolute http or https URL")
    }
    guard let host = url.host, !host.isEmpty else {
      throw invalid("the URL has no host")
    }
    guard url.user == nil, url.password == nil else {
      throw invalid(
        "the URL holds a user name or password (RFC 9110 section 4.2.4); "
          + "send an Authorization header instead")
    }
  }

  private func invalid(_ reason: String) -> TransportError {
    TransportError(.invalidRequest, "\(summary): \(reason).")
  }

  /// The request as error messages name it: method, origin and path. The rest may hold secrets.
  var summary: String { "\(method) \(Redaction.originAndPath(of: urlString))" }
}
