extension PageStyle {
  /// Which style it is, with its values. The name, the comparison and all decisions by the style are made of it.
  ///
  /// Each case is the style that has its name in ``PageStyle``.
  package enum Form: Sendable, Hashable {
    case auto
    case single
    case linkHeader
    case header(String)
    case nextURL(at: JSONPath)
    case pageNumber(String, startingAt: Int, totalPageCount: JSONPath?)
    case offset(String, limit: String?)
    case token(at: JSONPath, TokenParameter, more: JSONPath?, untilRepeated: Bool)
    /// A token that is in the header field of a name.
    case headerToken(String, TokenParameter, untilRepeated: Bool)
    case lastItem(JSONPath, query: String, more: JSONPath?, untilRepeated: Bool)
    case cursor(at: JSONPath, bodyKey: JSONPath, more: JSONPath?, untilRepeated: Bool)
    case custom(String)

    /// Where the next request has a token.
    package enum TokenParameter: Sendable, Hashable {
      /// In the query parameter of that name.
      case query(String)
      /// In the header field of that name.
      case header(String)
    }

    /// What a style makes the request for the next page from.
    enum Kind {
      /// The client counts pages or items: the server need not know the parameter.
      case counting
      /// A token or an identity is sent where the server need not look for it.
      case token
      /// A link, or something else.
      case other
    }

    /// What the request for the next page is made from.
    var kind: Kind {
      switch self {
      case .pageNumber, .offset: .counting
      case .token, .headerToken, .lastItem, .cursor: .token
      case .auto, .single, .linkHeader, .header, .nextURL, .custom: .other
      }
    }
  }
}

extension PageStyle.Form {
  /// The name of the style, which is its text on the command line of `pagewalk` as well.
  package var name: String {
    switch self {
    case .auto: "auto"
    case .single: "single"
    case .linkHeader: "link"
    case .header(let name): "header=" + name
    case .nextURL(let path): "url=\(path)"
    case .pageNumber(let parameter, let first, let pageCount):
      "page=" + parameter + (first == 1 ? "" : ",from \(first)")
        + (pageCount.map { ",of \($0)" } ?? "")
    case .offset(let parameter, let limit):
      "offset=" + parameter + (limit.map { ",limit \($0)" } ?? "")
    case .token(let path, let parameter, let more, let untilRepeated):
      "token=\(path),\(parameter.text)" + Self.ending(more, untilRepeated)
    case .headerToken(let name, let parameter, let untilRepeated):
      "token=header \(name),\(parameter.text)" + Self.ending(nil, untilRepeated)
    case .lastItem(let path, let parameter, let more, let untilRepeated):
      "last=\(path),\(parameter)" + Self.ending(more, untilRepeated)
    case .cursor(let path, let key, let more, let untilRepeated):
      "cursor=\(path),\(key)" + Self.ending(more, untilRepeated)
    case .custom(let name): "custom=" + name
    }
  }

  private static func ending(_ more: JSONPath?, _ isUntilRepeated: Bool) -> String {
    (more.map { ",\($0)" } ?? "") + (isUntilRepeated ? "," + untilRepeated : "")
  }

  /// The end of the name of a style whose list a repeated token ends.
  package static let untilRepeated = "until repeated"

  /// The same style with lists that a repeated token ends, too; nil if it sends none, or they do already.
  package var endingWhenRepeated: Self? {
    switch self {
    case .token(let path, let parameter, let more, untilRepeated: false):
      .token(at: path, parameter, more: more, untilRepeated: true)
    case .headerToken(let name, let parameter, untilRepeated: false):
      .headerToken(name, parameter, untilRepeated: true)
    case .lastItem(let path, let parameter, let more, untilRepeated: false):
      .lastItem(path, query: parameter, more: more, untilRepeated: true)
    case .cursor(let path, let key, let more, untilRepeated: false):
      .cursor(at: path, bodyKey: key, more: more, untilRepeated: true)
    default: nil
    }
  }
}

extension PageStyle.Form.TokenParameter {
  fileprivate var text: String {
    switch self {
    case .query(let name): name
    case .header(let name): "header " + name
    }
  }
}
