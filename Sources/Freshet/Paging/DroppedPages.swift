/// The pages before the first one of a chain that were dropped from memory, and how to get them back.
struct DroppedPages<Item: Sendable> {
  private var pages: [(key: ResourceKey, decoder: ContentDecoder<Page<Item>>)] = []
  /// Where each is in the row of dropped pages.
  private var places: [ResourceKey: Int] = [:]

  var isEmpty: Bool { pages.isEmpty }
  var count: Int { pages.count }

  /// Adds the page that was the first of the chain until now.
  mutating func append(_ page: Resource<Page<Item>>) {
    places[page.key] = pages.count
    pages.append((page.key, page.decoder))
  }

  /// The page right before the chain.
  func last(in store: Store) -> Resource<Page<Item>>? {
    pages.last.map { store.resource($0.key, decoder: $0.decoder) }
  }

  /// The page right before the chain is in the chain again.
  mutating func removeLast() {
    if let page = pages.popLast() { places[page.key] = nil }
  }

  /// The place of a request, counted from the first page of the chain: negative.
  func index(of key: ResourceKey) -> Int? {
    pages.isEmpty ? nil : places[key].map { $0 - pages.count }
  }
}
