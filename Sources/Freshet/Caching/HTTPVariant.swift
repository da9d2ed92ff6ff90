/// Which of the representations of one URL a response is: RFC 9111 section 4.1.
package enum HTTPVariant {
  /// A digest of the values that a request has for the fields that `Vary` names; 0 where it has none
  /// of them.
  ///
  /// Two requests with the same digest get the same representation. It is a digest because the values
  /// may be credentials, and are kept as long as the response is. `*` is not a field, see
  /// ``HTTPFreshness/noCache``.
  ///
  /// - Complexity: O(*n*) in the bytes of the values, O(*f*) in the fields of the response where it has
  ///   no `Vary`.
  package static func digest(of request: HTTPHeaders, varyingBy response: HTTPHeaders) -> UInt64 {
    guard response.first("Vary") != nil else { return 0 }
    let names = Set(
      response.values(for: "Vary").flatMap(HTTPList.elements).map(
        \.trimmingHTTPSpace.asciiLowercased))
    let values = names.sorted().compactMap { name in request[name].map { "\(name): \($0)\n" } }
    guard !values.isEmpty else { return 0 }
    var hash = SHA256()
    for var value in values { value.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) } }
    return UInt64(hash.hexadecimal.prefix(16), radix: 16) ?? 0
  }
}
