/// The pages before the first one of a chain that were dropped from memory, and how to load them
/// again.
struct DroppedPages {
  private struct Dropped {
    let key: ResourceKey
    let decoder: AnyDecoder
    /// How many items it and those before it showed.
    let itemEnd: Int
    /// How many items the server had sent in it and those before it.
    let receivedEnd: Int
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
  /// Whether the first of them is the first of the list, by its own links.
  private(set) var reachesStart = false
  private var age = Age.current

  init(before page: AnyResource) {
    next = page
  }

  /// Forgets the pages: the chain begins at this one.
  mutating func restart(at page: AnyResource) { self = DroppedPages(before: page) }

  /// How many items they showed.
  var itemCount: Int { pages.last?.itemEnd ?? 0 }

  /// How many items the server had sent in them: its totals count those, not what is hidden, or what
  /// optimistic edits have changed.
  var receivedCount: Int { pages.last?.receivedEnd ?? 0 }

  /// How many items the server had sent in the first page of the list; nil if that page was not dropped.
  var receivedCountOnFirst: Int? { reachesStart ? pages.first?.receivedEnd : nil }

  /// How many items the server had sent in them, without the last ones.
  func receivedCount(withoutLast count: Int) -> Int { pages.dropLast(count).last?.receivedEnd ?? 0 }

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
        key: page.key, decoder: page.anyDecoder, itemEnd: itemCount + count,
        receivedEnd: receivedCount + loaded.receivedCount, total: loaded.end.total,
        earlier: earlier))
  }

  /// Whether the server had sent no items in the last pages.
  func endsWithEmptyPages(_ count: Int) -> Bool {
    pages.count >= count && receivedCount(withoutLast: count) == receivedCount
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
    outdatedCount = min(outdatedCount, pages.count)
    if pages.isEmpty { age = .current }
  }

  /// Marks the pages as outdated when the chain is walked again: its links now say nothing about
  /// them. A row that has moved may come after the page that it was on.
  ///
  /// - Parameter comparison: how what was seen since compares to what was there before.
  mutating func outdate(by comparison: LoadedPage.Comparison) {
    outdatedCount = pages.count
    guard let last = pages.last else { return }
    switch comparison {
    // What the server has sent still counts.
    case .edited: return
    case .same, .equal:
      if age == .current { age = last.total.map { .earlier(total: $0) } ?? .outdated }
    case .different: age = .outdated
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
