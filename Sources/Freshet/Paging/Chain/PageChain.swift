/// The pages of one list in chain order, and the merged array of their items: a pure value.
///
/// A chain is a row of slots. The leading ones are linked: each holds a loaded page, and is what the
/// page before it names as the next. The first slot that is not so is the frontier, where the walk
/// goes on. Behind it there may be a stale suffix: slots of an older chain, whose items stay visible
/// until the new chain replaces them, rejoins them, or ends.
///
/// With an identity, an item that several pages have is shown once; the array is the concatenation of
/// what each page shows.
///
/// ``ChainSlots`` decides; here its decisions are carried out on the items. Neither is ever copied.
struct PageChain<Item: Sendable>: ~Copyable {
  typealias Next = ChainSlots.Next

  /// What a change did.
  struct Change {
    /// What happened to `items`.
    var splices: SpliceLog<Item>
    /// The pages that are not in the chain any more.
    var dropped: [AnyObject]
    /// The pages that have come into the chain, to be loaded.
    var added: [AnyObject]
  }

  /// The merged array: the items of all slots in chain order, stale ones included.
  private(set) var items: [Item] = []
  private(set) var slots: ChainSlots
  let areEqual: ((Item, Item) -> Bool)?
  let identity: ItemIdentity<Item>?

  /// Makes the chain that begins with a page, which is not loaded yet.
  ///
  /// - Parameters:
  ///   - identity: what makes an item the same as another; nil where each is shown.
  ///   - areEqual: where given, items of a changed page that are equal to the older ones stay out of
  ///     the splices.
  init(
    first: AnyObject, identity: ItemIdentity<Item>? = nil, areEqual: ((Item, Item) -> Bool)? = nil
  ) {
    self.identity = identity
    self.areEqual = areEqual
    slots = ChainSlots(first: first, choice: identity?.choice)
  }
}

// MARK: - Changes

extension PageChain {
  /// Takes in what a page holds now.
  ///
  /// - Complexity: O(*k* + log *p*) in the items that changed and the slots, beside moving the items
  ///   behind them where their number changes; slots that go cost O(*p*). With an identity, O(*m*) in
  ///   the items of the page.
  mutating func update(at index: Int, items new: [Item], next: Next) -> Change {
    let isNew = slots.slots[index].next == nil
    var splices = SpliceLog<Item>()
    setItems(new, at: index, &splices)
    return carryOut(splices) { $0.link(index, to: next, isNew: isNew, &$1) }
  }

  /// Takes in what a page names as the next one, where that may have changed and its items have not.
  mutating func relink(at index: Int, next: Next) -> Change {
    carryOut { $0.link(index, to: next, isNew: false, &$1) }
  }

  /// Takes note that the server has confirmed a page.
  mutating func confirm(at index: Int) -> Change {
    carryOut { $0.confirm(index, &$1) }
  }

  /// Takes the content away from a slot: the page has none any more. What is behind it stays, stale.
  mutating func unload(at index: Int) -> Change {
    var splices = SpliceLog<Item>()
    setItems([], at: index, &splices)
    return carryOut(splices) { slots, _ in slots.unload(index) }
  }

