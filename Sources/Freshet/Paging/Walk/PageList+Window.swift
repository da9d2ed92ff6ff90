/// Limits the pages that a list keeps in memory.
extension PageList {
  /// Whether no page in the window has items, and others before it were dropped.
  var isWindowEmpty: Bool {
    !dropped.isEmpty && chain.linkedCount > 0 && chain.linkedItemCount == 0 && !chain.hasStalePages
  }

  /// Drops pages on one side, beyond the number that may be kept in memory.
  mutating func drop(from side: ListSide) {
    guard chain.linkedCount > limits.retainedPageLimit, self[side].awaited == nil else { return }
    // Nothing goes from where more is wanted.
    guard side == .start ? !demand.wantsPrevious : dropStalePages() else { return }
    while chain.linkedCount > limits.retainedPageLimit {
      let slot = side == .start ? 0 : chain.linkedCount - 1
      // Empty pages at the end, which show that the list ends there, go with the items before them.
      let shown = chain.linkedItemCount - 1
      guard shown >= 0 else { return }
      let items = chain.items(of: side == .start ? 0 : chain.index(showing: shown).index)
      guard canDrop(items, of: chain.linkedItemCount) else { return }
      if side == .start {
        // Until the walk has passed the next page, what the persistent cache has of it may not exist any more, and
        // the list ends with this one.
        guard walk.position > 1 || chain.slots[1].load > 0 else { return }
        let (first, count) = (page(at: 0), chain.items(of: 0).count)
        let loaded = chain.slots[0]
        chain.removeFirst()
        dropped.append(first, showing: count, of: loaded, before: page(at: 0))
        shiftPages(by: -1)
        // Another page is before the first one now.
        setBeyond(nil, of: .start)
        setState(.idle, of: .start)
      } else {
        chain.removeAll(from: slot)
        walk.revisit(slot)
        cancelLoadsAhead()
        setState(.idle, of: .end)
      }
      chainChanged()
    }
  }

  /// Drops the pages of an older chain, which are at the far end, unless they are near the screen.
  ///
  /// - Returns: whether none are left.
  private mutating func dropStalePages() -> Bool {
    guard chain.hasStalePages else { return true }
    let count = chain.itemCount(before: chain.slots.count)
    guard canDrop(chain.linkedItemCount..<count, of: count) else { return false }
    chain.removeAll(from: chain.linkedCount)
    chainChanged()
    return true
  }

  /// Whether items may be dropped: they are neither on screen nor wanted.
  private func canDrop(_ range: Range<Int>, of count: Int) -> Bool {
    let first = chain.firstItemIndex
    return demand.allowsDropping(
      (first + range.lowerBound)..<(first + range.upperBound), of: count,
      keeping: limits.prefetchDistance)
  }

  /// Adjusts page numbers after pages were added or dropped before the first one.
  mutating func shiftPages(by count: Int) {
    walk.shift(by: count)
    setState(end.state.shifted(by: count), of: .end)
    setRefreshState(refreshState.shifted(by: count))
  }
}
