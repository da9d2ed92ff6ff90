/// The error of a link that does not lead to a valid request.
///
/// Descriptions say what to do, and show neither queries nor cursors: both can hold secrets.
public enum PageLinkError: Error, Sendable, Hashable {
  /// The link, given without its query and in part if it is long or like a token, is malformed, or not a reference that
  /// resolves to a URL with a host.
  case unresolvable(String)
  /// The reference leads to a scheme other than `http` and `https`.
  case notHTTP(scheme: String)
  /// The reference has a user name or password in it.
  case hasUserInfo
  /// The cursor is set at a path of the request body, and the request has no body.
  case bodyMissing(JSONPath)
  /// The cursor is set at a path of the request body, and the body is not JSON.
  case bodyNotJSON(JSONPath)
  /// The cursor cannot be set at that path of the request body.
  case bodyNotEditable(JSONPath, JSONText.EditError)
  /// The token is set in a header that cannot be sent: its name or the token has forbidden
  /// characters.
  case invalidHeader(name: String)
  /// The request has a body, and the link leads to another origin, to which no body is sent.
  case bodyCrossesOrigin(String)
}

extension PageLinkError: QuotableError {
  /// What is wrong with the link and what to do.
  public var description: String {
    switch self {
    case .unresolvable(let link):
      "the link '\(link)' is not a URI reference that leads to a host: "
        + (Self.isGarbledOrURL(link)
          ? "report it to the server's owner"
          : "check that the style names the member or header that holds a URL, not a token")
    case .notHTTP(let scheme):
      "the link leads to the scheme '\(Self.startOfToken(scheme))': only http and https are followed"
    case .hasUserInfo:
      "the link has a user name or password in it: such links are not followed; put credentials "
        + "in a request header"
    case .bodyMissing(let path):
      "the cursor belongs at '\(path)' of the request body, but the request has no body: give the "
        + "first request a JSON object as its body, {} at least"
    case .bodyNotJSON(let path):
      "the cursor belongs at '\(path)' of the request body, but the body is not JSON: give the "
        + "first request a JSON object as its body"
    case .bodyNotEditable(let path, let error):
      "the cursor cannot be put at '\(path)' of the request body: \(error)"
    case .invalidHeader(let name):
      "the token cannot be sent in the header '\(name.filter { $0.isASCII && !$0.isNewline })': "
        + "the name is not a token of HTTP, or the value has a control character"
    case .bodyCrossesOrigin(let origin):
      "the link leads to another origin, \(origin), and the request has a body, which is not sent "
        + "there: make the first request at that origin if it is to be trusted with the body"
    }
  }
}

extension PageLinkError {
  /// A reference as a message shows it: without user name, password, query and fragment, percent-encoded
  /// and so on one line, up to 200 characters of it. Fewer if it is like no URL: it may be a token.
  static func shown(_ reference: String) -> String {
    let shown = Redaction.originAndPath(of: reference)
    // A token has no such characters; an element of a Link header that cannot be read has.
    guard isLikeURL(reference) || reference.contains(where: { " <\"".contains($0) }) else {
      return startOfToken(shown)
    }
    if shown.utf8.count > 200 { return shown.prefix(200) + "…" }
    return reference.contains { $0 == "?" || $0 == "#" } ? shown + "…" : shown
  }

  /// Whether a reference is certainly no token.
  private static func isLikeURL(_ reference: String) -> Bool {
    reference.contains("://") || ["/", "./", "../", "?", "#"].contains(where: reference.hasPrefix)
  }

  /// Whether a link, as ``shown(_:)`` gives it, is certainly no token: a bracket of a `Link` header is percent-encoded
  /// there, and user information hidden.
  private static func isGarbledOrURL(_ link: String) -> Bool {
    ["<", "%3C", Redaction.placeholder + "@"].contains(where: link.hasPrefix) || isLikeURL(link)
  }

  /// What may be a token in place of a link: too little of it to be used, if it is long.
  private static func startOfToken(_ text: String) -> String {
    text.utf8.count > 20 ? text.prefix(8) + "…" : text
  }
}
