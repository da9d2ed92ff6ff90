/// What the slots show, where items are told apart.
extension ChainSlots {
  /// The identities of a slot's items.
  struct Identities {
    var ids: [AnyHashable?]
    /// Which items another page shows; empty where there are none.
    var isHidden: [Bool] = []
    /// How many items of the page are left out of the slot, because they are in it already.
    var repeatedCount = 0
    /// When the page was sent or confirmed, as a number that grows.
    var sequence = 0

    /// How many items are shown.
    var shownCount: Int { ids.count - isHidden.count { $0 } }

    func isHidden(_ item: Int) -> Bool { !isHidden.isEmpty && isHidden[item] }
  }

  /// How many items are not shown because another copy is.
  var duplicateCount: Int { copies.spareCount + repeatedCount }

  /// Takes in what items a slot has now, and hides what it shows instead of others.
  ///
  /// What others show instead of it has to be brought in with ``refilter(_:_:onlyHiding:)`` when the
  /// items of the slot are there.
  ///
  /// - Returns: the pages that show more or less than before.
  mutating func take(
    _ ids: [AnyHashable?], repeated: Int, at index: Int, _ change: inout Change
  ) -> [ObjectIdentifier] {
    let old = slots[index].identities
    repeatedCount += repeated - (old?.repeatedCount ?? 0)
    sequence += 1
    slots[index].identities = Identities(ids: ids, repeatedCount: repeated, sequence: sequence)
    let others = exchange(old?.ids ?? [], for: ids, of: slots[index].id)
    // First what is shown here from now on goes there, so that nothing is ever there twice.
    refilter(others, &change, onlyHiding: true)
    let isHidden = hidden(in: index)
    slots[index].identities?.isHidden = isHidden
    return others
  }

  /// Takes note that the server has confirmed a page: its copies are the newest again.
  mutating func confirm(_ index: Int, _ change: inout Change) {
    guard choice == .newest, let ids = slots[index].identities?.ids else { return }
    sequence += 1
    slots[index].identities?.sequence = sequence
    guard copies.spareCount > 0 else { return }
    let page = slots[index].id
    let pages = exchange([], for: ids, of: page) + [page]
    refilter(pages, &change, onlyHiding: true)
    refilter(pages, &change)
  }

  /// Takes note of what a page has no more and of what it has.
  ///
  /// - Returns: the other pages that show more or less than before.
  private mutating func exchange(
    _ old: [AnyHashable?], for new: [AnyHashable?], of page: ObjectIdentifier
  ) -> [ObjectIdentifier] {
    var others: [ObjectIdentifier] = []
    let outranks = ranking
    let kept = old.isEmpty ? [] : Set(new.lazy.compactMap { $0 })
    for case let id? in old where !kept.contains(id) {
      if let other = copies.release(id, page, outranks: outranks) { others.append(other) }
    }
    for case let id? in new {
      if let other = copies.claim(id, page, outranks: outranks) { others.append(other) }
    }
    return others
  }

  /// Takes note that the pages of slots have nothing any more.
  ///
  /// - Returns: the pages that show more from now on.
  mutating func release(_ range: Range<Int>) -> [ObjectIdentifier] {
    guard choice != nil else { return [] }
    var heirs: [ObjectIdentifier] = []
    for index in range {
      guard let identities = slots[index].identities else { continue }
      repeatedCount -= identities.repeatedCount
      heirs += exchange(identities.ids, for: [], of: slots[index].id)
    }
    return heirs
  }

  /// Which of two pages shows an item that both have.
  private var ranking: (ObjectIdentifier, ObjectIdentifier) -> Bool {
    let (slots, places, origin, choice) = (slots, places, origin, choice)
    return { page, other in
      guard let place = places[page], let otherPlace = places[other] else { return false }
      switch choice {
      case .newest:
        return (slots[place - origin].identities?.sequence ?? 0)
          > (slots[otherPlace - origin].identities?.sequence ?? 0)
      case .first, nil:
        return place < otherPlace
      }
    }
  }

