/// Storing values and paths, for instance as parts of a cursor.
extension JSONText: Codable {
  /// Creates a value by decoding what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if there is no string, or the string is not JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(SyntaxError) {
      try self.init(parsing: text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath, debugDescription: "the string is not JSON: \(error)",
          underlyingError: error))
    }
  }

  /// Writes the value as a string that holds it byte for byte, so that no encoder changes a number
  /// or the order of members.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension JSONPath: Codable {
  /// Creates a value by decoding what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    self.init(names: try decoder.singleValueContainer().decode([String].self))
  }

  /// Writes the names as an array of strings.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}
