import Testing

@testable import FreshetTesting

@testable import Freshet

/// A page of the tests: just its name. There is one of each name.
final class NamedPage: Sendable {
  let name: Int
  private static let known = Locked<[Int: NamedPage]>([:])

  private init(_ name: Int) {
    self.name = name
  }

  static func of(_ name: Int) -> NamedPage {
    known.withLock { known in
      let page = known[name] ?? NamedPage(name)
      known[name] = page
      return page
    }
  }
}

extension [AnyObject] {
  /// The names of pages of the tests.
  var names: [Int] { compactMap { ($0 as? NamedPage)?.name } }
}

/// A chain and the merged array of its pages, as a list keeps them.
struct MergedChain<Item: Sendable> {
  private(set) var pages: PageChain
  private var merged = ShownItems<Item>()
  private let traits: ItemTraits<Item>

  init(_ traits: ItemTraits<Item> = ItemTraits(nil)) {
    pages = PageChain(showing: traits.choice)
    self.traits = traits
  }

  var items: [Item] { merged.items }
  /// The names of the pages.
  var names: [Int] { pages.slots.map(\.page).names }
  /// The name of the page that the linked ones lead to.
  var nextName: Int? {
    guard pages.linkedCount > 0,
      case .page(let next) = pages.slots[pages.linkedCount - 1].next
    else { return nil }
    return (next as? NamedPage)?.name
  }

  /// Changes the chain, and the array by its edits.
  mutating func change<Result>(_ change: (inout PageChain) -> Result) -> Result {
    let result = change(&pages)
    pages.checkInvariants()
    for edit in pages.takeEdits() {
      let new: ArraySlice<Item> = edit.inserted?.items() ?? []
      merged.apply(edit, new)
    }
    return result
  }

  /// Adds a page of the tests after the linked ones.
  mutating func append(_ name: Int, _ items: [Item], next: NextPage) {
    let page = loaded(NamedPage.of(name), items, next)
    change { $0.append(page) }
  }

  /// Adds a page of the tests before the first one.
  mutating func prepend(_ name: Int, _ items: [Item], next: NextPage) {
    let page = loaded(NamedPage.of(name), items, next)
    change { $0.prepend(page, isNamed: false) }
  }

  /// - Returns: whether other pages follow than before.
  @discardableResult
  mutating func update(at index: Int, _ items: [Item], next: NextPage) -> Bool {
    let page = loaded(pages.slots[index].page, items, next)
    return change { $0.update(at: index, page) }
  }

  mutating func takeRemovedNames() -> [Int] { pages.takeRemovedPages().names }
  /// The splices since they were taken last, as observers receive them.
  mutating func takeSplices() -> [PagedChange<Item>.Splice] {
    let change = PagedChange(
      composing: merged.takeChanges(firstItemIndex: 0)?.splices, firstItemIndex: 0,
      isRenumbered: false, areEqual: traits.areEqual)
    return change?.splices ?? []
  }

  /// Whether the place of each item leads to its page: that of the range that it is in.
  var findsItems: Bool {
    let found = items.indices.map { pages.index(showing: $0) }
    let places = pages.slots.indices.flatMap { index in
      (0..<pages.items(of: index).count).map { (index: index, offset: $0) }
    }
    return found.elementsEqual(places, by: ==)
      && pages.index(showing: items.count) == (pages.slots.count, 0)
  }

  func checkInvariants() {
    pages.checkInvariants()
    let count = pages.slots.indices.last.map { pages.items(of: $0).upperBound }
    precondition(merged.items.count == count ?? 0)
  }

  private func loaded(_ page: AnyObject, _ items: [Item], _ next: NextPage) -> LoadedPage {
    LoadedPage(
      page: page, content: ContentBox(Page(items: items)), itemCount: items.count,
      ids: traits.id.map(items.map), next: next)
  }
}

extension NextPage {
  /// A page of the tests.
  static func named(_ name: Int) -> NextPage { .page(NamedPage.of(name)) }
}

@Suite("The chain of pages")
struct PageChainTests {
  typealias Chain = MergedChain<Int>

  @Test("A new chain has no pages and no items")
  func newChain() {
    let chain = Chain()
    chain.checkInvariants()
    #expect(chain.items.isEmpty && chain.names.isEmpty)
    #expect(chain.pages.linkedCount == 0 && !chain.pages.isComplete)
  }

  @Test("Pages that name each other are merged in order")
  func mergesInOrder() {
    var chain = Chain()
    chain.append(1, [1, 2], next: .named(2))
    #expect(!chain.pages.isComplete)
    chain.append(2, [3], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [1, 2, 3])
    #expect(chain.pages.linkedCount == 2 && chain.pages.isComplete)
  }

  @Test("A changed page is spliced, and equal items stay out of the splice")
  func splicesTheDifference() throws {
    var chain = Chain()
    chain.append(1, [1, 2, 3, 4], next: .named(2))
    chain.append(2, [5, 6], next: .end)
    _ = chain.takeSplices()
    chain.update(at: 0, [1, 9, 4], next: .named(2))
    let splices = chain.takeSplices()
    let splice = try #require(splices.first)
    #expect(splices.count == 1)
    #expect(splice.removedRange == 1..<3)
    #expect(Array(splice.insertedItems) == [9])
    #expect(chain.items == [1, 9, 4, 5, 6])
  }

