import Freshet

/// A naive traversal through the public API, page by page, compared to the same over plain objects.
func walkVisit(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("walk.visit") else { return }
  var comparisons: [Comparison] = []
  for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
    let loaded = LoadedList(PagedList(pageCount: count))
    let plain = PlainPage.chain(of: loaded.list)
    comparisons.append(
      Comparison(
        "walk.visit", n: count, unit: .nsPerPage, per: count,
        ours: repeating { blackHole(loaded.itemsOfVisitedPages()) },
        floor: .init(name: "plain objects", work: repeating { blackHole(plain.itemsOfChain()) })))
  }
  await run.compare(comparisons)
}

extension LoadedList {
  /// Collects the items of all pages: loads each if needed, appends its items, follows its link.
  func itemsOfVisitedPages() -> [Item] {
    var items: [Item] = []
    var page: Resource<Page<Item>>? = pages[0]
    while let current = page {
      current.loadIfNeeded()
      guard let content = current.content else { break }
      items += content.items
      page = content.next.flatMap { try? current.following($0) }
    }
    return items
  }
}

/// A page that is only an object.
private final class PlainPage {
  private let items: [Int]
  private var next: PlainPage?

  private init(_ items: [Int]) {
    self.items = items
  }

  static func chain(of list: PagedList<Int>) -> PlainPage {
    let pages = list.pages.map { PlainPage($0.items) }
    for (page, next) in zip(pages, pages.dropFirst()) { page.next = next }
    return pages[0]
  }

  func itemsOfChain() -> [Int] {
    var items: [Int] = []
    var page: PlainPage? = self
    while let current = page {
      items += current.items
      page = current.next
    }
    return items
  }

  deinit {
    // One after the other: deallocating a long chain would otherwise recurse as deep as it is long.
    var following = next
    next = nil
    while let current = following, isKnownUniquelyReferenced(&following) {
      following = current.next
      current.next = nil
    }
  }
}
