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

/// The recipe of code that knows no lists: pages of a type of its own, each of which names the next one.
func walkRecipe(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("walk.recipe") else { return }
  var comparisons: [Comparison] = []
  for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
    let list = PagedList(pageCount: count)
    let service = Service(instant: InstantTransport())
    let held = list.pages.enumerated().map { number, page in
      let resource = service.resource("/items?page=\(number)", of: RecipePage.self)
      let next = number + 1 < count ? "/items?page=\(number + 1)" : nil
      resource.overrideLocalContent(RecipePage(items: page.items, next: next))
      return resource
    }
    precondition(itemsByRecipe(from: held[0]).count == list.itemCount, "walk.recipe: not all pages")
    let plain = PlainPage.chain(of: list)
    comparisons.append(
      Comparison(
        "walk.recipe", n: count, unit: .nsPerPage, per: count,
        ours: repeating {
          blackHole(itemsByRecipe(from: held[0]))
          withExtendedLifetime((service, held)) {}
        },
        floor: .init(name: "plain objects", work: repeating { blackHole(plain.itemsOfChain()) })))
  }
  await run.compare(comparisons)
}

/// A page as a client without lists decodes it.
private struct RecipePage: Decodable, Sendable {
  let items: [Int]
  let next: String?
}

/// Collects the items of all pages: loads each if needed, appends its items, follows its reference.
private func itemsByRecipe(from first: Resource<RecipePage>) -> [Int] {
  var items: [Int] = []
  var page: Resource<RecipePage>? = first
  while let current = page {
    current.loadIfNeeded()
    guard let content = current.content else { break }
    items += content.items
    page = current.optionalRelative(content.next)
  }
  return items
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