  /// Puts a loaded page before the first one, and takes it for what leads there.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func prepend(_ page: AnyObject, items new: [Item]) -> Change {
    slots.prepend(page)
    var splices = SpliceLog<Item>()
    setItems(new, at: 0, &splices)
    return carryOut(splices, inFront: true) { $1.added.append(page) }
  }

  /// Lets the first page go, which must not be the only one.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func dropFirst() -> Change {
    precondition(slots.linkedCount > 1, "PageChain.dropFirst: \(slots.linkedCount) linked pages")
    return carryOut(inFront: true) { $0.dropFirst(&$1) }
  }

  /// Lets all pages go from a slot on; the one in the slot stays as the one to be loaded next.
  mutating func drop(from index: Int) -> Change {
    precondition(index > 0, "PageChain.drop: the first page cannot be dropped from the end")
    return carryOut { $0.drop(from: index, &$1) }
  }

  /// Lets everything go and begins again with a page.
  mutating func reset(to page: AnyObject) -> Change {
    var splices = SpliceLog<Item>()
    if !items.isEmpty { splices.append(Splice(at: 0, removing: items[...], inserting: [])) }
    let dropped = slots.slots.map(\.page)
    self = PageChain(first: page, identity: identity, areEqual: areEqual)
    return Change(splices: splices, dropped: dropped, added: [page])
  }

  /// Replaces the items of a slot.
  private mutating func setItems(
    _ new: [Item], at index: Int, _ splices: inout SpliceLog<Item>
  ) {
    let old = shown(in: index)
    guard let identity else {
      slots.slots[index].row = Row(new)
      return replaceShown(at: index, old, new, &splices)
    }
    let (items, ids) = identity.once(new)
    var change = ChainSlots.Change()
    let others = slots.take(ids, repeated: new.count - items.count, at: index, &change)
    carryOut(change.steps, &splices)
    slots.slots[index].row = Row(items)
    replaceShown(at: index, old, shown(in: index), &splices)
    change.steps = []
    slots.refilter(others, &change)
    carryOut(change.steps, &splices)
  }

  /// Replaces what a slot shows, equal items at both ends excepted.
  private mutating func replaceShown(
    at index: Int, _ old: [Item], _ new: [Item], _ splices: inout SpliceLog<Item>
  ) {
    let offset = slots.counts.sum(before: index)
    slots.counts[index] = new.count
    let splice = Splice(
      at: offset, replacing: old[0..<old.count], with: new[0..<new.count], areEqual: areEqual)
    guard !splice.isEmpty else { return }
    items.replace(splice.removed, with: splice.inserted)
    splices.append(splice)
  }

  /// The items of a slot that are not hidden.
  private func shown(in index: Int) -> [Item] {
    let items = items(of: slots.slots[index].row)
    guard let isHidden = slots.slots[index].identities?.isHidden, !isHidden.isEmpty else {
      return items
    }
    return zip(items, isHidden).lazy.filter { !$0.1 }.map(\.0)
  }

  /// What a page has, each identity once, as the slots keep it. Kept to find out what changed; the
  /// storage is shared with the page's own array.
  private typealias Row = ContentBox<[Item]>

  private func items(of row: AnyObject?) -> [Item] {
    guard let row else { return [] }
    return unsafeDowncast(row, to: Row.self).value
  }

  // MARK: Carrying out

  /// Lets the slots decide, and does what that means for the items.
  ///
  /// - Parameters:
  ///   - before: what happened to the items before.
  ///   - inFront: whether a page came or went in front. The items are numbered so that the first one
  ///     that stays keeps its number, also where copies of others came or went with the page.
  private mutating func carryOut(
    _ before: SpliceLog<Item> = SpliceLog(), inFront: Bool = false,
    _ decide: (inout ChainSlots, inout ChainSlots.Change) -> Void
  ) -> Change {
    var change = ChainSlots.Change()
    decide(&slots, &change)
    var splices = before
    if !change.steps.isEmpty { carryOut(change.steps, &splices) }
    if inFront || splices.count > 1 {
      let composition = SpliceComposition(splices.inOrder)
      if inFront, let front = composition.pieces.first, front.oldOffset == 0 {
        slots.shiftNumbers(by: front.new.count - front.old.count)
      }
      splices = SpliceLog(composition.splices(areEqual: areEqual))
    }
    return Change(splices: splices, dropped: change.dropped, added: change.added)
  }

  private mutating func carryOut(_ steps: [ChainSlots.Step], _ splices: inout SpliceLog<Item>) {
    for step in steps {
      switch step {
      case .hide(let range):
        remove(range, &splices)
      case .show(let range, let row, let offset):
        let shown = items(of: row)[range]
        items.insert(contentsOf: shown, at: offset)
        splices.append(Splice(at: offset, removing: [], inserting: shown))
      }
    }
  }

  private mutating func remove(_ range: Range<Int>, _ splices: inout SpliceLog<Item>) {
    // Copied: a slice of the whole array would make the removal copy all of it.
    let removed = Array(items[range])
    items.removeSubrange(range)
    splices.append(Splice(at: range.lowerBound, removing: removed[...], inserting: []))
  }

  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    slots.checkInvariants()
    precondition(slots.counts.total == items.count)
    for index in 0..<slots.count {
      precondition(slots.counts[index] == shown(in: index).count, "slot \(index): count")
    }
  }
}
