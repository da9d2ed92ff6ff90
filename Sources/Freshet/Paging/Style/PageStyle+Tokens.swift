import Foundation

/// Styles with a token from the server, which the next request has to send.
extension PageStyle {
  /// Returns a style in which a token in the body is sent in a query parameter, and all other parameters are kept:
  /// AIP-158 and similar APIs.
  ///
  /// A string is sent as its value, a number in the digits that the server sent. Ends if the token is
  /// null, absent or `""`, and if the boolean at `more` is false; any other kind of token is an error,
  /// and so is a missing one if `more` is true. A response may leave out an empty item array if it has the
  /// token, or no members at all.
  ///
  /// - Parameters:
  ///   - path: the path of the token in the response.
  ///   - parameter: the name of the query parameter.
  ///   - more: the path of the boolean that shows whether there is a next page, for servers that send a
  ///     token with the last one too.
  ///   - untilRepeated: whether the list also ends when the token equals the one in the request,
  ///     for servers that always send one.
  public static func token(
    at path: JSONPath, query parameter: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    let form = Form.token(
      at: path, .query(parameter), more: more, untilRepeated: untilRepeated)
    return sending(form, path, more, untilRepeated) {
      try $0.token(at: path).map { .query(parameter, $0) }
    }
  }

  /// Returns a style in which a token in the body is sent in a request header.
  ///
  /// The list ends as with a query parameter.
  public static func token(
    at path: JSONPath, header: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    let form = Form.token(at: path, .header(header), more: more, untilRepeated: untilRepeated)
    return sending(form, path, more, untilRepeated) {
      try $0.token(at: path).map { .header(header, $0) }
    }
  }

  /// Returns a style in which a token in a header field is sent in a query parameter, such as GitLab's
  /// `X-Next-Page`.
  ///
  /// Ends if the field is absent or empty.
  public static func token(
    inHeader name: String, query parameter: String, untilRepeated: Bool = false
  ) -> PageStyle {
    sending(inHeader: name, .query(parameter), untilRepeated) { .query(parameter, $0) }
  }

  /// A token in a header field that is sent in a request header, such as the `x-ms-continuation` of Cosmos DB.
  package static func token(
    inHeader name: String, header: String, untilRepeated: Bool = false
  ) -> PageStyle {
    sending(inHeader: name, .header(header), untilRepeated) { .header(header, $0) }
  }

  /// A style that sends what is in a header field, by the edit that a closure makes of it.
  private static func sending(
    inHeader name: String, _ parameter: Form.TokenParameter, _ untilRepeated: Bool,
    edit: @escaping @Sendable (String) -> PageLink.Edit
  ) -> PageStyle {
    PageStyle(
      .headerToken(name, parameter, untilRepeated: untilRepeated),
      rule: .head { head in
        let token = head.headers.values(for: name).first { !$0.isEmpty }
        return head.links(token.map(edit), untilRepeated)
      })
  }

  /// A style that sends what is at a path of the body, by the edit that a closure makes of it.
  private static func sending(
    _ form: Form, _ path: JSONPath, _ more: JSONPath?, _ untilRepeated: Bool,
    edit: @escaping @Sendable (Response) throws -> PageLink.Edit?
  ) -> PageStyle {
    PageStyle(
      form,
      rule: .body { response in
        let says = more.flatMap { response.body[at: $0]?.bool }
        guard says != false else { return Links() }
        let edit = try edit(response)
        if says == true, edit == nil, let more {
          throw PageError.unknownContinuation(.init(at: .member(more), .flag))
        }
        guard edit != nil else { return Links(rest: response.rest(withoutLinkAt: path)) }
        return response.head.links(edit, untilRepeated)
      }, linkPathOfItemlessBody: path)
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
  ///     servers that send the item of that identity again.
  public static func lastItem(
    _ path: JSONPath, query parameter: String, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    PageStyle(
      .lastItem(path, query: parameter, more: more, untilRepeated: untilRepeated),
      rule: .body { response in
        let more = more.flatMap { response.body[at: $0]?.bool }
        let last = response.itemArray[at: "-1"]
        guard more != false, last != nil || more == true else { return Links() }
        guard let identity = try last?[at: path]?.token(at: path), !identity.isEmpty else {
          throw PageError.noLastItem(path)
        }
        return response.head.links(.query(parameter, identity), untilRepeated)
      })
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
  ///     as with CloudWatch Logs.
  public static func cursor(
    at path: JSONPath, bodyKey key: JSONPath, more: JSONPath? = nil, untilRepeated: Bool = false
  ) -> PageStyle {
    let form = Form.cursor(at: path, bodyKey: key, more: more, untilRepeated: untilRepeated)
    return sending(form, path, more, untilRepeated) { response in
      response.body[at: path].flatMap { $0.isNoCursor ? nil : .body(key, $0.detached()) }
    }
  }
}

extension PageStyle.Head {
  /// The link to the page that an edit of the request leads to; none if the request has that edit
  /// already and that ends the list.
  fileprivate func links(_ edit: PageLink.Edit?, _ untilRepeated: Bool) -> PageStyle.Links {
    guard let edit, !untilRepeated || !request.hasMade(edit) else { return .init() }
    return .init(next: PageLink(edit))
  }
}

extension ResourceKey {
  /// Whether a token or cursor is already set where the edit would set it.
  fileprivate func hasMade(_ edit: PageLink.Edit) -> Bool {
    switch edit {
    case .follow, .query(_, nil): false
    case .query(let name, let value?):
      URIQuery(url: url).value(of: name)?.utf8.elementsEqual(value.utf8) == true
    case .header(let name, let value):
      headers[name]?.utf8.elementsEqual(value.utf8) == true
    case .body(let path, let value):
      body.flatMap { try? JSONText(parsing: $0) }?[at: path]?.isSame(as: value) == true
    }
  }
}

extension PageStyle.Response {
  /// The token at a path, or nil if its absence ends the list.
  fileprivate func token(at path: JSONPath) throws(PageError) -> String? {
    guard let value = body[at: path], value.kind != .null else { return nil }
    let token = try value.token(at: path)
    return token.isEmpty ? nil : token
  }
}

extension JSONText {
  /// Whether a cursor equals another one, however both are written.
  fileprivate func isSame(as other: JSONText) -> Bool {
    if let string, let other = other.string { return string.utf8.elementsEqual(other.utf8) }
    return compact.bytes == other.compact.bytes
  }

  /// A string's value, or a number as it is written.
  fileprivate func token(at path: JSONPath) throws(PageError) -> String {
    if kind == .number { return description }
    guard let string else { throw .unusableLink(at: path, kind) }
    return string
  }

  fileprivate var isNoCursor: Bool {
    kind == .null || string?.isEmpty == true || compact.bytes.elementsEqual("{}".utf8)
  }
}
