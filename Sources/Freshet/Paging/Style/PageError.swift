/// The error of a response that is not a page, or whose neighboring pages cannot be determined.
///
/// It is never treated as the end of a list. Descriptions say what to do. Of the content they show only names,
/// and the messages of ``reported(_:)``: on one line, and the start of each.
public enum PageError: Error, Sendable, Hashable {
  /// The status means no content (204, 205) or a part of it (206 in bytes), or the body is empty.
  case noContent(status: Int)
  /// The media type of the content is not JSON.
  case notJSON(mediaType: String)
  /// The content is labeled as JSON and is not valid JSON.
  case malformed(JSONText.SyntaxError)
  /// There is no item array, or a value of another kind is in its place.
  ///
  /// The path is nil if the array was searched for in the whole body.
  case noItems(at: JSONPath?, JSONText.Kind?)
  /// There is no item array, but a link to a first page at that path, as in a collection of ActivityPub.
  case itemsOnFirstPage(JSONPath)
  /// Several arrays may be the item array.
  case ambiguousItems([JSONPath])
  /// The value at that path, where a link or token is expected, is of another kind.
  case unusableLink(at: JSONPath, JSONText.Kind)
  /// The response indicates more items, but not how to request them: no style is recognized, or the link or cursor of
  /// the style is missing.
  case unknownContinuation(Continuation)
  /// There are more items, and the request for them needs the identity of the last item.
  ///
  /// The response indicates more items at that path, and the identity is to be sent in that query parameter; only the
  /// user knows where an item has its identity.
  case lastItemNeeded(query: String, more: JSONPath)
  /// The server has no items yet.
  ///
  /// It has accepted the request (status 202), or says in the body that the result is not complete, as BigQuery does
  /// with `jobComplete`.
  case notReady(status: Int)
  /// `Content-Range` counts more items than the page has, or does not show the end of a part (206), and there is no
  /// link to the others.
  case partOfRange(String, itemCount: Int)
  /// There are more items, and the last item has no identity at that path to continue from.
  case noLastItem(JSONPath)
  /// The parameter that counts pages or items is not a number to count from in the request.
  case notCounting(parameter: String)
  /// The response has the number of another page, or the offset, than was requested.
  case otherPage(Int, requested: Int)
  /// A page was skipped, because the server counts pages from a lower number than the style.
  ///
  /// The first page has the given number. The style sent the next page's number in the parameter, and the
  /// server responded with a page two after the first.
  case skippedPage(parameter: String, first: Int)
  /// The server responded with a success status, but reports errors in the body; the messages may be empty.
  ///
  /// GraphQL servers do this, and other servers send errors in place of items.
  case reported([String])
}

extension PageError: QuotableError {
  /// What is wrong with the response, and what to do.
  public var description: String {
    problem + (remedy.map { ": " + $0 } ?? "")
  }

  /// What is wrong with the response.
  package var problem: String {
    switch self {
    case .noContent(let status):
      "the response (status \(status)) has no page in it"
    case .notJSON(let mediaType):
      "the response is \(mediaType.excerpt), not JSON"
    case .malformed(let error):
      "\(error)"
    case .noItems(nil, _):
      "no item array was found in the response"
    case .noItems(.root?, let kind?):
      "the body is of kind \(kind), not an array"
    case .noItems(let path?, nil):
      "there is nothing at \(Self.quoted(path)), where the item array should be"
    case .noItems(let path?, let kind?):
      "the value at \(Self.quoted(path)) is of kind \(kind), not an array"
    case .itemsOnFirstPage(let path):
      "the response has no items, but a link to their first page at \(Self.quoted(path))"
    case .ambiguousItems(let paths):
      "several arrays may hold the items (\(Self.list(paths.map(\.description), separator: ", ")))"
    case .unusableLink(let path, let kind):
      "the value at \(Self.quoted(path)) is of kind \(kind), which is neither a link nor the end of the list"
    case .unknownContinuation(let sign):
      "\(Self.quoted(sign)) says that there is more, but not how to ask for it"
    case .lastItemNeeded(_, let more):
      "\(Self.quoted(more)) says that there is more, after the last item"
    case .notReady(let status):
      "the response (status \(status)) has no items yet"
    case .partOfRange(let range, let count):
      "Content-Range is \(Self.quoted(range)), with \(count) items and no link to the others"
    case .noLastItem(let path):
      "there is more, but no last item with a \(Self.quoted(path)) to continue from"
    case .notCounting(let parameter):
      "the parameter \(Self.quoted(parameter)) of the request is not a number to count from"
    case .otherPage(let number, let requested):
      "the response has the page number or offset \(number), where \(requested) was requested"
    case .skippedPage(_, let first):
      "the first page has the number \(first), and this one the number that was requested: the page "
        + "between them was skipped"
    case .reported([]):
      "the server reports a failure, without a message"
    case .reported(let messages):
      "the server reports errors: \(Self.list(messages, separator: "; "))"
    }
  }

  private static func quoted(_ text: some CustomStringConvertible) -> String {
    "'\(text.description.excerpt)'"
  }

  /// Up to five texts from a server.
  private static func list(_ texts: [String], separator: String) -> String {
    (texts.prefix(5).map(\.excerpt) + (texts.count > 5 ? ["…"] : [])).joined(separator: separator)
  }
}
