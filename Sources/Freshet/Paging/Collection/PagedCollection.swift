import Foundation

/// A list that a server sends in pages, as one array that stays up to date.
///
/// A collection observes a chain of page resources. It walks the chain with `loadIfNeeded()` as far
/// as items are wanted, and splices every change of any page into ``items``, whatever its cause.
///
/// ```swift
/// let gists = service.pages("gists", of: Gist.self)
/// gists.addObserver(owner: self) { [weak self] gists, event in
///   if case .itemsChanged(let change) = event { self?.apply(change.splices) }
/// }
/// gists.loadIfNeeded()
/// ```
///
/// It belongs to the actor of its service. Each page is a resource of its own, with its own freshness,
/// error and validators; two collections of one service share the pages that they have in common.
///
/// The first page of a collection need not be the first of the list: pages before it are loaded
/// through their `previous` links.
public final class PagedCollection<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<Page<Item>>

  /// The resource of the collection's first page.
  public let firstPage: PageResource
  /// The limits and behavior of this collection.
  public let options: Options

  /// The state and decisions of the collection, which performs them.
  private(set) var list: PageList
  private var shown = ShownItems<Item>()
  private(set) var refreshDate: Date?
  /// When a page was last loaded or confirmed.
  private(set) var loadDate: Date?
  let traits: ItemTraits<Item>
  /// The resources that the items have of their own; nil if they have none.
  private(set) var itemDetails: (any ItemSharing<Item>)?
  /// The read of the persistent cache that the list waits for.
  private(set) var reading: AnyRequest?
  /// The optimistic edits of items by their identities; nil before the first.
  // A class: an array of a generic type costs 5 % of a page to test for nil.
  private(set) var pendingEditsIfAny: PendingItemEdits<[Item]>?
  private(set) var observersIfAny: ObserverList<Observation>?
  private(set) var trackedIfAny: TrackedProperties?
  /// The observers of the pages; nil before the first.
  private(set) var pageObserversIfAny: PageObservers?
  /// The observation of all pages.
  private(set) lazy var pageObservation = PageObservation(of: self)
  private var waiters = Waiters()
  /// Called when a request of a page begins or ends a wait before another attempt: one for all
  /// pages.
  private(set) lazy var waitHook: (RequestWait?) -> Void = { [weak self] wait in
    self?.requestWaits(wait)
  }

  /// Creates a collection from its first page. Nothing is loaded until items are requested.
  ///
  /// Items that are `Equatable` are left out of changes where they are equal to those they replace;
  /// items that are `Identifiable` are shown once each, unless ``Options/identity`` says otherwise.
  public init(firstPage: PageResource, options: Options = Options()) {
    self.firstPage = firstPage
    self.options = options.allowingReturn(to: firstPage)
    traits = ItemTraits(options.identity)
    list = PageList(
      firstPage: firstPage, limits: options.limits, displaying: options.displayedCount,
      showing: traits.choice)
    firstPage.store.add(self)
    perform()
  }

  deinit {
    // A trigger waits for the end of loads, and keeps no list.
    waiters.resume()
  }

  func makeObservers() -> ObserverList<Observation> {
    let made = ObserverList<Observation>()
    observersIfAny = made
    return made
  }

  func makeTracked() -> TrackedProperties {
    let made = TrackedProperties()
    trackedIfAny = made
    return made
  }

  /// The observers of the pages; made if there are none.
  var pageObservers: PageObservers {
    let observers = pageObserversIfAny ?? PageObservers(queue)
    pageObserversIfAny = observers
    return observers
  }

  /// Notes an optimistic edit of the item with that identity, until it is ended.
  func note(_ edit: SharedEdit<[Item]>, of id: AnyHashable) {
    let edits = pendingEditsIfAny ?? PendingItemEdits()
    pendingEditsIfAny = edits
    edits.append(edit, of: id)
  }

  /// Shares the items with resources of their own: once for each list.
  func shareItems(by sharing: any ItemSharing<Item>) { itemDetails = sharing }
}

// MARK: - Performing

extension PagedCollection {
  /// Changes the demand, and performs the resulting actions.
  ///
  /// Through the event queue: events that the pages have posted are processed first, and no
  /// observer sees the items change while it is notified of another event.
  func ask(_ change: @escaping (_ list: inout PageList, _ moment: ListMoment) -> Void) {
    queue.perform { [self] in
      let moment = moment
      change(&list, moment)
      perform()
    }
  }

