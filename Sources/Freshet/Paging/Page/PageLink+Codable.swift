/// Storing a link, to go on there in another run of the program.
///
/// As JSON it is an object whose `edits` are objects of one member each:
///
/// ```json
/// {"edits": [{"query": {"name": "page_token", "value": "Cg=="}}]}
/// ```
///
/// Cursors come back byte for byte. They may be secrets, or lead to some; store them accordingly.
extension PageLink: Codable {
  private enum Part: String, CodingKey {
    case edits
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    self.init()
    edits = try decoder.container(keyedBy: Part.self).decode([Edit].self, forKey: .edits)
  }

  /// Writes an object whose member `edits` holds the edits in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Part.self)
    try container.encode(edits, forKey: .edits)
  }
}

extension PageLink.Edit: Codable {
  private enum Kind: String, CodingKey {
    case follow
    case query
    case body
    case header
  }

  private enum Part: String, CodingKey {
    case name
    case path
    case value
  }

  /// Reads what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` where there is no edit of a known kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription:
            "an edit is an object with one of the members follow, query, body, header"
        ))
    }
    if kind == .follow {
      self = .follow(try container.decode(String.self, forKey: kind))
      return
    }
    let parts = try container.nestedContainer(keyedBy: Part.self, forKey: kind)
    switch kind {
    case .query:
      self = .query(
        try parts.decode(String.self, forKey: .name),
        try parts.decodeIfPresent(String.self, forKey: .value))
    case .body:
      self = .body(
        try parts.decode(JSONPath.self, forKey: .path),
        try parts.decode(JSONText.self, forKey: .value))
    case .header, .follow:
      self = .header(
        try parts.decode(String.self, forKey: .name),
        try parts.decode(String.self, forKey: .value))
    }
  }

  /// Writes an object with one member, named after the kind of the edit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .follow(let reference):
      try container.encode(reference, forKey: .follow)
    case .query(let name, let value):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .query)
      try parts.encode(name, forKey: .name)
      try parts.encodeIfPresent(value, forKey: .value)
    case .body(let path, let value):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .body)
      try parts.encode(path, forKey: .path)
      try parts.encode(value, forKey: .value)
    case .header(let name, let value):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .header)
      try parts.encode(name, forKey: .name)
      try parts.encode(value, forKey: .value)
    }
  }
}
