import Foundation

/// Performs what the list decides, and reports changes of the pages to it.
extension PagedCollection {
  /// Changes the demand, and performs the resulting actions.
  ///
  /// Through the event queue: events that the pages have posted are processed first, and no
  /// observer sees the items change while it is notified of another event.
  func ask(_ change: @escaping (_ list: inout PageList, _ moment: ListMoment) -> Void) {
    queue.post { [self] in
      let moment = moment
      change(&list, moment)
      perform()
    }
  }

  /// The time of a demand.
  var moment: ListMoment {
    ListMoment(
      clock: firstPage.clock, configuration: firstPage.configurationVersion,
      nextLoad: firstPage.store.nextLoad)
  }

  /// Performs the actions of the list, until it rests or waits for a page.
  func perform() {
    while let action = list.nextAction() { perform(action) }
    if !waiters.isEmpty, !list.isLoading { waiters.resume() }
    reportState()
  }

  private func perform(_ action: PageListAction) {
    switch action {
    case .nothing, .release: break
    case .visit(let visit): perform(visit)
    case .observe(let page): page.addObserver(pageObservation)
    case .stopObserving(let page): page.removeObserver(pageObservation)
    case .cancel(let page): page.cancelLoad()
    case .releaseLoad(let page, let load): page.releaseLoad(load)
    case .deliverChanges:
      if list.published == nil { postChanges() }
    case .withhold: shown.withhold()
    case .publish:
      // Pages and items at once; the former ones are released after that.
      let older = (list.takePublished(), shown.publish())
      postChanges()
      withExtendedLifetime(older) {}
    case .splice(let edits):
      let keepsSplices = receivesChanges
      // By index: an edit is not copied.
      for index in edits.indices {
        let new: ArraySlice<Item> = edits[index].inserted?.items() ?? []
        // Nothing would receive the splice. Not to make it saves 6 % of a page.
        if !keepsSplices, edits[index].removedCount == 0 {
          shown.insert(new, at: edits[index].offset)
        } else {
          shown.apply(edits[index], new)
        }
      }
    case .notify(let state, .end): emit(.stateChanged(state))
    case .notify(let state, .start): emit(.previousStateChanged(state))
    case .notifyRefresh(let state): emit(.refreshStateChanged(state))
    case .notifyInvalidation: postInvalidation()
    case .completeRefresh: dates.noteRefresh(at: firstPage.clock.date)
    }
  }

  private func perform(_ visit: PageVisit) {
    let page: PageResource
    do throws(IncompleteWalk.Reason) {
      guard let found = try resource(for: visit.target) else {
        // A link may have been removed, with its event still to be delivered.
        return visit.isAhead
          ? list.visitedAhead(nil, visit.target)
          : list.rest(in: .idle, on: visit.side)
      }
      page = found
    } catch {
      return visit.isAhead
        ? list.visitedAhead(nil, visit.target)
        : list.refuse(error, on: visit.side)
    }
    if visit.side == .start, list.slot(of: page) != nil {
      return list.meetKnown(page, moment)
    }
    let next = firstPage.store.nextLoad
    let request = page.beginLoadIfNeeded(
      since: visit.since, enough: visit.enough, known: list.loads.load(of: page),
      isUnconditional: visit.isUnconditional)
    request?.reportWaits(toList: waitHook)
    let load = page.state.newestInFlight
    if request != nil, let load { list.began(load, of: page) }
    if visit.isAhead {
      list.visitedAhead(page, visit.target, load ?? next)
    } else {
      let moment = moment
      list.visited(page, on: visit.side, status(of: page), found(on: page), moment)
      noteLoaded(page)
    }
  }

  /// The page to visit; nil if none is known.
  private func resource(
    for target: PageVisit.Target
  ) throws(IncompleteWalk.Reason) -> PageResource? {
    switch target {
    case .page(let page): return Self.resource(page)
    case .previous(let page):
      let page = Self.resource(page)
      guard let link = page.box?.value.previous else { return nil }
      return try page.following(link, allowing: options.allowedOrigins)
    case .dropped(let key, let decoder):
      let page: PageResource = firstPage.store.resource(key, decoder: .init(decoder))
      // With repeated requests the resource of that request may be another page of the chain.
      let isRepeated = options.allowsRepeatedPages && list.slot(of: page) != nil
      return isRepeated ? page.repeated() : page
    case .counted(let page, let distance):
      let page = Self.resource(page)
      let link = distance == 0 ? page.box?.value.next : page.box?.value.link(ahead: distance)
      guard let link else { return nil }
      return try page.following(link, allowing: options.allowedOrigins)
    }
  }

  /// Casts a page of the list, which does not know the type of its pages; it has no others.
  static func resource(_ page: AnyResource) -> PageResource {
    unsafeDowncast(page, to: PageResource.self)
  }

  /// The content and next page of a page, where the list does not have them yet.
  private func found(on page: PageResource) -> LoadedPage? {
    guard let box = page.box else { return nil }
    let slot = list.slot(of: page)
    if let slot, list.has(box, in: slot) { return nil }
    var ids: [AnyHashable?]?
    if let id = traits.id { ids = box.value.items.map(id) }
    let itemCount = box.value.items.count
    let isEnd = itemCount == 0 && isEnd(total: box.value.totalCount, in: slot)
    var loaded = LoadedPage(
      content: box, itemCount: itemCount, ids: ids,
      next: isEnd ? .end : next(after: page, box.value.next),
      hasPreviousPage: box.value.previous != nil, endsAtNotFound: box.value.style.endsAtNotFound)
    if box.value.style.isCounting { loaded.total = box.value.totalCount }
    if let slot {
      let old = content(list.chain.slots.inOrder[slot].loaded.content)
      loaded.comparison = compare(box, with: old)
    }
    return loaded
  }

