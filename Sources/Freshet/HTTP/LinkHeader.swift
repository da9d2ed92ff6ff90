/// The links that a response declares in its `Link` header fields, RFC 8288.
///
/// ```swift
/// let links = LinkHeader(["</items?page=3>; rel=\"next\", </items?page=1>; rel=\"prev\""])
/// links.target(of: "next", from: "https://api.example.com/items?page=2")
/// // "https://api.example.com/items?page=3"
/// ```
///
/// Parsing never fails: a malformed element or parameter is ignored, and parsing continues after
/// it. After a quoted string or a target without an end, the rest of that line is ignored, but no
/// other line.
public struct LinkHeader: Sendable, Hashable {
  /// The links, in the order of the field lines and of the elements in each.
  public let links: [Link]
  /// The text of every element that was ignored, whose relation types are not known, or that may have another one
  /// in it: what may contain a link. Mostly none.
  let malformed: [String]
  /// Those of ``links`` whose elements may have another one in them, so that target and relation may be of two
  /// links. Mostly none.
  let ambiguous: [Link]

  /// Parses the values of all `Link` lines of one response.
  ///
  /// - Parameter fields: one string for each line, in order, as from ``HTTPHeaders/values(for:)``.
  /// - Complexity: O(*n*) in the bytes of the fields.
  public init(_ fields: [String]) {
    var (malformed, ambiguous) = ([String](), [Link]())
    links = fields.flatMap { field in
      var reader = LinkHeaderReader(field)
      let links = reader.readLinks()
      malformed += reader.malformed
      ambiguous += reader.ambiguous
      return links
    }
    self.malformed = malformed
    self.ambiguous = ambiguous
  }

  /// The text of a malformed element that seems to be about a relation: the name of the relation comes
  /// somewhere after `rel` in it.
  ///
  /// - Parameter relation: the relation type, in lower case.
  func malformedElement(for relation: String) -> String? {
    malformed.first { element in
      let bytes = Array(element.utf8.map(\.asciiLowercased))
      guard let rel = bytes.firstRange(of: Array("rel".utf8)) else { return false }
      return bytes[rel.upperBound...].firstRange(of: Array(relation.utf8)) != nil
    }
  }

  /// Returns the first link with a relation whose context is the resource itself.
  ///
  /// The context of a link with an `anchor` is another resource, RFC 8288 section 3.2, unless the
  /// anchor resolves to `contextURL`, compared byte for byte.
  ///
  /// - Parameters:
  ///   - relation: the relation type, in any case.
  ///   - contextURL: the absolute URL that responded.
  public func link(for relation: String, from contextURL: String) -> Link? {
    let relation = relation.asciiLowercased
    return links.first { link in
      guard link.relations.contains(relation) else { return false }
      guard let anchor = link.anchor else { return true }
      return URIReference.resolve(anchor, against: contextURL)
        == URIReference.resolve("", against: contextURL)
    }
  }

  /// Returns the absolute URL of the first link with a relation whose context is the resource
  /// itself; nil for none.
  ///
  /// The target is resolved against the URL of the response, never against an anchor. The result is
  /// ASCII, with the percent-encoding of the server, and keeps its fragment.
  public func target(of relation: String, from contextURL: String) -> String? {
    link(for: relation, from: contextURL)
      .flatMap { URIReference.resolve($0.target, against: contextURL) }
  }
}