  @Test("An unchanged page changes nothing")
  func unchangedPageIsSilent() {
    var chain = Chain()
    chain.append(1, [1, 2], next: .end)
    _ = chain.takeSplices()
    let isRelinked = chain.update(at: 0, [1, 2], next: .end)
    #expect(!isRelinked)
    #expect(chain.takeSplices().isEmpty)
    #expect(chain.takeRemovedNames().isEmpty)
  }

  @Test("Other pages follow the last one where it names another page, or none")
  func otherNextPage() {
    var chain = chain(of: 2)
    let links: [NextPage] = [.named(3), .named(3), .named(4), .end, .end]
    let leadsElsewhere = links.map { chain.update(at: 1, [2], next: $0) }
    #expect(leadsElsewhere == [true, false, true, true, false])
    chain.checkInvariants()
  }

  @Test("Items that are equal and not the same are written, and stay out of the splice")
  func equalItemsAreWritten() {
    struct Row: Equatable {
      let id: Int
      let text: String
      static func == (left: Row, right: Row) -> Bool { left.id == right.id }
    }
    var chain = MergedChain<Row>()
    chain.append(1, [Row(id: 1, text: "old")], next: .end)
    _ = chain.takeSplices()
    chain.update(at: 0, [Row(id: 1, text: "new")], next: .end)
    #expect(chain.items.map(\.text) == ["new"])
    #expect(chain.takeSplices().isEmpty)
  }

  @Test("Another next page keeps the suffix visible until it is replaced page by page")
  func staleSuffixIsReplacedPageByPage() {
    var chain = chain(of: 4)
    let isRelinked = chain.update(at: 0, [10], next: .named(22))
    #expect(isRelinked)
    chain.checkInvariants()
    #expect(chain.items == [10, 2, 3, 4])
    #expect(chain.pages.linkedCount == 1 && chain.pages.hasStalePages)
    chain.append(22, [20], next: .named(33))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 3, 4])
    chain.append(33, [30], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 30])
    #expect(chain.pages.linkedCount == 3 && chain.pages.isComplete)
  }

  @Test("A page that comes between two replaces none")
  func insertsAPage() {
    var chain = chain(of: 3)
    chain.update(at: 0, [1], next: .named(7))
    chain.append(7, [70], next: .named(2))
    chain.checkInvariants()
    #expect(chain.items == [1, 70, 2, 3])
    #expect(chain.pages.linkedCount == 4)
  }

  @Test("A new chain that comes back to a page of the old one keeps what follows it")
  func rejoinsTheSuffix() {
    var chain = chain(of: 5)
    chain.update(at: 0, [10], next: .named(22))
    _ = chain.takeRemovedNames()
    chain.append(22, [20], next: .named(4))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 4, 5])
    #expect(chain.pages.linkedCount == 4)
    #expect(chain.takeRemovedNames().sorted() == [2, 3])
  }

  @Test("A shorter chain drops the rest")
  func dropsTheRest() {
    var chain = chain(of: 4)
    chain.update(at: 1, [2], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [1, 2])
    #expect(chain.takeRemovedNames().sorted() == [3, 4])
  }

  @Test("A page that lost its content leaves, and what follows it waits")
  func removesAPage() {
    var chain = chain(of: 3)
    chain.change { $0.remove(at: 1) }
    chain.checkInvariants()
    #expect(chain.items == [1, 3])
    #expect(chain.pages.linkedCount == 1)
    chain.append(2, [2], next: .named(3))
    chain.checkInvariants()
    #expect(chain.items == [1, 2, 3])
    #expect(chain.pages.linkedCount == 3)
  }

  @Test("A page before the first one that leads elsewhere makes the others stale")
  func prependsAPage() {
    var chain = chain(of: 2)
    chain.prepend(0, [0], next: .named(1))
    #expect(
      chain.pages.linkedCount == 3 && chain.pages.firstItemIndex == -1
        && chain.pages.firstPageIndex == -1)
    chain.prepend(-1, [-1], next: .named(8))
    chain.checkInvariants()
    #expect(chain.items == [-1, 0, 1, 2])
    #expect(chain.pages.linkedCount == 1 && chain.pages.firstItemIndex == -2)
  }

  @Test("Content that was replaced or removed is handed out, and not released by the chain")
  func handsOutReplacedContent() {
    var chain = chain(of: 3).pages
    weak let replaced = chain.slots[0].content
    weak let removed = chain.slots[1].content
    let content = ContentBox(Page(items: [10]))
    let page = chain.slots[0].page
    _ = chain.update(
      at: 0, LoadedPage(page: page, content: content, itemCount: 1, ids: nil, next: .named(2)))
    chain.removeAll(from: 1)
    #expect(replaced != nil && removed != nil)
    _ = chain.takeEdits()
    #expect(replaced == nil && removed != nil)
    #expect(chain.takeRemovedContent().count == 2)
    #expect(removed == nil)
  }

  /// Pages 1…count with one item each, the page's own name.
  private func chain(of count: Int) -> Chain {
    var chain = Chain()
    for page in 1...count {
      chain.append(page, [page], next: page < count ? .named(page + 1) : .end)
    }
    return chain
  }
}
