/// The two ends of a list: their states, and the pages beyond them.
extension PageList {
  /// Updates the state at the end when the list no longer ends there.
  mutating func reconsiderEnd() {
    if case .ended = end.state, !isEnded { setState(.idle, of: .end) }
  }

  /// Updates the state at the start, after the pages there changed.
  mutating func reconsiderStart() {
    guard frozen == nil, start.awaited == nil, !start.state.isLoading else { return }
    // Without pages the list begins nowhere.
    let isAtStart = chain.linkedCount > 0 && !hasPreviousPage
    if isAtStart != (start.state == .ended) { setState(isAtStart ? .ended : .idle, of: .start) }
  }

  /// Sets the loading state of what the walk waits for: a refresh, or an end of the list.
  mutating func showProgress(_ progress: PagedCollectionState, on side: ListSide) {
    if side == .end, walk.isRefresh {
      setRefreshState(progress)
    } else {
      setState(progress, of: side)
    }
  }

  /// Sets the loading state at an end, and notifies the observers if it is another one.
  ///
  /// What a frozen list does not show yet changes its states once it is shown.
  mutating func setState(_ newState: PagedCollectionState, of side: ListSide) {
    let old = side == .end ? end.state : start.state
    let state = frozen == nil ? newState : shownState(newState, of: side)
    guard old != state else { return }
    release(old)
    change(side) { $0.state = state }
    enqueue(.notify(state, side))
  }

  /// The state at an end of a frozen list: where nothing is loading there, that of the pages which are shown.
  private func shownState(
    _ state: PagedCollectionState, of side: ListSide
  ) -> PagedCollectionState {
    switch (state, side) {
    case (.idle, .end): end.state == .ended ? .ended : .idle
    case (.idle, .start), (.ended, .start):
      shown.linkedCount > 0 && !showsPrevious ? .ended : .idle
    default: state
    }
  }

  /// Sets the page beyond the chain on a side, which is observed from then on. The older one is no longer awaited.
  mutating func setBeyond(_ page: AnyResource?, of side: ListSide) {
    let old = side == .end ? end.beyond : start.beyond
    guard old !== page else { return }
    change(side) {
      if $0.awaited === old { $0.awaited = nil }
      $0.beyond = page
    }
    if side == .end { demand.forgetFailedPage() }
    if let old { release(old) }
    if let page { enqueue(.observe(page)) }
  }

  mutating func setAwaited(_ page: AnyResource?, on side: ListSide) {
    change(side) { $0.awaited = page }
  }

  /// Stops waiting for the page that the walk is at.
  mutating func releaseAwaitedEnd() {
    if let page = change(.end, { $0.awaited.take() }) { release(page) }
  }
}

/// The sides of a list.
enum ListSide {
  case start
  case end
}

/// One end of a list.
struct ListEdge {
  var state = PagedCollectionState.idle
  /// The page that the walk waits for.
  var awaited: AnyResource?
  /// The page beyond the loaded ones: at the end from when it is known, at the start from when it is requested; nil
  /// once it is in the chain.
  var beyond: AnyResource?
}
