/// The pages before the first one of a chain that were dropped from memory, and how to load them
/// again.
struct DroppedPages {
  private struct Dropped {
    let key: ResourceKey
    let decoder: AnyDecoder
    /// How many items it showed.
    let itemCount: Int
    /// How many items the server had sent in it.
    let receivedCount: Int
    /// The number of items in the list, if it stated that.
    let total: Int?
    /// The index of an earlier page of the same request, if there is one.
    let earlier: Int?
  }

  /// Which state of the server ``receivedCount`` is of.
  private enum Age: Equatable {
    /// That of the pages after them.
    case current
    /// That of a list with this number of items, before the walk began again.
    case earlier(total: Int)
    /// One before a refresh, or before a page after them has changed: rows may have been deleted since, or have moved.
    case outdated
  }

  /// The page right after them: the first one of the chain, also while that has none.
  private(set) var next: AnyResource
  private var pages: [Dropped] = []
  /// The index of each among the dropped pages; of several with one request the last.
  private var indices: [ResourceKey: Int] = [:]
  /// How many of them were dropped before the walk began again.
  private var outdatedCount = 0
  /// How many items they showed.
  private(set) var itemCount = 0
  /// How many items the server had sent in them: its totals count those, not what is hidden, or what
  /// optimistic edits have changed.
  private(set) var receivedCount = 0
  /// Whether the first of them is the first of the list, by its own links.
  private(set) var reachesStart = false
  private var age = Age.current

  init(before page: AnyResource) {
    next = page
  }

  /// The chain begins at another page; what was dropped is before that one.
  mutating func begin(at page: AnyResource) { next = page }

  /// Forgets the pages: the chain begins at this one.
  mutating func restart(at page: AnyResource) { self = DroppedPages(before: page) }

  /// How many items the server had sent in the first page of the list; nil if that page was not dropped.
  var receivedCountOnFirst: Int? { reachesStart ? pages.first?.receivedCount : nil }

  /// How many items the server had sent in them, without the page right before the chain.
  var receivedCountBeforeLast: Int { receivedCount - (pages.last?.receivedCount ?? 0) }

  /// How many items the server had sent in them; nil where that says nothing about the end of the list.
  ///
  /// - Parameter total: the number of items that the list has now, if that is known.
  func receivedCount(of total: Int?) -> Int? {
    switch age {
    case .current: receivedCount
    case .earlier(let older): older == total ? receivedCount : nil
    case .outdated: nil
    }
  }

  var isEmpty: Bool { pages.isEmpty }
  var count: Int { pages.count }

  /// Adds the former first page of the chain.
  ///
  /// - Parameters:
  ///   - count: how many items it showed.
  ///   - next: the page that is the first one now.
  mutating func append(
    _ page: AnyResource, showing count: Int, of loaded: LoadedPage, before next: AnyResource
  ) {
    self.next = next
    if pages.isEmpty { reachesStart = !loaded.hasPreviousPage }
    let earlier = indices.updateValue(pages.count, forKey: page.key)
    pages.append(
      Dropped(
        key: page.key, decoder: page.anyDecoder, itemCount: count,
        receivedCount: loaded.receivedCount, total: loaded.end.total, earlier: earlier))
    itemCount += count
    receivedCount += loaded.receivedCount
  }

  /// Whether the server had sent no items in the last pages.
  func endsWithEmptyPages(_ count: Int) -> Bool {
    pages.count >= count && pages.suffix(count).reversed().allSatisfy { $0.receivedCount == 0 }
  }

  /// The request for the page right before the chain, and its decoder.
  var last: (key: ResourceKey, decoder: AnyDecoder)? {
    pages.last.map { ($0.key, $0.decoder) }
  }

  /// Whether an earlier page had the same request as the page right before the chain.
  var repeatsEarlierPage: Bool { pages.last?.earlier != nil }

  /// Records that the page before the chain is its first one now: the last that was dropped or, where none was, a
  /// new one.
  mutating func removeLast(before first: AnyResource) {
    next = first
    guard let page = pages.popLast() else { return }
    indices[page.key] = page.earlier
    itemCount -= page.itemCount
    receivedCount -= page.receivedCount
    outdatedCount = min(outdatedCount, pages.count)
    if pages.isEmpty { age = .current }
  }

  /// What may have made the pages outdated.
  enum Change {
    /// A local write: what the server has sent still counts.
    case localWrite
    /// The walk has begun again, and all that it has seen since is as it was.
    case walk
    /// A refresh, or a page that has changed.
    case content
  }

  /// Marks the pages as outdated when the chain is walked again: its links now say nothing about
  /// them. A row that has moved may come after the page that it was on.
  mutating func outdate(by change: Change) {
    outdatedCount = pages.count
    guard let last = pages.last else { return }
    switch (change, age) {
    case (.localWrite, _), (.walk, .earlier), (.walk, .outdated): return
    case (.walk, .current): age = last.total.map { .earlier(total: $0) } ?? .outdated
    case (.content, _): age = .outdated
    }
  }

  /// The index of a page of this walk by its request, counted from the first page of the chain:
  /// negative.
  func index(of key: ResourceKey) -> Int? {
    guard !pages.isEmpty, let index = indices[key], index >= outdatedCount else { return nil }
    return index - pages.count
  }

  /// Whether a page of that request was dropped, in this walk or before it.
  func contains(_ key: ResourceKey) -> Bool { indices[key] != nil }

  func checkInvariants() {
    precondition(itemCount == pages.reduce(0) { $0 + $1.itemCount }, "\(itemCount) items dropped")
    precondition(
      receivedCount == pages.reduce(0) { $0 + $1.receivedCount }, "\(receivedCount) items received")
    precondition((0...pages.count).contains(outdatedCount), "\(outdatedCount) pages are outdated")
    precondition(age == .current || outdatedCount > 0, "pages that are not outdated do not count")
    var last: [ResourceKey: Int] = [:]
    for (index, page) in pages.enumerated() {
      precondition(page.earlier == last[page.key], "another earlier page of that request")
      last[page.key] = index
    }
    precondition(indices == last, "a page is not found by its request")
  }
}

extension LoadedPage {
  /// What other content of a page says about those that were dropped before it.
  func change(isRelinked: Bool) -> DroppedPages.Change {
    switch comparison {
    case .edited: .localWrite
    case .same, .equal: isRelinked ? .content : .walk
    case .different: .content
    }
  }
}