  /// The store as it is now, for an input of the list.
  var moment: ListMoment {
    ListMoment(
      clock: firstPage.clock, configuration: firstPage.configurationVersion,
      nextLoad: firstPage.store.nextLoad)
  }

  /// Performs the actions of the list, until it rests or waits for a page.
  func perform() {
    while let action = list.nextAction() { perform(action) }
    if reading != nil, !list.walk.isRestoring { reading.take()?.cancel() }
    if !waiters.isEmpty, !list.isLoading { waiters.resume() }
    reportState()
  }

  /// A stream that ends when nothing is loading.
  func rest() -> AsyncStream<Void> { waiters.make() }

  private func perform(_ action: consuming PageListAction) {
    switch consume action {
    case .nothing, .release: break
    case .visit(let visit): perform(visit)
    case .observe(let page): page.addObserver(pageObservation)
    case .stopObserving(let page): page.removeObserver(pageObservation)
    case .cancel(let page): page.cancelLoad()
    case .releaseLoad(let page, let load): page.releaseLoad(load)
    case .invalidate(let page): page.invalidate()
    case .wipe(let page): page.wipe()
    case .deliverChanges:
      if list.frozen == nil { postChanges() }
    case .freeze:
      shown.freeze()
      // Those that are shown already: their delivery, which follows, comes too late.
      postChanges()
    case .unfreeze:
      // Pages and items at once; the former ones are released after that.
      let older = (list.takeFrozen(), shown.unfreeze())
      postChanges()
      withExtendedLifetime(older) {}
    case .splice(let edits):
      let keepsSplices = receivesChanges
      for edit in edits {
        let new: ArraySlice<Item> = edit.inserted?.items() ?? []
        // Nothing would receive the splice. Not making it saves 6 % of a page.
        if !keepsSplices, edit.range.isEmpty {
          shown.insert(new, at: edit.range.lowerBound)
        } else {
          shown.apply(edit, new)
        }
      }
    case .notify(let state, .end): emit(.stateChanged(state))
    case .notify(let state, .start): emit(.previousStateChanged(state))
    case .notifyRefresh(let state): emit(.refreshStateChanged(state))
    case .notifyInvalidation: postInvalidation()
    case .completeRefresh: refreshDate = firstPage.clock.date
    }
  }

  private func perform(_ visit: PageVisit) {
    let page: PageResource
    do throws(IncompleteWalk.Reason) {
      guard let found = try resource(for: visit.target) else {
        // A link may have been removed, with its event still to be delivered.
        return list.couldNotReach(visit)
      }
      page = found
    } catch {
      return list.couldNotReach(visit, because: error)
    }
    if visit.side == .start, list.slot(of: page) != nil {
      return list.meetKnown(page, moment)
    }
    if visit.purpose == .restore { return restore(page) }
    let next = firstPage.store.nextLoad
    let request = page.beginLoadIfNeeded(
      visit.need, visit.mode, known: list.loads.load(of: page))
    request?.reportWaits(toList: waitHook)
    let load = page.state.newestInFlight
    if request != nil, let load { list.began(load, of: page) }
    if visit.purpose == .ahead {
      list.visitedAhead(page, visit.target, load ?? next)
    } else {
      prepare(page)
      let found = found(on: page, beyond: visit.side)
      list.visited(report(on: page), found, on: visit.side)
      // The events have shown the dates of what the list has already: a local write has none.
      if found != nil { noteLoaded(page) }
    }
  }

  /// Shows a page as the persistent cache has it.
  private func restore(_ page: PageResource) {
    reading?.cancel()
    reading = page.restore { [weak self] reading in
      self?.reading === reading
    } onEnd: { [weak self] isOutdated in
      self?.restored(page, isOutdated: isOutdated)
    }
    guard reading != nil || page.hasData else { return list.walk.finishRestoring() }
    prepare(page)
    var shown = report(on: page)
    shown.isLoading = reading != nil
    list.visited(shown, found(on: page, beyond: .end), on: .end)
    noteLoaded(page)
  }

  private func restored(_ page: PageResource, isOutdated: Bool) {
    // Through the queue, as every input: events come after all of its actions were performed.
    queue.post { [self] in
      list.restored(report(on: page), isOutdated: isOutdated)
      perform()
    }
  }

  /// Makes the pending edits in a page that the list visits, and brings its items and their resources into agreement:
  /// what the page has had before has no event now.
  private func prepare(_ page: PageResource) {
    makeEdits(in: page)
    guard let itemDetails, !hasRead(page) else { return }
    itemDetails.willRead(page)
  }

