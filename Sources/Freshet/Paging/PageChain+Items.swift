/// What the slots show.
extension PageChain {
  /// Replaces the items of a slot.
  ///
  /// - Parameter isNewest: whether the items have just been sent; otherwise the slot keeps its rank.
  mutating func setItems(
    _ new: [Item], at index: Int, isNewest: Bool, _ change: inout Change
  ) {
    guard let identity else {
      let old = slots[index].items
      slots[index].items = new
      replaceShown(at: index, old[...], new[...], &change)
      return
    }
    var next = Slot(page: slots[index].page, next: slots[index].next)
    next.take(new, identity)
    next.identities?.sequence = slots[index].identities?.sequence ?? 0
    if isNewest {
      sequence += 1
      next.identities?.sequence = sequence
    }
    let old = slots[index]
    let oldIDs = old.identities?.ids ?? []
    repeatedCount += next.repeatedCount - old.repeatedCount
    slots[index] = next

    let losers = exchange(oldIDs, for: next.identities?.ids ?? [], of: next.page.id)
    // First what another page shows from now on goes there, so that nothing is ever there twice.
    refilter(losers, &change, onlyHiding: true)
    let isHidden = hidden(in: index)
    slots[index].identities?.isHidden = isHidden
    replaceShown(at: index, old.shown[...], slots[index].shown[...], &change)
    refilter(losers, &change)
  }

  /// Takes note that the server has confirmed a page: its copies are the newest again.
  mutating func confirm(at index: Int) -> Change {
    var change = Change()
    guard identity?.choice == .newest, let identities = slots[index].identities else {
      return change
    }
    sequence += 1
    slots[index].identities?.sequence = sequence
    guard copies.spareCount > 0 else { return change }
    let page = slots[index].page.id
    let losers = exchange([], for: identities.ids, of: page)
    refilter(losers + [page], &change, onlyHiding: true)
    refilter(losers + [page], &change)
    change.splices = SpliceComposition(change.splices).splices(areEqual: areEqual)
    return change
  }

  /// Takes note of what a page has no more and of what it has.
  ///
  /// - Returns: the other pages that show more or less than before.
  private mutating func exchange(
    _ old: [AnyHashable?], for new: [AnyHashable?], of page: Page.ID
  ) -> [Page.ID] {
    var others: [Page.ID] = []
    // Taken out, because which copy outranks another is read off the rest of this value.
    var copies = ItemCopies<Page.ID>()
    swap(&copies, &self.copies)
    let kept = old.isEmpty ? [] : Set(new.lazy.compactMap { $0 })
    for case let id? in old where !kept.contains(id) {
      if let other = copies.release(id, page, outranks: outranks) { others.append(other) }
    }
    for case let id? in new {
      if let other = copies.claim(id, page, outranks: outranks) { others.append(other) }
    }
    swap(&copies, &self.copies)
    return others
  }

  /// Takes note that pages are going.
  ///
  /// - Returns: the pages that show more from now on.
  mutating func releaseItems(of range: Range<Int>) -> [Page.ID] {
    guard identity != nil else { return [] }
    var heirs: [Page.ID] = []
    for index in range {
      repeatedCount -= slots[index].repeatedCount
      heirs += exchange(slots[index].identities?.ids ?? [], for: [], of: slots[index].page.id)
    }
    return heirs
  }

  private func outranks(_ page: Page.ID, _ other: Page.ID) -> Bool {
    guard let place = position(of: page), let otherPlace = position(of: other) else { return false }
    switch identity?.choice {
    case .newest:
      return slots[place].sequence > slots[otherPlace].sequence
    case .first, nil:
      return place < otherPlace
    }
  }

  /// Which items of a slot another page shows; empty where there are none.
  private func hidden(in index: Int) -> [Bool] {
    guard copies.spareCount > 0, let ids = slots[index].identities?.ids else { return [] }
    let page = slots[index].page.id
    let isHidden = ids.map { id in id.map { copies.page(showing: $0) != page } ?? false }
    return isHidden.contains(true) ? isHidden : []
  }

  /// Shows and hides the items of pages as the copies say.
  mutating func refilter(
    _ pages: [Page.ID], _ change: inout Change, onlyHiding: Bool = false
  ) {
    guard !pages.isEmpty else { return }
    for index in Set(pages.compactMap(position)).sorted() {
      refilter(at: index, onlyHiding: onlyHiding, &change)
    }
  }

