import Freshet

/// Drawing: from the list and the state of the view to the terminal.
extension Browser {
  /// Draws after all that happens now.
  func setNeedsDrawing() {
    guard !isDrawingPosted else { return }
    isDrawingPosted = true
    Task { draw() }
  }

  func draw() {
    isDrawingPosted = false
    state.pageStarts = model.pageStarts
    reportVisibleItems()
    var content = content
    var screen = state.screen(of: content)
    let repainted = screen.change(from: shown).rows.count { state.layout.list.contains($0) }
    if repainted > 0 {
      repaintedCount += repainted
      content.repaintedCount = repaintedCount
      screen = state.screen(of: content)
    }
    let change = screen.change(from: shown)
    if !terminal.write(screen.text(of: change)) { quit(.incomplete) }
    shown = screen
  }

  /// Has the list load the items around those on screen, and jumps to the page that was asked for.
  private func reportVisibleItems() {
    if state.rows == nil, let items = state.visibleItems, items != reportedItems {
      reportedItems = items
      list.itemsShown(in: items)
    }
    state.jumpIfLoaded(isLoading: list.isLoading)
  }

  private var content: ListContent {
    let (items, pages) = (list.items, list.pages)
    var content = ListContent()
    content.title = self.texts.hidden(list.firstPage.key.redactedURL)
    // A screen may be drawn twice, and items may be large.
    var texts: [Int: String] = [:]
    content.text = { index in
      if let text = texts[index] { return text }
      let text = items.indices.contains(index) ? self.texts.item(items[index]) : ""
      texts[index] = text
      return text
    }
    content.pageState = { pages.indices.contains($0) ? ListModel.PageState(pages[$0]) : nil }
    content.end = EndOfList(of: list, explaining: explanation)
    content.isFailed = ResourceStatus(of: list).canRetry
    content.status = message ?? statusText
    content.events = events.lines
    content.repaintedCount = repaintedCount
    return content
  }

  /// The reason why the list has stopped, the place, and the advice.
  private var explanation: String? { texts.explanation(list).map(texts.hidden) }

  /// The state of the list in words, and the time of its last update.
  private var statusText: String {
    if case .failed = list.refreshState, let explanation {
      return "refresh failed, Enter retries: \(explanation)"
    }
    let total = list.totalCount.map { " of \($0)" } ?? ""
    let updated = list.lastLoadDate.map { " · updated \(timeText($0))" } ?? ""
    return "\(phaseText) · \(list.items.count)\(total) items\(updated)"
  }

  private var phaseText: String {
    switch ResourceStatus(of: list).phase {
    case .idle: "not loaded"
    case .loading: "loading"
    case .content: list.isRefreshing ? "refreshing" : isFresh ? "up to date" : "stale: r refreshes"
    case .empty: "empty"
    case .appending: "loading more"
    case .failed: "failed: Enter retries"
    case .offline: "offline: Enter retries"
    case .rateLimited(let date): "waiting until \(timeText(date)), as the server asks"
    }
  }

  /// Whether the pages on screen are up to date.
  private var isFresh: Bool {
    guard let items = state.visibleItems, let first = list.pageIndex(ofItemAt: items.lowerBound)
    else { return true }
    let last = list.pageIndex(ofItemAt: items.upperBound - 1) ?? list.pageCount - 1
    return list.pages[first...last].allSatisfy(\.isUpToDate)
  }
}
