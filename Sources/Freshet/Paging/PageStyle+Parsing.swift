extension PageStyle {
  /// Why a text names no style.
  public enum ParsingError: Error, Sendable, Hashable {
    /// There is no style of that name.
    case unknownStyle(String)
    /// The style takes another number of values, or one of them is empty.
    case wrongValues(style: String, usage: String)
    /// The style takes no values.
    case unexpectedValues(style: String)
    /// A name in a path is empty.
    case emptyName(path: String)
    /// A header name is not a token, RFC 9110 section 5.6.2.
    case invalidHeaderName(String)
  }

  /// Makes a style of its text on a command line.
  ///
  /// | text | style |
  /// | --- | --- |
  /// | `auto` | ``auto`` |
  /// | `link` | ``linkHeader`` |
  /// | `header=NAME` | ``header(_:)`` |
  /// | `url=PATH` | ``nextURL(at:)`` |
  /// | `page=PARAM` | ``pageNumber(_:startingAt:pageCount:)`` |
  /// | `offset=PARAM` | ``offset(_:limit:)`` |
  /// | `token=PATH,PARAM` | ``token(at:query:)`` |
  /// | `cursor=PATH,KEY` or `cursor=PATH,KEY,MORE` | ``cursor(at:bodyKey:more:)`` |
  ///
  /// - Throws: ``ParsingError`` with what the style's text has to look like.
  public init(parsing text: String) throws(ParsingError) {
    let name = String(text.prefix { $0 != "=" })
    let rest = text.dropFirst(name.count)
    let parts = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)

    /// The values, if their number is right and none is empty.
    func values(_ count: ClosedRange<Int>, _ usage: String) throws(ParsingError) -> [String] {
      guard !rest.isEmpty, count.contains(parts.count), !parts.contains("") else {
        throw .wrongValues(style: name, usage: usage)
      }
      return parts
    }

    switch name {
    case "auto", "link":
      guard rest.isEmpty else { throw .unexpectedValues(style: name) }
      self = name == "auto" ? .auto : .linkHeader
    case "header":
      let name = try values(1...1, "header=NAME")[0]
      guard HTTPHeaders.isValidName(name) else { throw .invalidHeaderName(name) }
      self = .header(name)
    case "url":
      self = .nextURL(at: try JSONPath(checking: try values(1...1, "url=PATH")[0]))
    case "page":
      self = .pageNumber(try values(1...1, "page=PARAM")[0])
    case "offset":
      self = .offset(try values(1...1, "offset=PARAM")[0])
    case "token":
      let parts = try values(2...2, "token=PATH,PARAM")
      self = .token(at: try JSONPath(checking: parts[0]), query: parts[1])
    case "cursor":
      let parts = try values(2...3, "cursor=PATH,KEY or cursor=PATH,KEY,MORE")
      self = .cursor(
        at: try JSONPath(checking: parts[0]), bodyKey: try JSONPath(checking: parts[1]),
        more: parts.count > 2 ? try JSONPath(checking: parts[2]) : nil)
    default:
      throw .unknownStyle(name)
    }
  }
}

extension JSONPath {
  /// Makes a path of text that a person wrote, in which an empty name is a slip.
  fileprivate init(checking text: String) throws(PageStyle.ParsingError) {
    self.init(text)
    guard !names.contains("") else { throw .emptyName(path: text) }
  }
}

extension PageStyle.ParsingError: CustomStringConvertible {
  /// What is wrong and what the text has to look like.
  public var description: String {
    switch self {
    case .unknownStyle(let name):
      "unknown style '\(name)': use auto, link, header=NAME, url=PATH, page=PARAM, offset=PARAM, "
        + "token=PATH,PARAM or cursor=PATH,KEY[,MORE]"
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
