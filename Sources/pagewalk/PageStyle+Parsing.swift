import Freshet

/// A style as it is written on the command line.
extension PageStyle {
  /// Why a text names no style.
  enum ParsingError: Error, Hashable {
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

  /// Parses a style from its text on the command line.
  ///
  /// | text | style |
  /// | --- | --- |
  /// | `auto` | `auto` |
  /// | `single` | `single` |
  /// | `link` | `linkHeader` |
  /// | `header=NAME` | `header(_:)` |
  /// | `url=PATH` | `nextURL(at:)` |
  /// | `page=PARAM`, also with `,from NUMBER` and `,of PATH` | `pageNumber(_:startingAt:totalPageCount:)` |
  /// | `offset=PARAM` or `offset=PARAM,limit PARAM` | `offset(_:limit:)` |
  /// | `token=PATH,PARAM` or `token=PATH,PARAM,MORE` | `token(at:query:more:untilRepeated:)` |
  /// | `token=PATH,header NAME`, also with `,MORE` | `token(at:header:more:untilRepeated:)` |
  /// | `token=header NAME,PARAM` | `token(inHeader:query:untilRepeated:)` |
  /// | `token=header NAME,header NAME` | `token(inHeader:header:untilRepeated:)` |
  /// | `last=PATH,PARAM` or `last=PATH,PARAM,MORE` | `lastItem(_:query:more:untilRepeated:)` |
  /// | `cursor=PATH,KEY` or `cursor=PATH,KEY,MORE` | `cursor(at:bodyKey:more:untilRepeated:)` |
  ///
  /// `,until repeated` at the end of a `token`, `last` or `cursor` ends the list even when the server
  /// sends the token of the request again, as CloudWatch Logs does:
  /// `cursor=nextForwardToken,nextToken,until repeated`.
  ///
  /// - Throws: ``ParsingError`` with what the style's text has to look like.
  init(parsing text: String) throws(ParsingError) {
    var values = StyleValues(of: text)
    self =
      switch values.style {
      case "auto": try values.none(for: .auto)
      case "single": try values.none(for: .single)
      case "link": try values.none(for: .linkHeader)
      case "header": try .header(parsing: values)
      case "url": try .url(parsing: values)
      case "page": try .page(parsing: &values)
      case "offset": try .offset(parsing: &values)
      case "token": try .token(parsing: &values)
      case "last": try .last(parsing: &values)
      case "cursor": try .cursor(parsing: &values)
      case let name: throw .unknownStyle(name)
      }
  }

  private static func header(parsing values: StyleValues) throws(ParsingError) -> PageStyle {
    .header(try headerName(try values.parts(1...1, "header=NAME")[0]))
  }

  private static func url(parsing values: StyleValues) throws(ParsingError) -> PageStyle {
    .nextURL(at: try JSONPath(checking: try values.parts(1...1, "url=PATH")[0]))
  }

  private static func page(parsing values: inout StyleValues) throws(ParsingError) -> PageStyle {
    let usage =
      "page=PARAM, perhaps with ,from NUMBER and ,of PATH, as in 'page=p,from 0,of meta.pages'"
    let pageCount = values.removeLast("of ")
    let first = values.removeLast("from ") ?? "1"
    let parameter = try values.parts(1...1, usage)[0]
    guard let first = Int(first), (0..<Int.max).contains(first) else {
      throw .wrongValues(style: values.style, usage: usage)
    }
    return .pageNumber(
      parameter, startingAt: first, totalPageCount: try JSONPath(checking: pageCount))
  }

  private static func offset(parsing values: inout StyleValues) throws(ParsingError) -> PageStyle {
    let limit = values.removeLast("limit ")
    let usage = "offset=PARAM, perhaps with ,limit PARAM, as in 'offset=skip,limit take'"
    return .offset(try values.parts(1...1, usage)[0], limit: limit)
  }

