/// What a resource that the collection has found for a link or a request is in the list.
///
/// A call of a method that changes nothing copies the list, so those that are not inlined are called only in rare
/// cases.
extension PageList {
  /// Whether the target of a page's link is this page itself, or one before it: also one that was dropped before the
  /// walk began again.
  func leadsBack(
    to target: AnyResource, from page: AnyResource, at position: Int
  ) -> Bool {
    target === page || slot(of: target).map { $0 < position } == true
      || dropped.contains(target.key)
  }

  /// The page that a page's link leads to where several pages may have one request; nil for another resource than the
  /// target of the link, for the server's next response to its request.
  func repeatedPage(
    for target: AnyResource, after page: AnyResource, at position: Int
  ) -> AnyResource? {
    let known = slot(of: page)
    // The page that follows stays. One that comes to the chain is put before the first stale page, or before all.
    let following = known == nil ? max(position, 0) : position + 1
    if following < chain.slots.count, self.page(at: following).key == target.key {
      return self.page(at: following)
    }
    let isRepeated =
      target === page
      || slot(of: target).map { $0 <= position } ?? dropped.contains(target.key)
    guard isRepeated else { return target }
    // The page beyond stays the same: it may be loading, or have failed, and another one would be requested at once.
    if let known, case .page(let next) = chain.slots[known].next {
      let next = Self.resource(next)
      if next.key == target.key, slot(of: next) == nil { return next }
    }
    return nil
  }

  /// The page of the list with the same request and decoder as a resource; that resource if there is none.
  ///
  /// - Complexity: O(*p*) in the pages, for a resource that is new to the list.
  func page(like resource: AnyResource) -> AnyResource {
    guard slot(of: resource) == nil, resource !== end.beyond else { return resource }
    func isLike(_ page: AnyResource) -> Bool {
      page.key == resource.key && page.anyDecoder.reads(like: resource.anyDecoder)
    }
    let others = [end.beyond, start.beyond].compactMap(\.self) + loads.pagesAhead
    return chain.slots.lazy.map { Self.resource($0.page) }.first(where: isLike)
      ?? others.first(where: isLike) ?? resource
  }

  /// Whether the resource for the request of a dropped page may be another page, in the chain or dropped, where
  /// several pages may have one request.
  func isRepeated(_ page: AnyResource) -> Bool {
    slot(of: page) != nil || dropped.repeatsEarlierPage
  }

  /// How many items the server had sent in the first page of the list; nil if that is not known.
  ///
  /// - Parameter page: the page that becomes the first one where there is none.
  @inline(__always)
  func receivedCountOnFirst(or page: LoadedPage) -> Int? {
    let first = chain.slots.first ?? page
    return dropped.receivedCountOnFirst
      ?? (first.hasPreviousPage ? nil : first.receivedCount)
  }
}
