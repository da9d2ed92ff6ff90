/// Styles with a token from the server, which the next request has to send.
extension PageStyle {
  /// Returns a style in which a token in the body is sent in a query parameter, and all other parameters are kept:
  /// AIP-158 and similar APIs.
  ///
  /// A string is sent as its value, a number in the digits that the server sent. Ends if the token is
  /// null, absent or `""`, if the boolean at `more` is false, and, on an empty page, if the token is a string that
  /// stands for none, such as `"nil"`; any other kind of token is an error,
  /// and so is a missing one if `more` is true. A response may leave out an empty item array if it has the
  /// token, or no members at all.
  ///
  /// - Parameters:
  ///   - path: the path of the token in the response.
  ///   - parameter: the name of the query parameter.
  ///   - more: the path of the boolean that shows whether there is a next page, for servers that send a
  ///     token with the last one too.
  ///   - untilRepeated: whether the list also ends when the token equals the one in the request,
  ///     for servers that always send one; not if the boolean at `more` is true.
  public static func token(
    at path: JSONPath, query parameter: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(
      sending: .member(path), in: .query(parameter), more: more, untilRepeated: untilRepeated)
  }

  /// Returns a style in which a token in the body is sent in a request header.
  ///
  /// The list ends as with a query parameter.
  public static func token(
    at path: JSONPath, header: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(
      sending: .member(path), in: .header(header), more: more, untilRepeated: untilRepeated)
  }

  /// Returns a style in which a token in a header field is sent in a query parameter, such as GitLab's
  /// `X-Next-Page`.
  ///
  /// Ends if the field is absent or empty.
  public static func token(
    inHeader name: String, query parameter: String, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(sending: .headerField(name), in: .query(parameter), untilRepeated: untilRepeated)
  }

  /// Returns a style in which the last item's identity is sent in a query parameter, such as Stripe's
  /// `starting_after`.
  ///
  /// Ends if the boolean at `more` is false, and at an empty page; an empty page whose `more` is
  /// true is an error.
  ///
  /// - Parameters:
  ///   - path: the path of the identity in an item: a string or a number.
  ///   - parameter: the name of the query parameter.
  ///   - more: the path of the boolean that shows whether there are more items; nil for servers
  ///     without one.
  ///   - untilRepeated: whether the list also ends when the identity equals the one in the request, for
  ///     servers that send the item of that identity again; not if the boolean at `more` is true.
  public static func lastItem(
    _ path: JSONPath, query parameter: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(
      sending: .lastItem(path), in: .query(parameter), more: more, untilRepeated: untilRepeated)
  }

  /// Returns a style in which a cursor in the body, any JSON value, is set in the JSON body of the next request.
  ///
  /// ```swift
  /// PageStyle.cursor(
  ///   at: "data.repository.issues.pageInfo.endCursor", bodyKey: "variables.after",
  ///   more: "data.repository.issues.pageInfo.hasNextPage")
  /// PageStyle.cursor(at: "hits.hits.-1.sort", bodyKey: "search_after").items(at: "hits.hits")
  /// ```
  ///
  /// Ends if the cursor is null, absent, `""` or `{}`, and if the boolean at `more` is false;
  /// a missing cursor is an error if it is true. A response may leave out an empty item array if it
  /// has the cursor, or no members at all.
  ///
  /// - Parameters:
  ///   - path: the path of the cursor in the response.
  ///   - key: the path in the request body at which it is set.
  ///   - more: the path of the boolean that shows whether there is a next page.
  ///   - untilRepeated: whether the list also ends when the cursor equals the one in the request,
  ///     as with CloudWatch Logs; not if the boolean at `more` is true.
  public static func cursor(
    at path: JSONPath, bodyKey key: JSONPath, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(sending: .member(path), in: .body(key), more: more, untilRepeated: untilRepeated)
  }

  /// A style that sends what comes with a page.
  ///
  /// - Parameter more: the path of the boolean that shows whether there is a next page; nil with a header field.
  package init(
    sending source: Form.TokenSource, in target: Form.TokenTarget, more: JSONPath? = nil,
    untilRepeated: Bool
  ) {
    let rule: Rule =
      switch source {
      case .member(let path):
        .body { try $0.links(sending: path, in: target, more, untilRepeated, $1) }
      case .lastItem(let path):
        .body { response, _ in
          try response.links(sendingLast: path, in: target, more, untilRepeated)
        }
      case .headerField(let name):
        .head { head, isRecognized in
          let token = head.continuation(inField: name, isRecognized: isRecognized)
          return head.links(token.map(target.edit), untilRepeated)
        }
      }
    self.init(.token(source, target, more: more, untilRepeated: untilRepeated), rule: rule)
  }
}