  private mutating func refilter(at index: Int, onlyHiding: Bool, _ change: inout Change) {
    let slot = slots[index]
    let count = slot.items.count
    let wasHidden = slot.isHidden
    var isHidden = hidden(in: index)
    if isHidden.isEmpty { isHidden = Array(repeating: false, count: count) }
    if onlyHiding { for item in 0..<count where wasHidden(item) { isHidden[item] = true } }
    var offset = counts.sum(before: index)
    var item = 0
    while item < count {
      // Together what is shown or hidden together.
      let start = item
      while item < count, wasHidden(item) != isHidden[item],
        wasHidden(item) == wasHidden(start)
      { item += 1 }
      guard item > start else {
        if !isHidden[item] { offset += 1 }
        item += 1
        continue
      }
      let run = slot.items[start..<item]
      if wasHidden(start) {
        items.insert(contentsOf: run, at: offset)
        change.splices.append(Splice(at: offset, removing: [], inserting: run))
        offset += run.count
      } else {
        items.removeSubrange(offset..<(offset + run.count))
        change.splices.append(Splice(at: offset, removing: run, inserting: []))
      }
    }
    slots[index].identities?.isHidden = isHidden.contains(true) ? isHidden : []
    counts[index] = slots[index].shown.count
  }

  /// Replaces what a slot shows, equal items at both ends excepted.
  private mutating func replaceShown(
    at index: Int, _ old: ArraySlice<Item>, _ new: ArraySlice<Item>, _ change: inout Change
  ) {
    var offset = counts.sum(before: index)
    counts[index] = new.count
    var (old, new) = (old, new)
    if let areEqual { offset += SpliceComposition.trim(&old, &new, areEqual) }
    guard !old.isEmpty || !new.isEmpty else { return }
    items.replaceSubrange(offset..<(offset + old.count), with: new)
    change.splices.append(Splice(at: offset, removing: old, inserting: new))
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

  /// The slot that has an item too, if it is the only other one.
  private func slot(otherThan index: Int, having id: AnyHashable) -> Int? {
    let hiding = copies.pages(hiding: id)
    guard hiding.count == 1, let owner = copies.page(showing: id).flatMap(position) else {
      return nil
    }
    return owner == index ? hiding.first.flatMap(position) : owner
  }

  /// The slots that have an item, the one that shows it first, and the others in chain order.
  ///
  /// - Complexity: O(*c* log *c*) in the number of them.
  func slots(having id: AnyHashable) -> [Int] {
    guard let owner = copies.page(showing: id).flatMap(position) else { return [] }
    return [owner] + copies.pages(hiding: id).compactMap(position).sorted()
  }

  /// Where the item of that identity is in `items`.
  ///
  /// - Complexity: O(*m* + log *p*) in the items of its page and the number of slots.
  func offset(of id: AnyHashable) -> Int? {
    guard let index = copies.page(showing: id).flatMap(position),
      let item = slots[index].identities?.ids.firstIndex(of: id)
    else { return nil }
    let isHidden = slots[index].isHidden
    return counts.sum(before: index) + (0..<item).count { !isHidden($0) }
  }
}

extension PageChain.Slot {
  /// The items that are not hidden.
  var shown: [Item] {
    guard let isHidden = identities?.isHidden, !isHidden.isEmpty else { return items }
    return zip(items, isHidden).lazy.filter { !$0.1 }.map(\.0)
  }

  func isHidden(_ item: Int) -> Bool {
    guard let isHidden = identities?.isHidden, !isHidden.isEmpty else { return false }
    return isHidden[item]
  }

  fileprivate var repeatedCount: Int { identities?.repeatedCount ?? 0 }
  fileprivate var sequence: Int { identities?.sequence ?? 0 }

  /// Takes each identity once.
  fileprivate mutating func take(_ new: [Item], _ identity: ItemIdentity<Item>) {
    let ids = new.map(identity.id)
    var seen: Set<AnyHashable> = []
    let isRepeated = ids.map { id in id.map { !seen.insert($0).inserted } ?? false }
    let repeatedCount = isRepeated.count { $0 }
    func once<Element>(_ all: [Element]) -> [Element] {
      repeatedCount == 0 ? all : zip(all, isRepeated).filter { !$0.1 }.map(\.0)
    }
    items = once(new)
    identities = .init(ids: once(ids), repeatedCount: repeatedCount)
  }
}
