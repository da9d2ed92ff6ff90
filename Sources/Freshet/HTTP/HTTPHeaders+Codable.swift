/// Storing header fields, for instance in a cache.
extension HTTPHeaders: Codable {
  /// Creates a value by decoding what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if there is no array of strings, or a string is not a header line, because its
  ///   name is not a token or its value has a line break or NUL. So a stored value cannot add a line to the message in
  ///   which it is sent.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var fields: [Field] = []
    while !container.isAtEnd {
      let line = try container.decode(String.self)
      let name = line.utf8.prefix { $0 != UInt8(ascii: ":") }
      let value = line.utf8[name.endIndex...].dropFirst()
      let field = Field(name: String(Substring(name)), value: String(Substring(value)))
      guard name.endIndex < line.utf8.endIndex, field.isValid else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "the string is not a header line: name, colon, value")
      }
      fields.append(field)
    }
    self.init(fields)
  }

  /// Encodes the lines in order, as an array of strings.
  ///
  /// For example, `["ETag: \"7\"", "Link: </2>; rel=next"]`.
  ///
  /// Order, repeated fields and the spelling of names are kept. **Secrets are not removed**: values such as those of
  /// `Set-Cookie` and `Authorization` are written unchanged.
  ///
  /// - Throws: `EncodingError` for a field that could not be read again, because its name is not a token or
  ///   its value has a line break or NUL.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for field in fields {
      guard field.isValid else {
        // Not the field, which may be a secret.
        throw EncodingError.invalidValue(
          Redaction.placeholder,
          .init(
            codingPath: container.codingPath,
            debugDescription: "a header field has a name that is no token, or a line break or NUL"))
      }
      try container.encode("\(field.name): \(field.value)")
    }
  }
}

extension HTTPHeaders.Field {
  /// Whether it is one line of a message.
  fileprivate var isValid: Bool {
    HTTPHeaders.isValidName(name) && HTTPHeaders.isOneLine(value)
  }
}
