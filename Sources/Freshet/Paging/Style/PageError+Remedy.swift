extension PageError {
  /// What to do, in the terms of the library; nil if the server alone can do something.
  package var remedy: String? {
    switch self {
    case .noContent: "check the URL and the method"
    case .notJSON(let mediaType) where Self.isOfLines(mediaType: mediaType):
      "request one JSON document, by the Accept header, say: one JSON value a line is not read"
    case .notJSON: "check the URL, the Accept header and the credentials (it may be a login page)"
    case .malformed(let error) where error.expected == .lessNesting:
      "request a response with fewer levels"
    case .malformed(let error) where error.expected == .utf8:
      "check that the response is complete, and in UTF-8 as JSON has to be (RFC 8259 section 8.1), whatever "
        + "charset the server names"
    case .malformed(let error) where error.isAtLineAfterValue:
      "check that the URL is that of a JSON API; one JSON value a line is not read"
    case .malformed: "check that the URL is that of a JSON API and that the response is complete"
    case .noItems(_?, nil):
      "correct that path; if the server leaves out an empty list, styles with a token, and those that count, read {} as one"
    case .noItems, .ambiguousItems:
      "give the path of the item array with PageStyle.items(at:)"
    case .itemsOnFirstPage: "request that URL"
    case .unusableLink, .noLastItem: "correct the path in the PageStyle, or choose another"
    case .unknownContinuation:
      "choose another PageStyle, or PageStyle.single if this is the whole list"
    case .lastItemNeeded(let parameter, let more):
      "choose PageStyle.lastItem(_:query:more:) with the path of the identity in an item, the query "
        + "parameter '\(parameter.excerpt)' and '\(more.description.excerpt)'; \(Self.noWayBack)"
    case .notReady: "retry later"
    case .partOfRange: "choose another PageStyle, perhaps 'offset=offset' or 'page=page'"
    case .otherPage: "choose another PageStyle"
    case .notCounting: "correct it"
    case .skippedPage(let parameter, let first):
      "choose the PageStyle '\(PageStyle.pageNumber(parameter, startingAt: first).name.excerpt)'"
    case .reported: nil
    }
  }

  /// What ``PageStyle/lastItem(_:query:more:untilRepeated:)`` cannot do.
  package static let noWayBack =
    "a list that is requested backward, with ending_before, cannot be continued"
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
