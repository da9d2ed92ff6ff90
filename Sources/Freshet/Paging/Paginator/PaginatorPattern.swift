/// The URL of every page of a list, with placeholders for what differs.
///
/// ```swift
/// let articles: PaginatorPattern = "articles?per_page=:perPage&page=:currentPage"
/// let rows = try PaginatorPattern(parsing: configuredPattern)  // "rows?limit=:perPage&skip=:offset"
/// ```
///
/// | placeholder | stands for |
/// | --- | --- |
/// | `:currentPage` | the number of the page that is requested |
/// | `:perPage` | how many items are requested for each page |
/// | `:offset` | how many items are on the pages before it |
///
/// `:currentPage` or `:offset` is needed, or all pages would have one URL. Everything else stays as it
/// is; what a URL cannot hold is percent-encoded when a request is made, and existing encoding is
/// kept. A colon that begins no placeholder stands for itself, as in `https://host:8080/users:list`,
/// but a name right after `/` or `=` has to be one of the three, so that a slip is noticed; write
/// `%3A` for a colon there.
public struct PaginatorPattern: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case text(String)
    case perPage
    case currentPage
    case offset
  }

  let parts: [Part]

  /// Why a text is no pattern.
  public enum ParsingError: Error, Sendable, Hashable {
    /// The text has neither `:currentPage` nor `:offset`.
    case noPage
    /// No placeholder has that name.
    case unknownPlaceholder(String)
  }

  /// Makes a pattern of text that comes from outside of the source. Text in the source is a pattern as a
  /// literal.
  ///
  /// - Parameter text: a path below the base URL of a service, with its query, or an absolute URL.
  /// - Throws: ``ParsingError`` where the text is no pattern.
  /// - Complexity: O(*n*) in the length of the text.
  public init(parsing text: String) throws(ParsingError) {
    var parts: [Part] = []
    var plain: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: ":") else {
        plain.append(byte)
        continue
      }
      let name = String(
        Substring(rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }))
      guard let part = Part(name: name) else {
        if let first = name.utf8.first, first.isASCIILetter, Self.isValueStart(after: plain) {
          throw .unknownPlaceholder(name)
        }
        plain.append(byte)
        continue
      }
      if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
      plain = []
      parts.append(part)
      rest = rest.dropFirst(name.utf8.count)
    }
    if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
    // What follows # is never sent.
    let sent = parts.prefix { part in
      if case .text(let text) = part { !text.utf8.contains(UInt8(ascii: "#")) } else { true }
    }
    guard sent.contains(.currentPage) || sent.contains(.offset) else { throw .noPage }
    self.parts = parts
  }

  /// Whether the page is given by how many items come before it, and by nothing else.
  var countsItems: Bool { parts.contains(.offset) && !parts.contains(.currentPage) }

  /// The URL of a page.
  func url(page: Int, perPage: Int, offset: Int) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .perPage: String(perPage)
      case .currentPage: String(page)
      case .offset: String(offset)
      }
    }.joined()
  }

  private static func isValueStart(after plain: [UInt8]) -> Bool {
    plain.last.map { "/=".utf8.contains($0) } ?? true
  }
}

extension PaginatorPattern.Part {
  fileprivate init?(name: String) {
    switch name {
    case "perPage": self = .perPage
    case "currentPage": self = .currentPage
    case "offset": self = .offset
    default: return nil
    }
  }
}

extension PaginatorPattern: ExpressibleByStringLiteral {
  /// Makes a pattern of text in the source; a text that is none stops the program and says why.
  public init(stringLiteral value: String) {
    do throws(ParsingError) {
      try self.init(parsing: value)
    } catch {
      preconditionFailure("PaginatorPattern(\"\(value)\"): \(error)")
    }
  }
}

extension PaginatorPattern: CustomStringConvertible {
  /// The text that the pattern was made of.
  public var description: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .perPage: ":perPage"
      case .currentPage: ":currentPage"
      case .offset: ":offset"
      }
    }.joined()
  }
}

extension PaginatorPattern.ParsingError: CustomStringConvertible {
  /// What is wrong and what to write.
  public var description: String {
    switch self {
    case .noPage:
      "the pattern has neither :currentPage nor :offset, so all pages would have the same URL"
    case .unknownPlaceholder(let name):
      "no placeholder is named ':\(name)': use :perPage, :currentPage and :offset, or write %3A for "
        + "a colon that begins none"
    }
  }
}
