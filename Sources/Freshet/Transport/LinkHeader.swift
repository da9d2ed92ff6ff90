/// The links that a response declares in its `Link` header fields, RFC 8288.
///
/// ```swift
/// let links = LinkHeader(["</items?page=3>; rel=\"next\", </items?page=1>; rel=\"prev\""])
/// links.target(of: "next", from: "https://api.example.com/items?page=2")
/// // "https://api.example.com/items?page=3"
/// ```
///
/// Reading never fails: an element or a parameter that is malformed is dropped and reading goes on
/// after it. A quoted string that does not end, or a target that does not, takes the rest of its own
/// line with it and nothing of the other lines.
public struct LinkHeader: Sendable, Hashable {
  /// The links, in the order of the field lines and of the elements in each.
  public let links: [Link]

  /// Reads the values of all `Link` lines of one response.
  ///
  /// - Parameter fields: one string for each line, in order, as from ``HTTPHeaders/values(for:)``.
  /// - Complexity: O(*n*) in the bytes of the fields.
  public init(_ fields: [String]) {
    links = fields.flatMap { field in
      var reader = LinkHeaderReader(field)
      return reader.readLinks()
    }
  }

  /// The first link of that relation whose context is the resource itself.
  ///
  /// A link with an `anchor` says something about another resource, RFC 8288 section 3.2, unless the
  /// anchor resolves to `contextURL`, compared byte for byte.
  ///
  /// - Parameters:
  ///   - relation: the relation type, in any case.
  ///   - contextURL: the absolute URL that answered.
  public func link(for relation: String, from contextURL: String) -> Link? {
    let relation = relation.asciiLowercased
    return links.first { link in
      guard link.relations.contains(relation) else { return false }
      guard let anchor = link.anchor else { return true }
      return URIReference.resolve(anchor, against: contextURL)
        == URIReference.resolve("", against: contextURL)
    }
  }

  /// The absolute URL that the relation leads to from the resource itself, or nil for none.
  ///
  /// The reference is resolved against the URL of the response, never against an anchor. The result is
  /// ASCII, with the percent-encoding that the server chose, and keeps its fragment.
  public func target(of relation: String, from contextURL: String) -> String? {
    link(for: relation, from: contextURL)
      .flatMap { URIReference.resolve($0.target, against: contextURL) }
  }
}
