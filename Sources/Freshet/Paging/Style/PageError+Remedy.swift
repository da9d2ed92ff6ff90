extension PageError {
  /// What to do about an error, for a program to say in its own terms.
  package enum Remedy: Sendable, Hashable {
    /// Something other than a style, as a part of a sentence.
    case other(String)
    /// Give the path of the item array.
    case itemsPath
    /// Choose another style, perhaps one of these.
    case style(perhaps: [PageStyle])
    /// Correct the path in the style.
    case stylePath
    /// Choose that style, which counts as the server does.
    case counting(PageStyle)
    /// Choose the style that continues at a sign of more items, or that of a single page.
    case continuation(Continuation)
    /// Choose the style that continues after the identity of the last item.
    case lastItem(query: String, more: JSONPath)
  }

  /// What to do; nil if the server alone can do something.
  package var remedy: Remedy? {
    switch self {
    case .noContent: .other("check the URL and the method")
    case .notJSON(let mediaType) where Self.isOfLines(mediaType: mediaType):
      .other(
        "request one JSON document, by the Accept header, say: one JSON value a line is not read")
    case .notJSON:
      .other("check the URL, the Accept header and the credentials (it may be a login page)")
    case .malformed(let error) where error.expected == .lessNesting:
      .other("request a response with fewer levels")
    case .malformed(let error) where error.expected == .utf8:
      .other(
        "check that the response is complete, and in UTF-8 as JSON has to be (RFC 8259 section 8.1), whatever "
          + "charset the server names")
    case .malformed(let error) where error.isAtLineAfterValue:
      .other("check that the URL is that of a JSON API; one JSON value a line is not read")
    case .malformed:
      .other("check that the URL is that of a JSON API and that the response is complete")
    case .noItems(_?, nil):
      .other(
        "correct that path; if the server leaves out an empty list, styles with a token, and those that count, read {} as one"
      )
    case .noItems, .ambiguousItems: .itemsPath
    case .itemsOnFirstPage: .other("request that URL")
    case .unusableLink, .noLastItem: .stylePath
    case .unknownContinuation(let sign): .continuation(sign)
    case .lastItemNeeded(let parameter, let more): .lastItem(query: parameter, more: more)
    case .notReady: .other("retry later")
    case .partOfRange: .style(perhaps: [.offset("offset"), .pageNumber("page")])
    case .otherPage: .style(perhaps: [])
    case .notCounting: .other("correct it")
    case .skippedPage(let parameter, let first):
      .counting(.pageNumber(parameter, startingAt: first))
    case .reported: nil
    }
  }
}

extension PageError {
  /// Whether content of a media type is JSON values one after another, mostly one a line.
  static func isOfLines(mediaType: String) -> Bool {
    let subtype = mediaType.split(separator: "/").last ?? ""
    return ["x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines"].contains(subtype)
      || subtype.hasSuffix("json-seq")
  }
}

extension JSONText.SyntaxError {
  /// Whether a value is complete before the line of the error, and something else begins there.
  fileprivate var isAtLineAfterValue: Bool { expected == .endOfDocument && line > 1 && column == 1 }
}

extension PageError.Remedy: CustomStringConvertible {
  /// What a program that uses the library has to change.
  package var description: String {
    switch self {
    case .other(let text): text
    case .itemsPath: "give the path of the item array with PageStyle.items(at:)"
    case .style(let styles):
      "choose another PageStyle" + (styles.isEmpty ? "" : ", perhaps ")
        + styles.map { "'\($0.name)'" }.joined(separator: " or ")
    case .stylePath: "correct the path in the PageStyle, or choose another"
    case .counting(let style): "choose the PageStyle '\(style.name.excerpt)'"
    case .continuation:
      "choose another PageStyle, or PageStyle.single if this is the whole list"
    case .lastItem(let parameter, let more):
      "choose PageStyle.lastItem(_:query:more:) with the path of the identity in an item, the query "
        + "parameter '\(parameter.excerpt)' and '\(more.description.excerpt)'; \(Self.noWayBack)"
    }
  }

  /// What ``lastItem(query:more:)`` cannot do.
  package static let noWayBack =
    "a list that is requested backward, with ending_before, cannot be continued"
}
