/// The walk: which page is visited next.
extension PageList {
  /// Whether ``nextAction()`` may have an action.
  @inline(__always)
  var mayContinue: Bool {
    if end.awaited == nil ? walk.isWalking : loads.hasRoom { return true }
    if demand.wantsPrevious || actions.hasAny { return true }
    if case .ended = end.state { return !isEnded }
    return false
  }

  /// The next action; nil if the list rests, or waits for a page.
  mutating func nextAction() -> PageListAction? {
    while true {
      if let action = popAction() { return action }
      // Both ends have their turn if one request may be under way.
      if !walk.isRefresh, !chain.hasStalePages, mayExtendStart, extend(.start) { continue }
      if mayWalk, walkOn() { continue }
      if mayExtendStart, extend(.start) { continue }
      if lookAhead() { continue }
      reconsiderEnd()
      // The first page, before which others were to be loaded, has failed or was cancelled.
      if demand.wantsPrevious, chain.linkedCount == 0, !walk.isWalking, start.awaited == nil,
        start.state.isLoading
      {
        rest(in: .idle, on: .start)
      }
      guard actions.hasAny else { return nil }
    }
  }

  var mayWalk: Bool {
    walk.isWalking && end.awaited == nil && (start.awaited == nil || loads.width > 1)
  }

  /// Whether pages before the first one may be requested: not while the pages after it are
  /// replaced.
  var mayExtendStart: Bool {
    guard demand.wantsPrevious, start.awaited == nil, chain.linkedCount > 0, !walk.isRestoring,
      !chain.hasStalePages || end.awaited == nil
    else { return false }
    // One of several is for the other end.
    let isReserved = walk.isWalking && end.awaited == nil && loads.width > 1
    return loads.count < loads.width - (isReserved ? 1 : 0)
  }

  /// Visits the next page that may be stale, or goes beyond the end.
  mutating func walkOn() -> Bool {
    if walk.isRestoring { return restoreOn() }
    guard walk.position < chain.linkedCount else { return extend(.end) }
    visit(.page(page(at: walk.position)), on: .end)
    return true
  }

  /// Loads before this one count as stale for pages that are visited on a side.
  @inline(__always)
  func since(on side: ListSide) -> ResourceState.LoadID {
    side == .end ? walk.since : demand.previous.since ?? walk.since
  }

  /// Shows the next page as the persistent cache has it, as far as items are wanted and may be in memory.
  private mutating func restoreOn() -> Bool {
    let target = pageToRestore()
    let isBeyond = walk.position >= chain.linkedCount
    if target != nil, isBeyond { resolveMore() }
    if let target, !isBeyond || !isCovered(on: .end) {
      visit(target, on: .end, as: .restore)
    } else {
      walk.finishRestoring()
    }
    return true
  }

  /// The page of the walk, if it may be shown as the persistent cache has it.
  private func pageToRestore() -> PageVisit.Target? {
    let count = chain.linkedCount
    if walk.position < count { return .page(page(at: walk.position)) }
    guard count < limits.retainedPageLimit,
      wantsPage(at: count) || demand.allowsPage(after: count),
      chain.linkedItemCount < limits.itemLimit
    else { return nil }
    return try? neighbor(on: .end)
  }

  /// Goes beyond the pages on one side, as far as items are wanted there.
  ///
  /// - Returns: whether to continue.
  mutating func extend(_ side: ListSide) -> Bool {
    do throws(IncompleteWalk.Reason) {
      guard let target = try neighbor(on: side) else {
        rest(in: .ended, on: side)
        return false
      }
      if side == .end { resolveMore() }
      if isCovered(on: side) {
        rest(in: .idle, on: side)
        return false
      }
      if side == .end, isRefreshed {
        // What else is wanted is loaded after the refresh.
        walk.finishRefresh()
        noteRefresh()
        unfreeze()
        setRefreshState(.idle)
      } else {
        try pay(for: target, on: side)
        visit(target, on: side)
      }
      return true
    } catch {
      refuse(error, on: side)
      return false
    }
  }

  /// The page beyond the chain on one side; nil if the list ends there. Throws why a page there must not be visited.
  func neighbor(on side: ListSide) throws(IncompleteWalk.Reason) -> PageVisit.Target? {
    switch side {
    case .end:
      guard chain.linkedCount > 0 else { return .page(dropped.next) }
      guard !isNextAbsent else { return nil }
      switch chain.slots[chain.linkedCount - 1].next {
      case .end: return nil
      case .refused(let reason): throw reason
      case .page(let next):
        let page = Self.resource(next)
        if let known = slot(of: page), known < chain.linkedCount { throw .loop(backTo: known) }
        if !limits.allowsRepeatedPages, let known = dropped.index(of: page.key) {
          throw .loop(backTo: known)
        }
        if isPageLimitReached { throw .pageLimit(limits.pageLimit) }
        if endsWithEmptyPages { throw .emptyPages(limits.emptyPageLimit) }
        return .page(page)
      }
    case .start:
      guard chain.linkedCount > 0 else { return nil }
      if let last = dropped.last { return .dropped(last.key, last.decoder) }
      guard chain.slots[0].hasPreviousPage else { return nil }
      if isPageLimitReached { throw .pageLimit(limits.pageLimit) }
      return .previous(of: page(at: 0))
    }
  }

  var isPageLimitReached: Bool {
    dropped.count + chain.linkedCount >= limits.pageLimit
  }

  /// Whether the server has sent no items in the last pages, as many as are allowed in a row: some servers
  /// always name a next page.
  ///
  /// - Complexity: O(*n*) in the empty pages at the end, at most as many as are allowed.
  var endsWithEmptyPages: Bool {
    let count = limits.emptyPageLimit
    let linked = chain.slots[..<chain.linkedCount]
    return linked.suffix(count).reversed().allSatisfy { $0.receivedCount == 0 }
      && (linked.count >= count || dropped.endsWithEmptyPages(count - linked.count))
  }

