/// What a page derives from header fields, once a 304 has changed them.
extension Page {
  /// The page with those links and the total that a confirmation has changed; nil where it has changed
  /// none of them.
  ///
  /// Compared is what the old and the new fields lead to: what an edit or a transform has made of the
  /// page stays, and what comes from the body does.
  ///
  /// - Throws: ``PageError`` where the fields say that there is more, in a way that is not recognized.
  func confirmed(by confirmation: ContentConfirmation) throws -> Page? {
    guard confirmation.mayChangeLinks else { return nil }
    let found = Result { try derived(confirmation, confirmation.headers) }
    if let new = try? found.get(), new == withoutItems { return nil }
    // What the old fields did not keep from being a page, the same fields do not either.
    guard let old = try? derived(confirmation, confirmation.oldHeaders) else { return nil }
    let new = try found.get()
    var page = self
    if new.next != old.next { page.next = new.next }
    if new.previous != old.previous { page.previous = new.previous }
    if new.totalCount != old.totalCount, totalCount == old.totalCount {
      page.totalCount = new.totalCount
    }
    if new.style != old.style { page.style = new.style }
    guard page.withoutItems != withoutItems else { return nil }
    page.ahead = new.ahead ?? ahead
    return page
  }

  private var withoutItems: Page<Never> {
    Page<Never>(items: [], next: next, previous: previous, totalCount: totalCount, style: style)
  }

  /// What header fields alone lead to.
  private func derived(
    _ confirmation: ContentConfirmation, _ headers: HTTPHeaders
  ) throws -> Page<Never> {
    let head = PageStyle.Head(
      request: confirmation.key, url: confirmation.url, headers: headers, itemCount: items.count,
      status: 200)
    guard !style.needsBody else {
      var page = withoutItems
      page.totalCount = head.totalCount
      return page
    }
    var page: Page<Never> = try style.page([], head)
    if let path = style.itemsPath { page.style = page.style.items(at: path) }
    return page
  }
}

extension ContentConfirmation {
  /// Whether a field has changed that may hold links or totals. Mostly none has: to find that out
  /// takes a fraction of reading them.
  fileprivate var mayChangeLinks: Bool {
    headers.fields.contains { field in
      oldHeaders[field.name] != field.value
        && !["date", "age", "expires", "etag", "cache-control", "last-modified"]
          .contains(field.name.asciiLowercased)
    }
  }
}
