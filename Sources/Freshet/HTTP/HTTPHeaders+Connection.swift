extension HTTPHeaders {
  /// Whether a field is about one connection: it is neither stored nor passed on, RFC 9110 section 7.6.1
  /// and RFC 9111 section 3.1.
  static func isConnectionField(_ name: String) -> Bool {
    // The length alone distinguishes nearly every name.
    guard (2...25).contains(name.utf8.count), connectionLengths[name.utf8.count] else {
      return false
    }
    return connectionFields.contains { isSameName($0, name) }
  }

  /// The fields that are about the message, and not about the connection that it came by.
  ///
  /// - Complexity: O(*f*) in the number of lines.
  var withoutConnectionFields: HTTPHeaders {
    guard fields.contains(where: { HTTPHeaders.isConnectionField($0.name) }) else { return self }
    let options = values(for: "Connection").flatMap(HTTPList.elements)
      .map { String($0.trimmingHTTPSpace) }
    return HTTPHeaders(
      fields.filter { field in
        !HTTPHeaders.isConnectionField(field.name)
          && !options.contains { HTTPHeaders.isSameName($0, field.name) }
      })
  }

  private static let connectionFields = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  private static let connectionLengths = (0...25).map { length in
    connectionFields.contains { $0.utf8.count == length }
  }
}
