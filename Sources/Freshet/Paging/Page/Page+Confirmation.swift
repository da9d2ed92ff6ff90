/// Updates what a page derives from header fields, after a 304 has changed them.
extension Page {
  /// The page with the links, the total and the number of pages that a confirmation has changed; nil if it has
  /// changed none of them.
  ///
  /// What the old and the new fields lead to is compared: so changes of the page by an edit or a
  /// transform stay, and so do links from the body.
  ///
  /// - Throws: ``PageError`` if the fields indicate more items, in an unrecognized way;
  ///   ``ContentConfirmation/BodyNeeded`` where only the body and the new fields together have the links.
  func confirmed(by confirmation: ContentConfirmation) throws -> Page? {
    guard confirmation.mayChangeLinks else { return nil }
    guard !style.isCustom || !confirmation.mayChangeCustomLinks else {
      throw ContentConfirmation.BodyNeeded()
    }
    let found = Result { try derived(confirmation, confirmation.headers) }
    if let new = try? found.get(), new == withoutItems, !new.countsOtherwise(than: rest) {
      return nil
    }
    // An error in the old fields did not prevent the page, so the same error in the new ones is
    // ignored.
    guard let old = try? derived(confirmation, confirmation.oldHeaders) else { return nil }
    let new = try found.get()
    var page = self
    if new.next != old.next { page.next = new.next }
    if new.previous != old.previous { page.previous = new.previous }
    if new.totalCount != old.totalCount, totalCount == old.totalCount {
      page.totalCount = new.totalCount
    }
    if new.style != old.style { page.style = new.style }
    let countsOtherwise = new.countsOtherwise(than: old.rest)
    guard page.withoutItems != withoutItems || countsOtherwise else { return nil }
    if page.next != nil || countsOtherwise, let rest = new.rest { page.rest = rest }
    return page
  }

  /// Whether it counts the pages after it, and not as it did before.
  private func countsOtherwise(than older: ContentBox<PageRest>?) -> Bool {
    guard let rest, case .counted = rest.value else { return false }
    return rest.value != older?.value
  }

  private var withoutItems: Page<Never> {
    Page<Never>(items: [], next: next, previous: previous, totalCount: totalCount, style: style)
  }

  /// The links from header fields alone.
  private func derived(
    _ confirmation: ContentConfirmation, _ headers: HTTPHeaders
  ) throws -> Page<Never> {
    let head = confirmation.head(with: headers, itemCount: items.count)
    guard !style.needsBody else {
      var page = withoutItems
      page.totalCount = head.totalCount
      return page
    }
    var page: Page<Never> = try style.page([], head)
    if var counting = page.counting, let known = self.counting {
      // It is in the body.
      counting.saysMore = counting.end == nil && known.saysMore
      page.rest = ContentBox(.counted(counting))
    }
    if let path = style.itemsPath {
      page.style = page.style.items(style.itemLocation.moved(to: path))
    }
    return page
  }
}

extension ContentConfirmation {
  /// Whether a field that may hold links or totals has changed.
  var mayChangeLinks: Bool {
    headers.fields.contains { field in
      oldHeaders[field.name] != field.value
        && !["date", "age", "expires", "etag", "cache-control", "last-modified"]
          .contains(field.name.asciiLowercased)
    }
  }

  /// Whether a field has changed that a custom style may read: any that does not differ in every response anyway.
  var mayChangeCustomLinks: Bool {
    headers.fields.contains { field in
      oldHeaders[field.name] != field.value && !Self.mayDifferAlways(field.name)
        && oldHeaders.values(for: field.name) != headers.values(for: field.name)
    }
  }

  /// Whether a field says nothing of a list: how the response was made, sent or cached, or what else the client may
  /// request.
  private static func mayDifferAlways(_ name: String) -> Bool {
    fieldsOfTransfer.contains(name)
      || wordsOfTransfer.contains(where: name.asciiLowercased.contains)
  }

  private static let fieldsOfTransfer: HTTPFieldNames = [
    "Age", "Alt-Svc", "CF-Ray", "Connection", "Date", "ETag", "Expires", "Keep-Alive",
    "Last-Modified", "NEL", "Report-To", "Retry-After", "Server", "Set-Cookie", "Vary", "Via",
    "X-Amz-Cf-Id", "X-Amz-Cf-Pop", "X-Amz-Id-2", "X-Runtime", "X-Served-By", "X-Timer",
  ]

  private static let wordsOfTransfer = [
    "cache", "correlation", "duration", "elapsed", "latency", "policy", "process-time", "ratelimit",
    "rate-limit", "request-id", "requestid", "response-time", "security", "service-time", "timing",
    "trace",
  ]

  /// The head of the response, as a style sees it without the body.
  ///
  /// - Parameter headers: those before the 304, or those after it.
  func head(with headers: HTTPHeaders, itemCount: Int) -> PageStyle.Head {
    PageStyle.Head(request: key, url: url, headers: headers, itemCount: itemCount, status: 200)
  }
}
