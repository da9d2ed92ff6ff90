extension LinkHeader {
  /// One link: a target, what it is to its context, and what else is said about it.
  public struct Link: Sendable, Hashable {
    /// The target as a URI reference, as the server wrote it between the angle brackets, without the
    /// white space around it; empty for the resource itself.
    public let target: String
    /// All parameters in order, `rel` and `anchor` among them; repeated ones are kept.
    public let parameters: [Parameter]
    /// The relation types, in lower case and in order: the words of the first `rel`.
    ///
    /// Relation types that are URIs are in lower case as well; they are for comparison, not for use.
    public let relations: [String]

    /// Makes a link of its parts.
    public init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = rel.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(\.asciiLowercased)
    }

    /// The context of the link as a URI reference; nil where it is the resource that was requested.
    public var anchor: String? { self["anchor"] }

    /// A label for people: the first `title*` that can be decoded, else the first `title`.
    public var title: String? {
      self["title*"].flatMap(ExtendedValue.init)?.text ?? self["title"]
    }

    /// The value of the first parameter of that name; the later ones do not count, RFC 8288 section
    /// 3.4, except of `hreflang`, which ``parameters`` has all of.
    ///
    /// - Parameter name: the name, in any case.
    public subscript(name: String) -> String? {
      parameters.first { HTTPHeaders.isSameName($0.name, name) }?.value
    }
  }

  /// One parameter of a link.
  public struct Parameter: Sendable, Hashable {
    /// The name, in lower case; it ends in `*` where the value is in the form of RFC 8187.
    public let name: String
    /// The value, quoting undone; empty where there is none.
    public let value: String

    /// Makes a parameter; the name is put in lower case.
    public init(name: String, value: String) {
      self.name = name.asciiLowercased
      self.value = value
    }
  }
}