  /// Whether all items that are wanted on one side are loaded.
  @inline(__always)
  func isCovered(on side: ListSide) -> Bool {
    switch side {
    case .start: chain.linkedCount == 0 || demand.isCovered(from: chain.firstItemIndex)
    case .end: !requestsNextAnyway && demand.covers(chain.linkedExtent)
    }
  }

  /// Whether the next page is requested whatever is wanted: in place of stale pages, if it did not exist and was
  /// invalidated since, and as the first one of a refresh.
  @inline(__always)
  private var requestsNextAnyway: Bool {
    chain.hasStalePages || absentPage?.isInvalidated == true
      || walk.isRefresh && chain.linkedCount == 0
  }

  /// Counts what was wanted beyond the pages that were loading, once they have arrived.
  private mutating func resolveMore() {
    guard demand.wantsMoreThanIsLoading, !requestsNextAnyway else { return }
    demand.resolveMore(chain.linkedExtent)
  }

  /// Whether a refresh has loaded again what it began with.
  private var isRefreshed: Bool {
    walk.isRefresh && !chain.hasStalePages && chain.linkedCount > 0
      && demand.isRefreshed(by: chain.linkedExtent)
  }

  /// Whether the page that comes to a slot was requested by its index.
  @inline(__always)
  func wantsPage(at slot: Int) -> Bool { demand.wants(page: chain.firstPageIndex + slot) }

  /// Takes a page from the budget, unless that was requested by its index. Throws why no page may be requested on that
  /// side.
  mutating func pay(
    for target: PageVisit.Target, on side: ListSide
  ) throws(IncompleteWalk.Reason) {
    if side == .end {
      // What is stale is replaced, however many requests that takes.
      guard !chain.hasStalePages, absentPage?.isInvalidated != true else { return }
      guard dropped.itemCount + chain.linkedItemCount < limits.itemLimit else {
        throw .itemLimit(limits.itemLimit)
      }
      guard !wantsPage(at: chain.linkedCount) else { return }
      // Pages requested ahead were taken from the budget then, and so was one that has failed.
      if case .page(let page) = target, loads.isPaid(page) || demand.hasFailed(page.id) { return }
    }
    guard demand.spend() else { throw .requestBudget(limits.requestBudget) }
  }

  /// Adds the visit of a page.
  ///
  /// - Parameter load: loads before this one count as stale; nil for what the walk needs.
  mutating func visit(
    _ target: PageVisit.Target, on side: ListSide, since load: ResourceState.LoadID? = nil,
    as purpose: PageVisit.Purpose = .walk
  ) {
    var need = ResourceState.Need(
      since: load ?? since(on: side), failuresSince: walk.failuresSince)
    var mode = walk.lastRefresh.hasRestarted ? LoadMode.unconditional : .usual
    // Once: each look into the target retains the page, which takes 200 instructions.
    if case .page(let page) = target {
      if mode == .usual, walk.takeMissing(page.id) { mode = .uncached }
      if purpose == .walk, side == .end {
        if let reached = loads.reach(page) {
          need.enough = reached
        } else if loads.aheadCount > 0, loads.position != page.id,
          slot(of: page) ?? .max >= chain.linkedCount
        {
          // The list continues otherwise than was expected.
          cancelLoadsAhead()
        }
        // If the walk was sent back, it comes to that page again.
        if loads.aheadCount == 0 { loads.come(to: page) }
      }
    }
    enqueue(
      .visit(PageVisit(target: target, side: side, need: need, purpose: purpose, mode: mode)))
  }

  /// Requests a page ahead of the walk, if allowed.
  mutating func lookAhead() -> Bool {
    guard let awaited = end.awaited, loads.position == awaited.id, loads.hasRoom,
      // Not if the walk was sent back while it waits: it continues from there after that.
      isAtPosition(awaited), !walk.isRestoring,
      !walk.isRefresh || walk.lastRefresh.scope != .firstPage
    else { return false }
    let next = walk.position + 1
    let slot = next + loads.aheadCount
    let target: PageVisit.Target
    if let (page, index, isPaid) = loads.postponed {
      guard
        isPaid || self.slot(of: page) != nil || wantsPage(at: next + index) || demand.spend()
      else { return false }
      target = .page(page)
    } else if slot < chain.linkedCount {
      target = .page(page(at: slot))
    } else {
      guard let distance = distanceAhead(of: slot), wantsPage(at: slot) || demand.spend() else {
        loads.exhaust()
        return false
      }
      target = .counted(after: page(at: chain.linkedCount - 1), distance: distance)
    }
    visit(target, on: .end, as: .ahead)
    return true
  }

  /// How many pages a slot is after the next page of the last linked one; nil if no page is wanted
  /// there.
  func distanceAhead(of slot: Int) -> Int? {
    guard chain.linkedCount > 0, !chain.hasStalePages else { return nil }
    let distance = slot - chain.linkedCount
    let size = chain.slots[chain.linkedCount - 1].receivedCount
    let (more, overflows) = size.multipliedReportingOverflow(by: distance)
    guard !overflows, size > 0, dropped.count + slot < limits.pageLimit
    else { return nil }
    let count = chain.linkedItemCount + more
    guard dropped.itemCount + count < limits.itemLimit,
      !demand.covers(
        ListExtent(
          itemCount: count, itemEnd: chain.firstItemIndex + count,
          pageEnd: chain.firstPageIndex + slot))
    else { return nil }
    return distance
  }
}
