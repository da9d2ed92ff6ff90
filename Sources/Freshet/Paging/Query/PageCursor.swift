/// The position in a list at which a ``PageQuery`` continues.
///
/// It can be stored, and given to another query, in another run of the program too. A query that begins at the end
/// loads and reports nothing, so one that begins at what was stored reports no list twice. To load the list once
/// more, begin at ``start``.
///
/// As JSON it is the object of its ``PageLink``, or `{"place": "start"}` or `{"place": "end"}`.
public enum PageCursor: Sendable, Hashable {
  /// The first page of the list.
  case start
  /// The page to which a link leads from the first page.
  case next(PageLink)
  /// The end of the list: every page was reported.
  case end

  /// The link from the first page of the list, at which a ``PagedCollection`` can begin as well; nil at the start and
  /// at the end.
  ///
  /// Because it is nil in both cases, check whether the cursor is ``end`` before beginning at the first page.
  public var link: PageLink? {
    if case .next(let link) = self { link } else { nil }
  }
}

extension PageCursor: Codable {
  private enum Key: String, CodingKey { case edge = "place" }
  private enum Edge: String, Codable { case start, end }

  /// Creates a value by decoding what ``encode(to:)`` wrote, or a stored ``PageLink``.
  ///
  /// - Throws: `DecodingError` if there is neither.
  public init(from decoder: any Decoder) throws {
    let edge = try decoder.container(keyedBy: Key.self).decodeIfPresent(Edge.self, forKey: .edge)
    self =
      switch edge {
      case .start?: .start
      case .end?: .end
      case nil: .next(try PageLink(from: decoder))
      }
  }

  /// Writes an object: the link itself if there is one.
  public func encode(to encoder: any Encoder) throws {
    if let link { return try link.encode(to: encoder) }
    var stored = encoder.container(keyedBy: Key.self)
    try stored.encode(self == .end ? Edge.end : .start, forKey: .edge)
  }
}
