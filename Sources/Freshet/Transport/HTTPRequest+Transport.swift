extension HTTPRequest {
  /// Sets the header fields that the transport sends where the request has none.
  ///
  /// - Parameters:
  ///   - userAgent: nil for the system's.
  ///   - acceptEncoding: nil for the system's.
  mutating func setTransportHeaders(userAgent: String?, acceptEncoding: String?) {
    setIfAbsent("User-Agent", userAgent)
    setIfAbsent("Accept-Encoding", acceptEncoding)
    // For a body without a type, systems send that of a form. RFC 9110 section 8.3 lets recipients
    // assume this one.
    if !(body?.isEmpty ?? true) { setIfAbsent("Content-Type", "application/octet-stream") }
  }

  private mutating func setIfAbsent(_ name: String, _ value: String?) {
    if let value, headers[name] == nil { headers.append(value, for: name) }
  }

  /// Whether the request names a content coding in `Accept-Encoding`.
  func accepts(_ coding: String) -> Bool {
    headers["Accept-Encoding"]?.asciiLowercased.contains(coding.asciiLowercased) == true
  }

  /// What to do when it is unknown how far the request got; a sentence that follows another.
  var adviceAfterLoss: String {
    method.isSafe ? " Retry." : " The server may have acted on the request all the same."
  }
}

extension TransportError {
  /// The error for a cancellation of the surrounding task.
  static func cancelled(_ request: HTTPRequest) -> TransportError {
    TransportError(.cancelled, "\(request.summary): cancelled.")
  }
}
