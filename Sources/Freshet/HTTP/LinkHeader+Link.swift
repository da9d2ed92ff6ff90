extension LinkHeader {
  /// A link: its target, its relation types and its other parameters.
  public struct Link: Sendable, Hashable {
    /// The target as a URI reference, as the server wrote it between the angle brackets, without the
    /// white space around it; empty for the resource itself.
    public let target: String
    /// All parameters in order, including `rel` and `anchor`; repeated ones are kept.
    public let parameters: [Parameter]
    /// The relation types, in lower case and in order: the words of the first `rel`.
    ///
    /// Relation types that are URIs are in lower case as well; they are for comparison, not for use.
    public let relations: [String]

    /// Creates a link from its parts.
    public init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = rel.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(\.asciiLowercased)
    }

    /// The context of the link as a URI reference; nil if that is the requested resource.
    public var anchor: String? { self["anchor"] }

    /// The title of the link: the first `title*` that can be decoded, else the first `title`.
    public var title: String? {
      self["title*"].flatMap(ExtendedValue.init)?.text ?? self["title"]
    }

    /// The value of the first parameter with a name, or nil for none.
    ///
    /// Later ones with that name are ignored, RFC 8288 section 3.4, except `hreflang`: find all of
    /// these in ``parameters``.
    ///
    /// - Parameter name: the name, in any case.
    public subscript(name: String) -> String? {
      parameters.first { HTTPHeaders.isSameName($0.name, name) }?.value
    }
  }

  /// A parameter of a link.
  public struct Parameter: Sendable, Hashable {
    /// The name, in lower case; it ends in `*` where the value is in the form of RFC 8187.
    public let name: String
    /// The value, without its quoting; empty for none.
    public let value: String

    /// Creates a parameter; the name is put in lower case.
    public init(name: String, value: String) {
      self.name = name.asciiLowercased
      self.value = value
    }
  }
}

// A target and a title may have a cursor or a token in them, so all that is printed is what a link is for.

extension LinkHeader: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The relation types of the links, without targets and parameters, which may be secrets.
  public var description: String {
    "LinkHeader(" + links.map { $0.relations.joined(separator: " ") }.joined(separator: ", ") + ")"
  }
}

extension LinkHeader.Link: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The relation types, without target and parameters, which may be secrets.
  public var description: String { "Link(" + relations.joined(separator: " ") + ")" }
}

extension LinkHeader.Parameter: CustomStringConvertible, CustomDebugStringConvertible,
  SecretHolding
{
  /// The name, without the value, which may be a secret.
  public var description: String { "Parameter(\(name))" }
}