  private func noteLoaded(_ page: PageResource) {
    guard let date = page.state.data?.timestamp else { return }
    // Pages may be reported in any order.
    loadDate = max(date, loadDate ?? date)
  }

  /// Discards the items, the chain and the dates.
  func discard() {
    list.reset()
    (refreshDate, loadDate) = (nil, nil)
    perform()
  }

  /// Receives the wait of a page's request before another attempt, or its end.
  func requestWaits(_ wait: RequestWait?) {
    for page in list.awaitedPages { list.waits(page, page.inFlight.newestRequest?.wait) }
    if let wait, wait.reason == .server {
      let clock = firstPage.clock
      let delay = Duration.seconds(wait.nextAttemptDate.timeIntervalSince(clock.date))
      list.giveWayToServer(until: clock.now + delay) { $0.inFlight.newestRequest?.wait != nil }
    } else if wait != nil {
      list.loads.narrow()
    }
    perform()
  }
}

// MARK: - Delivering

extension PagedCollection {
  var shownItems: [Item] { shown.items }

  /// Notifies the observers of the changes of the items, together with all that come before the
  /// delivery: at the event, ``items`` is what the splices lead to.
  func postChanges() {
    guard receivesChanges else {
      if let unseen = shown.forgetChanges(firstItemIndex: list.shownFirstItemIndex) {
        withExtendedLifetime(unseen) {}
      }
      return
    }
    queue.post { [self] in deliverChanges() }
  }

  /// Whether anything receives the changes of the items.
  ///
  /// An observer that is added while the list is frozen has yet to receive all changes of the refresh.
  var receivesChanges: Bool { isWatched || list.frozen != nil }

  /// Notifies the observers of the changes that they have not received yet.
  func deliverChanges() {
    let firstItemIndex = list.shownFirstItemIndex
    guard let (splices, isRenumbered) = shown.takeChanges(firstItemIndex: firstItemIndex),
      let change = PagedChange(
        composing: splices, firstItemIndex: firstItemIndex, isRenumbered: isRenumbered,
        areEqual: traits.areEqual)
    else { return }
    notify(notice(of: .itemsChanged(change)))
  }

  /// Reports, after the waiting events, what changes without an event of its own: once for each
  /// input to the list, when its actions are performed.
  func reportState() {
    guard let trackedIfAny, trackedIfAny.isAnyRead else { return }
    let details = list.takeChangeOfDetails() && trackedIfAny.isRead(.details)
    guard details || trackedIfAny.isStateRead else { return }
    queue.post { [self] in
      if details { trackedIfAny.changed(.details) }
      if trackedIfAny.isStateRead { update(trackedIfAny) }
    }
  }

  /// Notifies the observers that pages were invalidated, and reloads these if it is observed.
  func postInvalidation() {
    emit(.invalidated)
    queue.post { [self] in
      list.invalidationNotified()
      guard options.reloadsWhenInvalidated, list.walk.isStarted else { return }
      guard isObservedByProgram else { return }
      firstPage.store.reloads.append(self) { $0.isObservedByProgram }
    }
  }
}

// MARK: - Events of pages

extension PagedCollection: PageObserver {
  func pageChanged(_ page: AnyResource, event: ResourceEvent) {
    let page = Self.resource(page)
    defer { notifyPageObservers(page, event) }
    switch event {
    case .observerAdded, .requested:
      return
    case .invalidated: list.invalidated(page)
    case .newData(.wipe):
      list.wiped(page)
      if list.chain.slots.isEmpty { (refreshDate, loadDate) = (nil, nil) }
    case .newData(let source):
      makeEdits(in: page)
      let isLocalWrite = source == .localOverride
      guard let found = found(on: page, isLocalWrite: isLocalWrite) else { return }
      list.loaded(report(on: page), found)
      if source != .localOverride { noteLoaded(page) }
    case .notModified:
      let found = found(on: page)
      list.confirmed(report(on: page), found)
      noteLoaded(page)
    case .error:
      let found = found(on: page)
      list.failed(report(on: page), found)
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
  func performPosted() { perform() }
}

extension PagedCollection {
  func checkInvariants() {
    list.checkInvariants(isResting: true)
    shown.checkInvariants(isFrozen: list.frozen != nil)
    pendingEditsIfAny?.checkInvariants()
    waiters.checkInvariants()
  }
}
