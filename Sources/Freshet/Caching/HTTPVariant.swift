/// Which of the representations of one URL a response is: RFC 9111 section 4.1, and of which
/// user.
///
/// Digests, because the values may be credentials, and are kept as long as the response is.
package enum HTTPVariant {
  /// A digest of the values that a request has for the fields that `Vary` names, and of its user; that of
  /// the user if it has none of them.
  ///
  /// Two requests with the same digest get the same representation. `*` is not a field, see
  /// ``HTTPFreshness/requiresValidation``.
  ///
  /// - Parameter user: a digest of who asks; 0 for anyone.
  /// - Complexity: O(*n*) in the bytes of the values, O(*f*) in the fields of the response if it has
  ///   no `Vary`.
  package static func digest(
    of request: HTTPHeaders, varyingBy response: HTTPHeaders, for user: UInt64 = 0
  ) -> UInt64 {
    guard response.first("Vary") != nil else { return user }
    var values = lines(names(in: response).sorted(), of: request)
    guard !values.isEmpty else { return user }
    if user != 0 { values.append("\(user)") }
    return digest(of: values)
  }

  /// The fields that the `Vary` of a response names, in lower case.
  static func names(in response: HTTPHeaders) -> Set<String> {
    Set(
      response.values(for: "Vary").flatMap(HTTPList.elements).map(
        \.trimmingHTTPSpace.asciiLowercased))
  }

  /// A digest of who asks: of the identifier of the user, or of the credentials of the request where none is stated;
  /// 0 for neither.
  ///
  /// Cookies do not count: caches reuse a response whatever they are, if `Vary` does not name them. Nor does what
  /// cannot say who asks, though it is secret: an `Idempotency-Key`.
  ///
  /// - Parameters:
  ///   - userIdentifier: ``Service/Configuration/userIdentifier``.
  ///   - request: the header fields of the request.
  ///   - names: fields that do not count, because another value of theirs makes another resource.
  package static func user(
    _ userIdentifier: String?, sending request: HTTPHeaders, except names: [String]
  ) -> UInt64 {
    // Its former name, because digests are stored.
    if let userIdentifier { return digest(of: ["account: \(userIdentifier)"]) }
    let ignored = Set(names.map(\.asciiLowercased))
    let credentials = Set(request.fields.map(\.name.asciiLowercased)).filter {
      Redaction.isSecretName($0) && $0 != "cookie" && !ignored.contains($0)
        && !HTTPHeaders.nonIdentifying.contains($0)
    }
    return credentials.isEmpty ? 0 : digest(of: lines(credentials.sorted(), of: request))
  }

  private static func lines(_ names: [String], of request: HTTPHeaders) -> [String] {
    names.compactMap { name in request[name].map { "\(name): \($0)" } }
  }

  private static func digest(of values: [String]) -> UInt64 {
    var hash = SHA256()
    for value in values {
      var line = value + "\n"
      line.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
    }
    return UInt64(hash.hexadecimal.prefix(16), radix: 16) ?? 0
  }
}
