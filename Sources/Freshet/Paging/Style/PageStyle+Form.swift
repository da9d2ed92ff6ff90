extension PageStyle {
  /// Which style it is, with its values. The name, the comparison and all decisions by the style are made of it.
  ///
  /// Each case but ``token(_:_:more:untilRepeated:)`` is the style that has its name in ``PageStyle``.
  package enum Form: Sendable, Hashable {
    case auto
    case single
    case linkHeader
    case header(String)
    case nextURL(at: JSONPath)
    case pageNumber(String, startingAt: Int, totalPageCount: JSONPath?)
    case offset(String, limit: String?)
    /// What comes with a page, and is sent with the request for the next one: a token, a cursor, or the identity of
    /// the last item.
    case token(TokenSource, TokenTarget, more: JSONPath?, untilRepeated: Bool)
    case custom(String)

    /// Where a response has a token.
    package enum TokenSource: Sendable, Hashable {
      /// At that path of the body.
      case member(JSONPath)
      /// In the header field of that name.
      case headerField(String)
      /// At that path of the last item.
      case lastItem(JSONPath)
    }

    /// Where the next request has a token.
    package enum TokenTarget: Sendable, Hashable {
      /// In the query parameter of that name.
      case query(String)
      /// In the header field of that name.
      case header(String)
      /// At that path of the body: a token that may be any JSON.
      case body(JSONPath)
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
    case .token(let source, let target, let more, let untilRepeated):
      source.name(sending: target) + (more.map { ",\($0)" } ?? "")
        + (untilRepeated ? "," + Self.untilRepeated : "")
    case .custom(let name): "custom=" + name
    }
  }

  /// The end of the name of a style whose list a repeated token ends.
  package static let untilRepeated = "until repeated"

  /// The same style with lists that a repeated token ends, too; nil if it sends none, or they do already.
  package var endingWhenRepeated: Self? {
    guard case .token(let source, let target, let more, untilRepeated: false) = self else {
      return nil
    }
    return .token(source, target, more: more, untilRepeated: true)
  }
}

extension PageStyle.Form.TokenSource {
  fileprivate func name(sending target: PageStyle.Form.TokenTarget) -> String {
    let (usual, sent) =
      switch target {
      case .query(let name): ("token", name)
      case .header(let name): ("token", "header " + name)
      case .body(let path): ("cursor", path.description)
      }
    return switch self {
    case .member(let path): "\(usual)=\(path),\(sent)"
    case .headerField(let name): "\(usual)=header \(name),\(sent)"
    case .lastItem(let path): "last=\(path),\(sent)"
    }
  }
}
