extension PageLink.Edit: Codable {
  /// The stored form of an edit: exactly one member is set.
  private struct Stored: Codable {
    struct Parameter: Codable {
      var name: String
      var value: String?
    }
    struct Member: Codable {
      var path: JSONPath
      var value: JSONText
    }

    var follow: String?
    var query: Parameter?
    var body: Member?
    var header: Parameter?
  }

  /// Creates a value by decoding what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if there is no edit of a known kind.
  public init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    let edits: [PageLink.Edit?] = [
      stored.follow.map { .follow($0) }, stored.query.map { .query($0.name, $0.value) },
      stored.body.map { .body($0.path, $0.value) },
      stored.header.flatMap { field in field.value.map { .header(field.name, $0) } },
    ]
    let found = edits.compactMap(\.self)
    guard let edit = found.first, found.count == 1 else {
      let problem = "an edit is an object with one of the members follow, query, body, header"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: problem))
    }
    self = edit
  }

  /// Writes an object with one member, named after the kind of the edit.
  public func encode(to encoder: any Encoder) throws {
    var stored = Stored()
    switch self {
    case .follow(let reference): stored.follow = reference
    case .query(let name, let value): stored.query = .init(name: name, value: value)
    case .body(let path, let value): stored.body = .init(path: path, value: value)
    case .header(let name, let value): stored.header = .init(name: name, value: value)
    }
    try stored.encode(to: encoder)
  }
}
