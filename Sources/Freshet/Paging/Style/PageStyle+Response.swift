extension PageStyle {
  /// The links and the total that a style finds in a response.
  public struct Links: Sendable, Hashable {
    /// The link to the next page; nil at the end.
    public var next: PageLink?
    /// The link to the previous page; nil at the start, and if the style knows none.
    public var previous: PageLink?
    /// The number of items in the whole list; nil to have it looked for in the usual places.
    public var totalCount: Int?
    /// What else is known of the pages after this one.
    var rest: PageRest?

    /// Creates links; without any, the page is the only one.
    public init(next: PageLink? = nil, previous: PageLink? = nil, totalCount: Int? = nil) {
      self.next = next
      self.previous = previous
      self.totalCount = totalCount
    }

    init(rest: PageRest?) { self.rest = rest }
  }

  /// The parts of a response that are known without its body.
  public struct Head: Sendable {
    /// The request of the response.
    public let request: ResourceKey
    /// The absolute URL of the response, after redirects.
    public let url: String
    /// The header fields of the response.
    public let headers: HTTPHeaders
    /// The number of items on the page.
    public let itemCount: Int
    let status: Int
  }

  /// A response as a style sees it.
  public struct Response: Sendable {
    /// The parts that are known without the body.
    public let head: Head
    /// The body.
    public let body: JSONText
    let itemArray: JSONText
    let itemPath: JSONPath
    /// The body with its item array emptied: in it, members outside of the items are looked for.
    let frame: JSONText
    /// The objects in that which describe the page: each page is asked for several of their members.
    let pageObjects: [ListDescription.Object]

    init(head: Head, body: JSONText, itemArray: JSONText, itemPath: JSONPath, frame: JSONText) {
      (self.head, self.body, self.itemArray) = (head, body, itemArray)
      (self.itemPath, self.frame) = (itemPath, frame)
      pageObjects = ListDescription.objects(in: frame, around: itemPath, from: .page)
    }

    /// The items in the server's order.
    ///
    /// - Complexity: O(*n*) in the bytes of the items, at every use.
    public var items: [JSONText] { itemArray.elements ?? [] }
  }
}

/// What is known of the pages after a page, beside its link to the next one.
enum PageRest: Sendable, Hashable {
  /// The style counts them, if their number is known.
  case counted(PageStyle.Counting)
  /// Nothing was recognized, so there are taken to be none. The style counts as the request or the response does,
  /// where one of them shows how; the page is certainly before the end where its place in the list is known.
  case presumedEnd(PresumedEnd, counting: PageStyle? = nil, isBeforeEnd: Bool = false)
  /// The chosen style names no next page: there is nothing at its path on a first page.
  case nothing(at: JSONPath)
  /// The response says that there are none, and has a link: the list ends here if that leads back.
  case statedEnd
  /// The token that was sent came back, which ends the list, beside several items: if the server ignores it, those of
  /// the page before.
  case repeatedToken

  /// Whether a sign of more items in the response says more than this, and so replaces it.
  var yieldsToSigns: Bool {
    if case .nothing = self { true } else { false }
  }

  /// Whether it is known how many pages there are.
  func isKnown(totalCount: Int?) -> Bool {
    if case .counted(let counting) = self { counting.end(total: totalCount) != nil } else { true }
  }
}
