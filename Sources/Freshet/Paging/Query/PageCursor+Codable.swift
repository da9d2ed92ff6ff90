extension PageCursor: Codable {
  private enum Key: String, CodingKey { case place }
  private enum Place: String, Codable { case start, end }

  /// Reads what ``encode(to:)`` wrote, or a stored ``PageLink``.
  ///
  /// - Throws: `DecodingError` where there is neither.
  public init(from decoder: any Decoder) throws {
    let place = try decoder.container(keyedBy: Key.self).decodeIfPresent(Place.self, forKey: .place)
    self =
      switch place {
      case .start?: .start
      case .end?: .end
      case nil: .next(try PageLink(from: decoder))
      }
  }

  /// Writes an object: the link itself where there is one.
  public func encode(to encoder: any Encoder) throws {
    if let link { return try link.encode(to: encoder) }
    var stored = encoder.container(keyedBy: Key.self)
    try stored.encode(self == .end ? Place.end : .start, forKey: .place)
  }
}
