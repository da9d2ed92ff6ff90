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
  /// Where each is in the row of dropped pages; of several of one request the last.
  private var places: [ResourceKey: Int] = [:]
  /// How many items they showed.
  private(set) var itemCount = 0
  /// Whether the first of them is the first of the list, as far as it told.
  private(set) var reachesStart = false

  var isEmpty: Bool { pages.isEmpty }
  var count: Int { pages.count }

  /// Adds the page that was the first of the chain until now.
  mutating func append<Item>(_ page: Resource<Page<Item>>, showing count: Int) {
    if pages.isEmpty { reachesStart = page.box?.value.previous == nil }
    let earlier = places.updateValue(pages.count, forKey: page.key)
    pages.append(
      Dropped(key: page.key, decoder: page.anyDecoder, itemCount: count, earlier: earlier))
    itemCount += count
  }

  /// The request for the page right before the chain, and what reads its answer.
  var last: (key: ResourceKey, decoder: AnyDecoder)? {
    pages.last.map { ($0.key, $0.decoder) }
  }

  /// The page right before the chain is in the chain again.
  mutating func removeLast() {
    guard let page = pages.popLast() else { return }
    places[page.key] = page.earlier
    itemCount -= page.itemCount
  }

  /// The place of a request, counted from the first page of the chain: negative.
  func index(of key: ResourceKey) -> Int? {
    pages.isEmpty ? nil : places[key].map { $0 - pages.count }
  }
}
