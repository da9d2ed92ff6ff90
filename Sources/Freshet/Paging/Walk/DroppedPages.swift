/// The pages before the first one of a chain that were dropped from memory, and how to load them
/// again.
struct DroppedPages {
  private struct Dropped {
    let key: ResourceKey
    let decoder: AnyDecoder
    /// How many items it showed.
    let itemCount: Int
    /// The index of an earlier page of the same request, if there is one.
    let earlier: Int?
  }

  private var pages: [Dropped] = []
  /// The index of each among the dropped pages; of several with one request the last.
  private var indices: [ResourceKey: Int] = [:]
  /// How many of them were dropped before the walk began again.
  private var outdatedCount = 0
  /// How many items they showed.
  private(set) var itemCount = 0
  /// Whether the first of them is the first of the list, by its own links.
  private(set) var reachesStart = false

  var isEmpty: Bool { pages.isEmpty }
  var count: Int { pages.count }

  /// Adds the former first page of the chain.
  ///
  /// - Parameter isFirst: whether the page has no previous link.
  mutating func append(_ page: AnyResource, showing count: Int, isFirst: Bool) {
    if pages.isEmpty { reachesStart = isFirst }
    let earlier = indices.updateValue(pages.count, forKey: page.key)
    pages.append(
      Dropped(key: page.key, decoder: page.anyDecoder, itemCount: count, earlier: earlier))
    itemCount += count
  }

  /// Whether the last pages show no items.
  ///
  /// - Parameter count: how many pages.
  func endsWithEmptyPages(_ count: Int) -> Bool {
    pages.count >= count && pages.suffix(count).reversed().allSatisfy { $0.itemCount == 0 }
  }

  /// The request for the page right before the chain, and its decoder.
  var last: (key: ResourceKey, decoder: AnyDecoder)? {
    pages.last.map { ($0.key, $0.decoder) }
  }

  /// The page right before the chain is in the chain again.
  mutating func removeLast() {
    guard let page = pages.popLast() else { return }
    indices[page.key] = page.earlier
    itemCount -= page.itemCount
    outdatedCount = min(outdatedCount, pages.count)
  }

  /// Marks the pages as outdated when the chain is walked again: its links now say nothing about
  /// them. A row that has moved may come after the page that it was on.
  mutating func outdate() {
    outdatedCount = pages.count
  }

  /// The index of a page of this walk by its request, counted from the first page of the chain:
  /// negative.
  func index(of key: ResourceKey) -> Int? {
    guard !pages.isEmpty, let index = indices[key], index >= outdatedCount else { return nil }
    return index - pages.count
  }
}