  /// Which items of a slot another page shows; empty where there are none.
  private func hidden(in index: Int) -> [Bool] {
    guard copies.spareCount > 0, let ids = slots[index].identities?.ids else { return [] }
    let page = slots[index].id
    let isHidden = ids.map { id in id.map { copies.page(showing: $0) != page } ?? false }
    return isHidden.contains(true) ? isHidden : []
  }

  /// Shows and hides the items of pages as the copies say.
  mutating func refilter(
    _ pages: [ObjectIdentifier], _ change: inout Change, onlyHiding: Bool = false
  ) {
    guard !pages.isEmpty else { return }
    for index in Set(pages.compactMap { position(of: $0) }).sorted() {
      refilter(at: index, onlyHiding: onlyHiding, &change)
    }
  }

  private mutating func refilter(at index: Int, onlyHiding: Bool, _ change: inout Change) {
    guard var identities = slots[index].identities else { return }
    let count = identities.ids.count
    var isHidden = hidden(in: index)
    if isHidden.isEmpty { isHidden = Array(repeating: false, count: count) }
    if onlyHiding {
      for item in 0..<count where identities.isHidden(item) { isHidden[item] = true }
    }
    var offset = counts.sum(before: index)
    var item = 0
    while item < count {
      // Together what is shown or hidden together.
      let start = item
      let wasHidden = identities.isHidden(start)
      while item < count, identities.isHidden(item) == wasHidden, isHidden[item] != wasHidden {
        item += 1
      }
      guard item > start else {
        if !isHidden[item] { offset += 1 }
        item += 1
        continue
      }
      if wasHidden {
        if let row = slots[index].row {
          change.steps.append(.show(items: start..<item, of: row, offset: offset))
        }
        offset += item - start
      } else {
        change.steps.append(.hide(items: offset..<(offset + item - start)))
      }
    }
    identities.isHidden = isHidden.contains(true) ? isHidden : []
    slots[index].identities = identities
    counts[index] = identities.shownCount
  }

  // MARK: Looking for items

  /// How far the slots from one on are covered by the items of a slot before them: the first one that
  /// has more behind the last item that both have. Nil where they have none.
  ///
  /// An item that other slots have too tells nothing: one that is on every page would keep the older
  /// chain, and the walk, for ever.
  func endOfCoverage(by index: Int, from stale: Int) -> Int? {
    guard copies.spareCount > 0 else { return nil }
    var last: Int?
    var isCovered = false
    for case let id? in slots[index].identities?.ids ?? [] {
      guard let other = slot(otherThan: index, having: id), other >= last ?? stale else { continue }
      if other != last { isCovered = false }
      last = other
      isCovered = isCovered || slots[other].identities?.ids.last == id
    }
    return last.map { isCovered ? $0 + 1 : $0 }
  }

  /// The slot that shows an item.
  private func slot(showing id: AnyHashable) -> Int? {
    guard let page = copies.page(showing: id) else { return nil }
    return position(of: page)
  }

  /// The slot that has an item too, if it is the only other one.
  private func slot(otherThan index: Int, having id: AnyHashable) -> Int? {
    let hiding = copies.pages(hiding: id)
    guard hiding.count == 1, let owner = slot(showing: id) else {
      return nil
    }
    return owner == index ? hiding.first.flatMap { position(of: $0) } : owner
  }

  /// The slots that have an item, the one that shows it first, and the others in chain order.
  ///
  /// - Complexity: O(*c* log *c*) in the number of them.
  func slots(having id: AnyHashable) -> [Int] {
    guard let owner = slot(showing: id) else { return [] }
    return [owner] + copies.pages(hiding: id).compactMap { position(of: $0) }.sorted()
  }

  /// Where the item of that identity is in the merged array.
  ///
  /// - Complexity: O(*m* + log *p*) in the items of its page and the number of slots.
  func offset(of id: AnyHashable) -> Int? {
    guard let index = slot(showing: id),
      let identities = slots[index].identities, let item = identities.ids.firstIndex(of: id)
    else { return nil }
    return counts.sum(before: index) + (0..<item).count { !identities.isHidden($0) }
  }
}
