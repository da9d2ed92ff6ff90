extension PageStyle {
  /// Why a text names no style.
  package enum ParsingError: Error, Sendable, Hashable {
    /// There is no style of that name.
    case unknownStyle(String)
    /// The style needs another number of values, or one of them is empty.
    case wrongValues(style: String, usage: String)
    /// The style takes no values.
    case unexpectedValues(style: String)
    /// A name in a path is empty.
    case emptyName(path: String)
    /// A header name is not a token, RFC 9110 section 5.6.2.
    case invalidHeaderName(String)
  }

  /// Parses a style from its text on a command line.
  ///
  /// | text | style |
  /// | --- | --- |
  /// | `auto` | ``auto`` |
  /// | `single` | ``single`` |
  /// | `link` | ``linkHeader`` |
  /// | `header=NAME` | ``header(_:)`` |
  /// | `url=PATH` | ``nextURL(at:)`` |
  /// | `page=PARAM`, also with `,from NUMBER` and `,of PATH` | ``pageNumber(_:startingAt:totalPageCount:)`` |
  /// | `offset=PARAM` or `offset=PARAM,limit PARAM` | ``offset(_:limit:)`` |
  /// | `token=PATH,PARAM` or `token=PATH,PARAM,MORE` | ``token(at:query:more:untilRepeated:)`` |
  /// | `token=PATH,header NAME`, also with `,MORE` | ``token(at:header:more:untilRepeated:)`` |
  /// | `token=header NAME,PARAM` | ``token(inHeader:query:untilRepeated:)`` |
  /// | `token=header NAME,header NAME` | ``token(inHeader:header:untilRepeated:)`` |
  /// | `last=PATH,PARAM` or `last=PATH,PARAM,MORE` | ``lastItem(_:query:more:untilRepeated:)`` |
  /// | `cursor=PATH,KEY` or `cursor=PATH,KEY,MORE` | ``cursor(at:bodyKey:more:untilRepeated:)`` |
  ///
  /// `,until repeated` at the end of a `token`, `last` or `cursor` ends the list also when the server
  /// sends the token of the request again, as CloudWatch Logs does:
  /// `cursor=nextForwardToken,nextToken,until repeated`.
  ///
  /// - Throws: ``ParsingError`` with what the style's text has to look like.
  package init(parsing text: String) throws(ParsingError) {
    let name = String(text.prefix { $0 != "=" })
    let rest = text.dropFirst(name.count)
    var parts = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
    let isUntilRepeated =
      ["token", "last", "cursor"].contains(name) && parts.last == PageStyle.Form.untilRepeated
    if isUntilRepeated { parts.removeLast() }

    /// Removes and returns the last part, after the first one, if it begins with a keyword.
    func removeLast(_ keyword: String) -> String? {
      guard parts.count > 1, let value = parts.last?.value(of: keyword) else { return nil }
      parts.removeLast()
      return value
    }
    /// The parts, if their number is right and none is empty.
    func values(_ count: ClosedRange<Int>, _ usage: String) throws(ParsingError) -> [String] {
      guard !rest.isEmpty, count.contains(parts.count), !parts.contains("") else {
        throw .wrongValues(style: name, usage: usage)
      }
      return parts
    }

    switch name {
    case "auto", "single", "link":
      guard rest.isEmpty else { throw .unexpectedValues(style: name) }
      self = name == "auto" ? .auto : name == "single" ? .single : .linkHeader
    case "header":
      self = .header(try PageStyle.headerName(try values(1...1, "header=NAME")[0]))
    case "url":
      self = .nextURL(at: try JSONPath(checking: try values(1...1, "url=PATH")[0]))
    case "page":
      let usage =
        "page=PARAM, perhaps with ,from NUMBER and ,of PATH, as in 'page=p,from 0,of meta.pages'"
      let (pageCount, first) = (removeLast("of "), removeLast("from ") ?? "1")
      let parameter = try values(1...1, usage)[0]
      guard let first = Int(first), (0..<Int.max).contains(first) else {
        throw .wrongValues(style: name, usage: usage)
      }
      self = .pageNumber(
        parameter, startingAt: first, totalPageCount: try JSONPath(checking: pageCount))
    case "offset":
      let limit = removeLast("limit ")
      let usage = "offset=PARAM, perhaps with ,limit PARAM, as in 'offset=skip,limit take'"
      self = .offset(try values(1...1, usage)[0], limit: limit)
    case "token":
      let source = parts.first?.value(of: "header ")
      let parts = try values(
        source == nil ? 2...3 : 2...2,
        "token=PATH,PARAM or token=PATH,PARAM,MORE, with 'header NAME' in place of PARAM, or of PATH if "
          + "without MORE, perhaps with ,\(PageStyle.Form.untilRepeated)")
      let header = try parts[1].value(of: "header ").map(PageStyle.headerName)
      if let source {
        let name = try PageStyle.headerName(source)
        self =
          if let header {
            .token(inHeader: name, header: header, untilRepeated: isUntilRepeated)
          } else {
            .token(inHeader: name, query: parts[1], untilRepeated: isUntilRepeated)
          }
        return
      }
      let path = try JSONPath(checking: parts[0])
      let more = try JSONPath(checking: parts.dropFirst(2).first)
      self =
        if let header {
          .token(at: path, header: header, more: more, untilRepeated: isUntilRepeated)
        } else {
          .token(at: path, query: parts[1], more: more, untilRepeated: isUntilRepeated)
        }
    case "last":
      let parts = try values(
        2...3,
        "last=PATH,PARAM or last=PATH,PARAM,MORE, perhaps with ,\(PageStyle.Form.untilRepeated)")
      self = .lastItem(
        try JSONPath(checking: parts[0]), query: parts[1],
        more: try JSONPath(checking: parts.dropFirst(2).first), untilRepeated: isUntilRepeated)
    case "cursor":
      let parts = try values(
        2...3,
        "cursor=PATH,KEY or cursor=PATH,KEY,MORE, perhaps with ,\(PageStyle.Form.untilRepeated)")
      self = .cursor(
        at: try JSONPath(checking: parts[0]), bodyKey: try JSONPath(checking: parts[1]),
        more: try JSONPath(checking: parts.dropFirst(2).first), untilRepeated: isUntilRepeated)
    default:
      throw .unknownStyle(name)
    }
  }

  private static func headerName(_ text: String) throws(ParsingError) -> String {
    guard HTTPHeaders.isValidName(text) else { throw .invalidHeaderName(text) }
    return text
  }
}