  private static func token(parsing values: inout StyleValues) throws(ParsingError) -> PageStyle {
    let untilRepeated = values.removeUntilRepeated()
    let source = values.first?.value(of: "header ")
    let parts = try values.parts(
      source == nil ? 2...3 : 2...2,
      "token=PATH,PARAM or token=PATH,PARAM,MORE, with 'header NAME' in place of PARAM, or of PATH if "
        + "without MORE, perhaps with ,\(Form.untilRepeated)")
    let target: Form.TokenTarget =
      if let name = parts[1].value(of: "header ") {
        .header(try headerName(name))
      } else {
        .query(parts[1])
      }
    let origin: Form.TokenSource =
      if let source {
        .headerField(try headerName(source))
      } else {
        .member(try JSONPath(checking: parts[0]))
      }
    return PageStyle(
      sending: origin, in: target, more: try JSONPath(checking: parts.dropFirst(2).first),
      untilRepeated: untilRepeated)
  }

  private static func last(parsing values: inout StyleValues) throws(ParsingError) -> PageStyle {
    let untilRepeated = values.removeUntilRepeated()
    let parts = try values.parts(
      2...3, "last=PATH,PARAM or last=PATH,PARAM,MORE, perhaps with ,\(Form.untilRepeated)")
    return .lastItem(
      try JSONPath(checking: parts[0]), query: parts[1],
      more: try JSONPath(checking: parts.dropFirst(2).first), untilRepeated: untilRepeated)
  }

  private static func cursor(parsing values: inout StyleValues) throws(ParsingError) -> PageStyle {
    let untilRepeated = values.removeUntilRepeated()
    let parts = try values.parts(
      2...3, "cursor=PATH,KEY or cursor=PATH,KEY,MORE, perhaps with ,\(Form.untilRepeated)")
    return .cursor(
      at: try JSONPath(checking: parts[0]), bodyKey: try JSONPath(checking: parts[1]),
      more: try JSONPath(checking: parts.dropFirst(2).first), untilRepeated: untilRepeated)
  }

  private static func headerName(_ text: String) throws(ParsingError) -> String {
    guard HTTPHeaders.isValidName(text) else { throw .invalidHeaderName(text) }
    return text
  }
}

extension PageStyle.Form {
  /// The value of `--style` that names the style; nil for one that cannot be written there.
  var argument: String? { (try? PageStyle(parsing: name)) == nil ? nil : name }
}

/// The text of a style in parts: `style=value,value`.
private struct StyleValues {
  /// What stands before the `=`.
  let style: String
  /// Whether there is an `=`.
  private let isAssigned: Bool
  /// What stands after it, at each comma.
  private var values: [String]

  init(of text: String) {
    style = String(text.prefix { $0 != "=" })
    let rest = text.dropFirst(style.count)
    isAssigned = !rest.isEmpty
    values = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
  }

  var first: String? { values.first }

  /// Removes the last value and returns what follows a keyword in it; nil, and removes nothing, where it does not
  /// begin with the keyword, or is the first one.
  mutating func removeLast(_ keyword: String) -> String? {
    guard values.count > 1, let value = values.last?.value(of: keyword) else { return nil }
    values.removeLast()
    return value
  }

  /// Removes the last value if it says that a repeated token ends the list; whether it did.
  mutating func removeUntilRepeated() -> Bool {
    guard values.last == PageStyle.Form.untilRepeated else { return false }
    values.removeLast()
    return true
  }

  /// The values, if their number is right and none is empty.
  func parts(
    _ count: ClosedRange<Int>, _ usage: String
  ) throws(PageStyle.ParsingError) -> [String] {
    guard isAssigned, count.contains(values.count), !values.contains("") else {
      throw .wrongValues(style: style, usage: usage)
    }
    return values
  }

  /// A style that takes no values, if there are none.
  func none(for style: PageStyle) throws(PageStyle.ParsingError) -> PageStyle {
    guard !isAssigned else { throw .unexpectedValues(style: self.style) }
    return style
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
  var description: String {
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