  /// Whether a page without items comes after as many as it counts: then it is the end, though some
  /// servers name a next page there too.
  ///
  /// - Parameters:
  ///   - total: the number of items that the page counts.
  ///   - slot: that of the page; nil for one beyond the end.
  private func isEnd(total: Int?, in slot: Int?) -> Bool {
    guard let total else { return false }
    let loaded = list.chainStart.dropped.itemCount + list.chain.loadedCount(before: slot)
    // A count of 0 after items is that of the page.
    return loaded >= total && (total > 0 || loaded == 0)
  }

  /// Compares the items of a page to those that the chain has of it.
  private func compare(
    _ new: ContentBox<Page<Item>>, with old: ContentBox<Page<Item>>
  ) -> LoadedPage.Comparison {
    let (items, old) = (new.value.items, old.value.items)
    if items.sharesStorage(with: old) { return .same }
    // Only a refresh of the first page depends on more than that.
    guard list.walk.refreshed == .firstPage, let areEqual = traits.areEqual,
      items.elementsEqual(old, by: areEqual)
    else { return .different }
    return .equal
  }

  /// Casts the content of a page of the chain, which does not know the type of the items.
  func content(_ content: AnyObject) -> ContentBox<Page<Item>> {
    unsafeDowncast(content, to: ContentBox<Page<Item>>.self)
  }

  /// - Parameter link: that of the page; not the whole page, whose copy looks up the type of its items.
  private func next(after page: PageResource, _ link: PageLink?) -> NextPage {
    guard let link else { return .end }
    do throws(IncompleteWalk.Reason) {
      return .page(try target(of: link, on: page))
    } catch {
      return .refused(error)
    }
  }

  private func target(
    of link: PageLink, on page: PageResource
  ) throws(IncompleteWalk.Reason) -> PageResource {
    let found = try page.following(link, allowing: options.allowedOrigins)
    // The first page may have been decoded with another style than the one recognized in it; a link
    // back to it is a loop nevertheless.
    let target = found.key == firstPage.key ? firstPage : found
    guard options.allowsRepeatedPages else { return target }
    let slot = list.slot(of: page) ?? list.chain.linkedCount
    let known = list.slot(of: target)
    let isKnown =
      target === page
      || known.map { $0 <= slot } ?? (list.chainStart.dropped.index(of: target.key) != nil)
    guard isKnown else { return target }
    if slot + 1 < list.chain.slots.count, list.page(at: slot + 1).key == target.key {
      return Self.resource(list.page(at: slot + 1))
    }
    return found.repeated()
  }

  private func status(of page: PageResource) -> PageStatus {
    let error = page.state.error
    return PageStatus(
      isLoading: page.state.isLoading, hasData: page.hasData, error: error,
      isInvalidated: page.state.isInvalidated, freshUntil: page.freshUntil ?? .zero,
      absentUntil: error == nil ? .zero : page.clock.now + page.configuration.freshnessLifetime,
      confirmingLoad: page.state.confirmingLoad)
  }

  /// The list's other resources for the request of a page: the service does not know them, and they
  /// are wiped and invalidated with that page.
  ///
  /// - Complexity: O(*p*) in the pages, where requests may be repeated; otherwise O(1).
  private func twins(of page: PageResource) -> [AnyResource] {
    guard options.allowsRepeatedPages, page.isRegistered else { return [] }
    return list.chain.slots.inOrder.map { PageList.resource($0.page) }
      .filter { $0 !== page && $0.key == page.key }
  }

  private func noteLoaded(_ page: PageResource) {
    if let date = page.state.data?.timestamp { dates.noteLoad(at: date) }
  }
}

extension Page {
  /// The link to the page that many places after the next one, where pages are counted.
  fileprivate func link(ahead distance: Int) -> PageLink? {
    let links = links(ahead: distance)
    return links.count == distance ? links.last : nil
  }
}

extension Array {
  /// Whether both are copies of one unchanged array: then their elements are the same.
  func sharesStorage(with other: [Element]) -> Bool {
    count == other.count && storage == other.storage
  }

  // As bytes, whose type need not be looked up.
  private var storage: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}

extension PagedCollection: PageObserver {
  func pageChanged(_ page: AnyResource, event: ResourceEvent) {
    let page = Self.resource(page)
    defer { notifyPageObservers(page, event) }
    switch event {
    case .observerAdded:
      // One that was loaded before posts no event of its content.
      itemDetails?.pageChanged(page)
      return
    case .requested:
      return
    case .invalidated:
      for twin in twins(of: page) { twin.invalidate() }
      list.invalidated(page)
    case .newData(.wipe):
      for twin in twins(of: page) { twin.wipe() }
      list.wiped(page)
    case .newData(let source):
      guard let found = found(on: page) else { return }
      let moment = moment
      list.loaded(page, status(of: page), found, moment)
      if source != .localOverride { noteLoaded(page) }
    case .notModified:
      let moment = moment
      list.confirmed(page, status(of: page), found(on: page), moment)
      noteLoaded(page)
    case .error:
      let moment = moment
      list.failed(page, status(of: page), found(on: page), moment)
    case .requestCancelled:
      // After all other events of the page: a local write cancels a load too, and the walk
      // continues with the written content.
      queue.post { [self] in
        guard !page.state.isLoading else { return }
        list.cancelled(page)
        perform()
      }
      return
    }
    while let action = list.popAction() { perform(action) }
    reportState()
    if let itemDetails { itemDetails.pageChanged(page) }
    guard list.mayContinue || !waiters.isEmpty else { return }
    // After the other observers of the page have been notified: they may observe the next page.
    queue.post(self)
  }
}

extension PagedCollection: PostedWork {
  /// Performs the actions of the list.
  func performPosted() { perform() }
}
