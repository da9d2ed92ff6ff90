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
    let new = Result { try derived(confirmation, confirmation.headers) }
    if let new = try? new.get(), new.isShown(by: self) { return nil }
    // What the old fields did not keep from being a page, the same fields do not either.
    guard let old = try? derived(confirmation, confirmation.oldHeaders) else { return nil }
    return changed(from: old, to: try new.get())
  }

  private func changed(from old: Derived, to new: Derived) -> Page? {
    var page = self
    if new.links.next != old.links.next { page.next = new.links.next }
    if new.links.previous != old.links.previous { page.previous = new.links.previous }
    if new.total != old.total, total == old.total { page.total = new.total }
    if new.style != old.style { page.style = new.style }
    let isChanged =
      page.next != next || page.previous != previous || page.total != total || page.style != style
    guard isChanged else { return nil }
    if let counting = new.links.counting { page.ahead = PagesAhead(counting, total: page.total) }
    return page
  }

  private struct Derived {
    var links: PageStyle.Links
    var total: Int?
    var style: PageStyle

    /// Whether a page has all of this already.
    func isShown(by page: Page) -> Bool {
      links.next == page.next && links.previous == page.previous && total == page.total
        && style == page.style
    }
  }

  /// What header fields alone lead to.
  private func derived(
    _ confirmation: ContentConfirmation, _ headers: HTTPHeaders
  ) throws -> Derived {
    let head = PageStyle.Head(
      request: confirmation.key, url: confirmation.url, headers: headers, itemCount: items.count,
      status: 200)
    guard let links = style.linksWithoutBody else {
      return Derived(
        links: PageStyle.Links(next: next, previous: previous), total: head.totalInHeaders,
        style: style)
    }
    let (found, recognized) = try links(head)
    return Derived(
      links: found, total: found.total ?? head.totalInHeaders,
      style: style.itemsPath.map(recognized.items) ?? recognized)
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
