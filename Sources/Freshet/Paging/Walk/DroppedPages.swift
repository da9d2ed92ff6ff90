/// The pages before the first one of a chain that were dropped from memory, and how to get them back.
struct DroppedPages {
  private struct Dropped {
    let key: ResourceKey
    let decoder: AnyDecoder
    /// How many items it showed.
    let itemCount: Int
    /// Where an earlier page of the same request is, if there is one.
    let earlier: Int?
  }

  private var pages: [Dropped] = []
  /// Where each is among the dropped pages; of several of one request the last.
  private var indices: [ResourceKey: Int] = [:]
  /// How many of them are as old as before the walk began again.
  private var outdatedCount = 0
  /// How many items they showed.
  private(set) var itemCount = 0
  /// Whether the first of them is the first of the list, as far as it said.
  private(set) var reachesStart = false

  var isEmpty: Bool { pages.isEmpty }
  var count: Int { pages.count }

  /// Adds the page that was the first of the chain until now.
  ///
  /// - Parameter isFirst: whether the page names none before it.
  mutating func append(_ page: AnyResource, showing count: Int, isFirst: Bool) {
    if pages.isEmpty { reachesStart = isFirst }
    let earlier = indices.updateValue(pages.count, forKey: page.key)
    pages.append(
      Dropped(key: page.key, decoder: page.anyDecoder, itemCount: count, earlier: earlier))
    itemCount += count
  }

  /// The request for the page right before the chain, and what reads its response.
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

  /// The chain is walked again: what it leads to now says nothing about the pages that were dropped
  /// before. A row that has moved may well come after the page that it was on.
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
