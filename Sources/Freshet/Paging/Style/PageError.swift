/// The error of a response that is not a page, or whose neighboring pages cannot be determined.
///
/// It is never treated as the end of a list. Descriptions say what to do and show nothing of the
/// content, except the messages of ``reported(_:)``.
public enum PageError: Error, Sendable, Hashable {
  /// The status means no content or partial content: 204, 205, 206; or the body is empty.
  case noContent(status: Int)
  /// The media type of the content is not JSON.
  case notJSON(mediaType: String)
  /// The content is labeled as JSON and is not valid JSON.
  case malformed(JSONText.SyntaxError)
  /// There is no item array, or a value of another kind is in its place; the path is nil if the
  /// array was searched for in the whole body.
  case noItems(at: JSONPath?, JSONText.Kind?)
  /// Several arrays may be the item array.
  case ambiguousItems([JSONPath])
  /// The value at that path, where a link or token is expected, is of another kind.
  case unusableLink(at: JSONPath, JSONText.Kind)
  /// The value at that location indicates more items, and no style is recognized.
  case unknownContinuation(at: String)
  /// The response says at that path that there are more items, and the identity of the last item is to
  /// be sent in that query parameter: only the user knows where an item has its identity.
  case lastItemNeeded(query: String, more: JSONPath)
  /// The server has accepted the request (status 202) and has no items yet.
  case notReady(status: Int)
  /// `Content-Range` counts more items than the page has, and there is no link to the others.
  case partOfRange(String, itemCount: Int)
  /// There are more items, and the last item has no identity at that path to continue from.
  case noLastItem(JSONPath)
  /// The query parameter that counts pages or items is not a number in the request.
  case notCounting(parameter: String)
  /// The server responded with 200 and reports errors in the body, as GraphQL servers do.
  case reported([String])
}

extension PageError: QuotableError {
  /// What is wrong with the response, and what to do.
  public var description: String {
    switch self {
    case .noContent(let status):
      "the response (status \(status)) has no page in it: check the URL and the method"
    case .notJSON(let mediaType):
      "the response is \(mediaType), not JSON: check the URL, the Accept header and the credentials "
        + "(it may be a login page)"
    case .malformed(let error):
      "\(error): check that the URL is that of a JSON API and that the response is complete"
    case .noItems(nil, _):
      "no item array was found in the response: give its path with PageStyle.items(at:)"
    case .noItems(let path?, nil):
      "there is nothing at '\(path)', where the item array should be: correct the path of "
        + "PageStyle.items(at:)"
    case .noItems(.root?, let kind?):
      "the body is of kind \(kind), not an array: give the path of the item array with "
        + "PageStyle.items(at:)"
    case .noItems(let path?, let kind?):
      "the value at '\(path)' is of kind \(kind), not an array: correct the path of "
        + "PageStyle.items(at:)"
    case .ambiguousItems(let paths):
      "several arrays may hold the items ("
        + PageError.list(paths.map(\.description), separator: ", ")
        + "): give the path of one with PageStyle.items(at:)"
    case .unusableLink(let path, let kind):
      "the value at '\(path)' is of kind \(kind), which is neither a link nor the end of the list: "
        + "choose another style or path"
    case .unknownContinuation(let location):
      "'\(location)' says that there is more, but not how to ask for it: choose another PageStyle, or "
        + "PageStyle.single if this is the whole list"
    case .lastItemNeeded(let parameter, let more):
      "'\(more)' says that there is more: choose PageStyle.lastItem(_:query:more:) with the path of the "
        + "identity in an item, the query parameter '\(parameter)' and '\(more)'; a list that is requested backward, with "
        + "ending_before, cannot be continued"
    case .notReady(let status):
      "the response (status \(status)) has no items yet: retry later"
    case .partOfRange(let range, let count):
      "Content-Range is '\(PageError.list([range], separator: ""))', with \(count) items and no link "
        + "to the others: choose another PageStyle"
    case .noLastItem(let path):
      "there is more, but no last item with a '\(path)' to continue from: check the path"
    case .notCounting(let parameter):
      "the query parameter '\(parameter)' of the request is not a number to count from: correct it"
    case .reported(let messages):
      "the server reports errors: \(PageError.list(messages, separator: "; "))"
    }
  }

  /// Up to five texts from a server, as a message shows them.
  private static func list(_ texts: [String], separator: String) -> String {
    let shown = texts.prefix(5).map { String($0.unicodeScalars.prefix(200).onOneLine) }
    return (shown + (texts.count > 5 ? ["…"] : [])).joined(separator: separator)
  }
}