extension String {
  /// The text after a keyword at the start; nil if it does not start with the keyword.
  fileprivate func value(of keyword: String) -> String? {
    hasPrefix(keyword) ? String(dropFirst(keyword.count)) : nil
  }
}

extension JSONPath {
  /// Parses a path that a person wrote, in which an empty name is an error.
  fileprivate init(checking text: String) throws(PageStyle.ParsingError) {
    self.init(text)
    guard !names.contains("") else { throw .emptyName(path: text) }
  }

  fileprivate init?(checking text: String?) throws(PageStyle.ParsingError) {
    guard let text else { return nil }
    try self.init(checking: text)
  }
}

extension PageStyle.ParsingError: CustomStringConvertible {
  /// What is wrong and what the text has to look like.
  package var description: String {
    switch self {
    case .unknownStyle(let name):
      "unknown style '\(name)': use auto, single, link, header=NAME, url=PATH, page=PARAM, offset=PARAM, "
        + "token=PATH,PARAM[,MORE], last=PATH,PARAM[,MORE] or cursor=PATH,KEY[,MORE]; "
        + "token, last and cursor perhaps with ,\(PageStyle.Form.untilRepeated)"
    case .wrongValues(let style, let usage):
      "style '\(style)' is written \(usage), without empty parts"
    case .unexpectedValues(let style):
      "style '\(style)' takes no values: write just \(style)"
    case .emptyName(let path):
      "path '\(path)' has an empty name: write names with single dots between them"
    case .invalidHeaderName(let name):
      "'\(name)' is not a header name: use letters, digits and hyphens"
    }
  }
}
