/// The URL of every page of a list, with placeholders for the parts that differ.
///
/// ```swift
/// let articles: PaginatorPattern = "articles?per_page=:perPage&page=:currentPage"
/// let rows = try PaginatorPattern(parsing: configured)  // "rows?limit=:perPage&skip=:offset"
/// ```
///
/// | placeholder | stands for |
/// | --- | --- |
/// | `:currentPage` | the number of the requested page |
/// | `:perPage` | how many items are requested for each page |
/// | `:offset` | how many items are on the pages before it |
///
/// `:currentPage` or `:offset` is required, or all pages would have one URL. Everything else stays
/// as it is; characters that a URL cannot hold are percent-encoded when a request is made, and
/// existing encoding is kept. A colon that begins no placeholder stands for itself, as in
/// `https://host:8080/users:list`, but a name right after `/` or `=` has to be one of the three, so
/// that a misspelled placeholder is detected; write `%3A` for a colon there.
public struct PaginatorPattern: Sendable, Hashable {
  private enum Placeholder: String {
    case perPage
    case currentPage
    case offset
  }

  /// A placeholder and the text after it; the text at the start has none.
  private struct Piece: Sendable, Hashable {
    var placeholder: Placeholder?
    var text: String
  }

  private let pieces: [Piece]

  /// The error of a text that is not a valid pattern.
  public enum ParsingError: Error, Sendable, Hashable {
    /// The text has neither `:currentPage` nor `:offset`.
    case noPage
    /// No placeholder has that name.
    case unknownPlaceholder(String)
  }

  /// Parses a pattern from text that is not part of the source code. In source code a string
  /// literal is a pattern.
  ///
  /// - Parameter text: a path below the base URL of a service, with its query, or an absolute URL.
  /// - Throws: ``ParsingError`` if the text is not a valid pattern.
  /// - Complexity: O(*n*) in the length of the text.
  public init(parsing text: String) throws(ParsingError) {
    let segments = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var pieces = [Piece(text: String(Substring(segments[0])))]
    for segment in segments.dropFirst() {
      let name = segment.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
      if let placeholder = Placeholder(rawValue: String(Substring(name))) {
        let rest = String(Substring(segment.dropFirst(name.count)))
        pieces.append(Piece(placeholder: placeholder, text: rest))
      } else {
        let last = pieces.count - 1
        let isValue = pieces[last].text.utf8.last.map { "/=".utf8.contains($0) } ?? true
        guard !isValue || name.first?.isASCIILetter != true else {
          throw .unknownPlaceholder(String(Substring(name)))
        }
        pieces[last].text += ":" + Substring(segment)
      }
    }
    // A fragment is never sent.
    let end = pieces.firstIndex { $0.text.utf8.contains(UInt8(ascii: "#")) } ?? pieces.count - 1
    let sent = pieces[...end].map(\.placeholder)
    guard sent.contains(.currentPage) || sent.contains(.offset) else { throw .noPage }
    self.pieces = pieces
  }

  /// Whether the page is given only by how many items precede it.
  var countsItems: Bool {
    let placeholders = pieces.map(\.placeholder)
    return placeholders.contains(.offset) && !placeholders.contains(.currentPage)
  }

  /// The pattern with query parameters set.
  func setting(_ query: [String: String?]) -> PaginatorPattern {
    guard !query.isEmpty else { return self }
    do throws(ParsingError) {
      return try PaginatorPattern(parsing: URIQuery.setting(query, in: text))
    } catch {
      misuse("Service.paginator(\"\(self)\", query:): \(error)")
    }
  }

  /// The text of the pattern, from which the same pattern can be parsed.
  var text: String { filled { ":" + $0.rawValue } }

  /// The text of a pattern for messages: as it is, or without the secrets in it.
  fileprivate static func publicText(of text: String) -> String {
    let shown = Redaction.url(text)
    // A URL is shown with characters percent-encoded that the text may have.
    return shown == URIParts(text).text ? text : shown
  }

  func url(page: Int, perPage: Int, offset: Int) -> String {
    filled { placeholder in
      switch placeholder {
      case .perPage: String(perPage)
      case .currentPage: String(page)
      case .offset: String(offset)
      }
    }
  }

  /// The pattern with a value in place of each placeholder.
  private func filled(_ value: (Placeholder) -> String) -> String {
    pieces.map { ($0.placeholder.map(value) ?? "") + $0.text }.joined()
  }
}

extension PaginatorPattern: ExpressibleByStringLiteral {
  /// Creates a pattern of a string literal; an invalid one stops the program with a message.
  public init(stringLiteral value: String) {
    do throws(ParsingError) {
      try self.init(parsing: value)
    } catch {
      misuse("PaginatorPattern(\"\(Self.publicText(of: value))\"): \(error)")
    }
  }
}

extension PaginatorPattern: CustomStringConvertible, SecretHolding {
  /// The text of the pattern, in which the values of parameters with secret names, such as `api_key`, and user name and
  /// password are hidden.
  public var description: String { Self.publicText(of: text) }
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
