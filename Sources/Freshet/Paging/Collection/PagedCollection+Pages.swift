import Foundation

/// The pages as the list needs them: where they are, what they hold, and their state.
extension PagedCollection {
  /// The page to visit; nil if none is known.
  func resource(
    for target: PageVisit.Target
  ) throws(IncompleteWalk.Reason) -> PageResource? {
    switch target {
    case .page(let page): return Self.resource(page)
    case .previous(let page):
      let page = Self.resource(page)
      guard let link = page.box?.value.previous else { return nil }
      return own(try page.following(link, allowing: options.allowedOrigins))
    case .dropped(let key, let decoder):
      let page = own(firstPage.store.resource(key, decoder: .init(decoder)))
      return options.allowsRepeatedPages && list.isRepeated(page) ? page.repeated() : page
    case .counted(let page, let distance):
      let page = Self.resource(page)
      let link = distance == 0 ? page.box?.value.next : page.box?.value.link(ahead: distance)
      guard let link else { return nil }
      return own(try page.following(link, allowing: options.allowedOrigins))
    }
  }

  /// The resource that the list has for a page: the first page may have been decoded with another style than the one
  /// recognized in it, and a link back leads to it nevertheless. After its service was deallocated, nothing but the
  /// list knows its pages by their requests.
  private func own(_ page: PageResource) -> PageResource {
    if page.key == firstPage.key { return firstPage }
    return page.isRegistered ? page : Self.resource(list.page(like: page))
  }

  /// Casts a page of the list, which does not know the type of its pages; it has no others.
  static func resource(_ page: AnyObject) -> PageResource {
    unsafeDowncast(page, to: PageResource.self)
  }

  /// The content and next page of a page, if the list does not have them yet.
  ///
  /// - Parameters:
  ///   - side: where the page is, unless it is in the chain; nil to look that up, only where it is needed.
  ///   - isLocalWrite: whether the program has written it: the server has sent no other items.
  func found(
    on page: PageResource, beyond side: ListSide? = nil, isLocalWrite: Bool = false
  ) -> LoadedPage? {
    guard let box = page.box else { return nil }
    let (slot, mayBeNew) = list.slot(of: page, with: box)
    guard mayBeNew else { return nil }
    let itemCount = box.value.items.count
    // Mostly there are no edits; see ``ResourceState/hasEdits``.
    let received = page.state.hasEdits ? page.receivedCount(showing: itemCount) : itemCount
    let position = slot ?? list.position(beyond: side ?? list.side(of: page))
    let next = next(after: page, box, sending: received, at: position)
    if list.has(box, leadingTo: next, in: slot) { return nil }
    var ids: [AnyHashable?]?
    if let id = traits.id { ids = box.value.items.map(id) }
    var loaded = LoadedPage(
      page: page, content: box, itemCount: itemCount, ids: ids, next: next,
      hasPreviousPage: box.value.previous != nil)
    loaded.editedCount = itemCount - received
    loaded.load = page.state.confirmingLoad
    loaded.end.total = box.value.totalCount
    if box.value.style.isCounting {
      loaded.end = box.value.listEnd(itemsOnFirst: list.receivedCountOnFirst(or: loaded))
    }
    if let slot {
      loaded.comparison = compare(box, of: isLocalWrite ? nil : loaded.load, in: slot)
    }
    return consume loaded
  }

  /// Compares the items of a page to those that the chain has of it.
  ///
  /// - Parameter load: the load that has brought them; nil for none.
  private func compare(
    _ new: ContentBox<Page<Item>>, of load: ResourceState.LoadID?, in slot: Int
  ) -> LoadedPage.Comparison {
    let known = content(list.chain.slots[slot].content)
    let (items, old) = (new.value.items, known.value.items)
    if items.sharesStorage(with: old) { return .same }
    guard let load, load != list.chain.slots[slot].load else { return .edited }
    // Whether they are equal matters to a refresh of the first page: to the one that is under way, and to
    // the next one.
    guard let areEqual = traits.areEqual, items.count == old.count else { return .different }
    // By index: iterators look up types, which takes 880 of 1,070 instructions for an item.
    for index in 0..<items.count where !areEqual(items[index], old[index]) { return .different }
    return .equal
  }

  /// Casts the content of a page of the chain, which does not know the type of the items.
  func content(_ content: AnyObject) -> ContentBox<Page<Item>> {
    unsafeDowncast(content, to: ContentBox<Page<Item>>.self)
  }

  /// The next page of a page: its link, and the numbers of items and pages, show whether there is one.
  ///
  /// - Parameters:
  ///   - box: the page's content; not the page in it, whose copy looks up the type of its items.
  ///   - count: how many items the server has sent in it.
  ///   - position: that of the page; see ``PageList/position(beyond:)``.
  private func next(
    after page: PageResource, _ box: ContentBox<Page<Item>>, sending count: Int, at position: Int
  ) -> NextPage {
    // Mostly the page has items and a link, and the others need not be looked at: saves 2 % of a change.
    var next = box.value.next
    if next == nil || count == 0 {
      next = box.value.continuation(
        sending: count, after: list.receivedCount(before: position, of: box.value.totalCount)
      ) {
        contentBefore(position)
      }
    }
    guard let link = next else { return .end }
    do throws(IncompleteWalk.Reason) {
      let found = try page.following(link, allowing: options.allowedOrigins)
      let target = own(found)
      if options.allowsRepeatedPages {
        return .page(
          list.repeatedPage(for: target, after: page, at: position) ?? found.repeated())
      }
      // The page itself says that it is the last.
      if case .statedEnd? = box.value.rest?.value,
        list.leadsBack(to: target, from: page, at: position)
      {
        return .end
      }
      return .page(target)
    } catch {
      return .refused(error)
    }
  }

  /// The content of the first page and of the one before a position: the first page again where none is loaded there.
  private func contentBefore(_ position: Int) -> [Page<Item>] {
    guard position != 0, list.chain.slots.count > 0 else { return [] }
    return [0, max(position - 1, 0)].map {
      content(list.chain.slots[$0].content).value
    }
  }

  func report(on page: PageResource) -> PageReport {
    let error = page.state.error
    return PageReport(
      page: page, moment: moment, isLoading: page.state.isLoading, hasData: page.hasData,
      error: error,
      isInvalidated: page.state.isInvalidated, freshUntil: page.freshUntil ?? .zero,
      absentUntil: error == nil ? .zero : page.clock.now + page.configuration.freshnessLifetime,
      confirmingLoad: page.state.confirmingLoad)
  }
}

extension Array {
  /// Whether both are copies of one unchanged array: then their elements are the same.
  func sharesStorage(with other: [Element]) -> Bool {
    count == other.count && storage == other.storage
  }

  private var storage: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}