extension PageStyle.Form.TokenTarget {
  fileprivate func edit(_ token: String) -> PageLink.Edit {
    switch self {
    case .query(let name): .query(name, token)
    case .header(let name): .header(name, token)
    case .body(let path): .body(path, JSONText(string: token))
    }
  }
}

extension PageStyle.Head {
  /// The link to the page that an edit of the request leads to; none if the request has that edit
  /// already and that ends the list.
  fileprivate func links(_ edit: PageLink.Edit?, _ untilRepeated: Bool) -> PageStyle.Links {
    guard let edit else { return .init() }
    guard untilRepeated, request.hasMade(edit) else { return .init(next: PageLink(edit)) }
    // The item of an identity that was sent may come again.
    return .init(rest: itemCount > 1 ? .repeatedToken : nil)
  }
}

extension ResourceKey {
  /// Whether a token or cursor is already set where the edit would set it.
  fileprivate func hasMade(_ edit: PageLink.Edit) -> Bool {
    switch edit {
    case .follow, .query(_, nil): false
    case .query(let name, let value?):
      URIQuery(url: url).value(of: name)?.hasSameBytes(as: value) == true
    case .header(let name, let value):
      headers[name]?.hasSameBytes(as: value) == true
    case .body(let path, let value):
      body.flatMap { try? JSONText(parsing: $0) }?[at: path]?.isSame(as: value) == true
    }
  }
}

extension PageStyle.Response {
  fileprivate func links(
    sending path: JSONPath, in target: PageStyle.Form.TokenTarget, _ more: JSONPath?,
    _ untilRepeated: Bool, _ isRecognized: Bool
  ) throws(PageError) -> PageStyle.Links {
    let says = more.flatMap { body[at: $0]?.bool }
    guard says != false else { return .init() }
    guard let edit = try edit(sending: path, in: target, isRecognized) else {
      if says == true, let more { throw .unknownContinuation(.init(at: .member(more), .flag)) }
      return .init(rest: rest(withoutLinkAt: path))
    }
    return head.links(edit, untilRepeated && says != true)
  }

  /// The edit of the request that sends the token at a path; nil if its absence ends the list.
  private func edit(
    sending path: JSONPath, in target: PageStyle.Form.TokenTarget, _ isRecognized: Bool
  ) throws(PageError) -> PageLink.Edit? {
    // CouchDB sends `"nil"` with an empty page, and would begin again.
    guard let value = body[at: path], value.kind != .null,
      !(isRecognized || head.itemCount == 0 && value.kind == .string) || !value.standsForNoToken
    else { return nil }
    if case .body(let key) = target {
      return value.isNoCursor ? nil : .body(key, value.detached())
    }
    let token = try value.token(at: path)
    return token.isEmpty ? nil : target.edit(token)
  }

  fileprivate func links(
    sendingLast path: JSONPath, in target: PageStyle.Form.TokenTarget, _ more: JSONPath?,
    _ untilRepeated: Bool
  ) throws(PageError) -> PageStyle.Links {
    let says = more.flatMap { body[at: $0]?.bool }
    let last = itemArray[at: "-1"]
    guard says != false, last != nil || says == true else { return .init() }
    guard let identity = try last?[at: path]?.token(at: path), !identity.isEmpty else {
      throw .noLastItem(path)
    }
    return head.links(target.edit(identity), untilRepeated && says != true)
  }
}

extension JSONText {
  /// Whether a cursor equals another one, however both are written.
  fileprivate func isSame(as other: JSONText) -> Bool {
    if let string, let other = other.string { return string.hasSameBytes(as: other) }
    return compact.bytes == other.compact.bytes
  }

  /// A string's value, or a number as it is written.
  fileprivate func token(at path: JSONPath) throws(PageError) -> String {
    if kind == .number { return description }
    guard let string else { throw .unusableLink(at: path, kind) }
    return string
  }

  /// Whether some servers write this where they have no token: what recognition takes for none, except a number 0,
  /// which may be the position of the last page if positions are counted down.
  fileprivate var standsForNoToken: Bool {
    switch kind {
    case .string: string?.isEmptyToken == true && string != "0"
    case .number: double == -1
    case .array: self[at: "0"] == nil
    case .object, .bool, .null: !isContinuation
    }
  }

  fileprivate var isNoCursor: Bool {
    string?.isEmpty == true || compact.bytes.elementsEqual("{}".utf8)
  }
}
