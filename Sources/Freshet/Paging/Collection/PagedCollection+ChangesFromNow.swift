extension PagedCollection {
  /// The changes from the items that an observer has read when it begins to observe.
  struct ChangesFromNow {
    /// What was shown then, if the observer is notified of later events only: within a delivery it is
    /// active after those that wait, and a change before that is in none of its events.
    private var start: (items: [Item], firstItemIndex: Int)?

    init(of list: PagedCollection) {
      guard !list.queue.isIdle else { return }
      start = (list.shownItems, list.list.shownFirstItemIndex)
    }

    mutating func next(
      _ list: PagedCollection, _ event: PagedCollectionEvent<Item>
    ) -> PagedChange<Item>? {
      switch event {
      case .itemsChanged(let change): return change
      case .observerAdded:
        guard let start = start.take() else { return nil }
        let firstItemIndex = list.list.shownFirstItemIndex
        let items = list.shownItems
        let splice = PagedChange.Splice(
          at: 0, removing: start.items[...], inserting: items[...])
        // An array that is held is changed in a copy of its memory.
        let isChange = !items.sharesStorage(with: start.items) && !splice.isEmpty
        return PagedChange(
          composing: isChange ? [splice] : nil, firstItemIndex: firstItemIndex,
          isRenumbered: firstItemIndex != start.firstItemIndex, areEqual: list.traits.areEqual)
      case .stateChanged, .previousStateChanged, .refreshStateChanged, .invalidated: return nil
      }
    }
  }
}
