extension HTTPHeaders {
  /// The fields of a stored response after a 304 has confirmed it, RFC 9111 section 3.2.
  ///
  /// Fields of the 304 take the place of the stored ones of that name. Three kinds do not: those that
  /// are about the connection, `Content-Length`, and those that describe the body as it was sent, which
  /// has been decoded since. `Age` and `Date` are about one transfer: those of the stored response go,
  /// even where the 304 has none.
  ///
  /// - Complexity: O(*s* + *n*) in the numbers of stored and of new lines, times the length of names.
  package func merging(notModified: HTTPHeaders) -> HTTPHeaders {
    let connectionOptions = notModified.values(for: "Connection")
      .flatMap(HTTPList.elements)
      .map(\.trimmingHTTPSpace.asciiLowercased)
    let new = notModified.fields.filter { field in
      let name = field.name.asciiLowercased
      return !HTTPHeaders.keptFields.contains(name) && !connectionOptions.contains(name)
    }
    let replaced = Set(new.map(\.name.asciiLowercased))
    let stored = fields.filter { field in
      let name = field.name.asciiLowercased
      return !HTTPHeaders.transferFields.contains(name) && !replaced.contains(name)
    }
    return HTTPHeaders(stored + new)
  }

  /// What a 304 does not change, in lower case.
  private static let keptFields: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "content-encoding", "content-length", "content-range", "content-type",
  ]

  /// What is about one transfer, in lower case.
  private static let transferFields: Set<String> = ["age", "date"]
}
