extension HTTPHeaders {
  /// Whether a field name can be sent: a token, RFC 9110 section 5.1.
  package static func isValidName(_ name: String) -> Bool {
    !name.isEmpty && name.hasOnlyBytes(where: \.isTokenCharacter)
  }

  /// Whether a field value can be sent: no control characters but the tab, RFC 9110 section 5.5.
  ///
  /// A line break in a value would end the field and let whoever chose the value write the rest of the
  /// request.
  package static func isValidValue(_ value: String) -> Bool {
    value.hasOnlyBytes { !$0.isASCIIControl || $0 == UInt8(ascii: "\t") }
  }

  /// Whether this field says where a message ends or what becomes of its connection.
  ///
  /// A value that disagrees with the transport's own lets one request be read as two.
  package static func isFraming(_ name: String) -> Bool {
    framing.contains { isSameName($0, name) }
  }

  private static let framing = [
    "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Connection", "TE",
    "Trailer", "Transfer-Encoding", "Upgrade",
  ]
}
