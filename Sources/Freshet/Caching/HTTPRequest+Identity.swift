extension HTTPRequest {
  /// The first part in which this request differs from another and that may say who asks: in doubt it
  /// does; nil for none.
  ///
  /// - Parameter plain: the request from which this one was made.
  func identifyingPart(since plain: HTTPRequest) -> String? {
    guard address == plain.address else { return "the URL" }
    guard method == plain.method, body == plain.body else { return "the method or the body" }
    guard headers != plain.headers else { return nil }
    let field = headers.fields.first {
      !HTTPHeaders.nonIdentifying.contains($0.name.asciiLowercased)
        && headers.values(for: $0.name) != plain.headers.values(for: $0.name)
    }
    return field.map { "the header field \($0.name)" }
  }
}

extension HTTPHeaders {
  /// The names of the fields whose values differ from those of `plain`, except credentials; in lower case.
  ///
  /// - Complexity: O(*f*²) in the number of lines; O(*f*) if there is no difference.
  func selectingNames(since plain: HTTPHeaders) -> Set<String> {
    guard self != plain else { return [] }
    return Set((fields + plain.fields).map(\.name.asciiLowercased)).filter {
      !Redaction.isSecretName($0) && values(for: $0) != plain.values(for: $0)
    }
  }

  /// The request fields that cannot say who asks: about what the client is and understands, caches, the form of
  /// the content, and the trace of a single request.
  static let nonIdentifying = Set(
    nonCredential.all.map(\.asciiLowercased) + [
      "accept-charset", "cache-control", "content-encoding", "content-language", "content-length",
      "content-type", "date", "dnt", "idempotency-key", "if-match", "if-modified-since",
      "if-none-match", "if-range", "if-unmodified-since", "pragma", "prefer", "priority", "range",
      "request-id", "save-data", "sec-gpc", "traceparent", "tracestate", "x-correlation-id",
      "x-request-id",
    ])
}
