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

extension PageChain {
  /// The names of the pages.
  var names: [Int] { slots.map(\.page).names }

  /// Adds a page of the tests after the linked ones.
  mutating func append(_ name: Int, _ items: [Item], next: NextPage) {
    append(NamedPage.of(name), ContentBox(Page(items: items)), next: next)
  }

  /// Adds a page of the tests before the first one.
  mutating func prepend(_ name: Int, _ items: [Item], next: NextPage) {
    prepend(NamedPage.of(name), ContentBox(Page(items: items)), next: next)
  }

  @discardableResult
  mutating func update(
    at index: Int, _ items: [Item], next: NextPage
  ) -> (isChanged: Bool, isRelinked: Bool) {
    update(at: index, ContentBox(Page(items: items)), next: next)
  }
}

extension NextPage {
  /// A page of the tests.
  static func named(_ name: Int) -> NextPage { .page(NamedPage.of(name)) }
}

@Suite("The chain of pages")
struct PageChainTests {
  typealias Chain = PageChain<Int>

  @Test("A new chain has no pages and no items")
  func newChain() {
    let chain = Chain()
    chain.checkInvariants()
    #expect(chain.items.isEmpty && chain.slots.isEmpty)
    #expect(chain.linkedCount == 0 && !chain.isComplete)
  }

  @Test("Pages that name each other are merged in order")
  func mergesInOrder() {
    var chain = Chain()
    chain.append(1, [1, 2], next: .named(2))
    #expect(!chain.isComplete)
    chain.append(2, [3], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [1, 2, 3])
    #expect(chain.linkedCount == 2 && chain.isComplete)
  }

  @Test("A changed page is spliced, and equal items stay out of the splice")
  func splicesTheDifference() throws {
    var chain = Chain(ItemTraits(nil))
    chain.append(1, [1, 2, 3, 4], next: .named(2))
    chain.append(2, [5, 6], next: .end)
    _ = chain.takeSplices()
    #expect(chain.update(at: 0, [1, 9, 4], next: .named(2)).isChanged)
    let splices = chain.takeSplices()
    let splice = try #require(splices.inOrder.first)
    #expect(splices.count == 1)
    #expect(splice.removed == 1..<3)
    #expect(Array(splice.inserted) == [9])
    #expect(chain.items == [1, 9, 4, 5, 6])
  }

  @Test("An unchanged page changes nothing")
  func unchangedPageIsSilent() {
    var chain = Chain(ItemTraits(nil))
    chain.append(1, [1, 2], next: .end)
    _ = chain.takeSplices()
    let change = chain.update(at: 0, [1, 2], next: .end)
    #expect(!change.isChanged && !change.isRelinked)
    #expect(chain.splices.isEmpty && chain.removedPages.isEmpty)
  }

  @Test("Items that are equal and not the same are written, and stay out of the splice")
  func equalItemsAreWritten() {
    struct Row: Equatable {
      let id: Int
      let text: String
      static func == (left: Row, right: Row) -> Bool { left.id == right.id }
    }
    var chain = PageChain<Row>(ItemTraits(nil))
    chain.append(1, [Row(id: 1, text: "old")], next: .end)
    _ = chain.takeSplices()
    chain.update(at: 0, [Row(id: 1, text: "new")], next: .end)
    #expect(chain.items.map(\.text) == ["new"])
    #expect(chain.splices.isEmpty)
  }

  @Test("Another next page keeps the suffix visible until it is replaced page by page")
  func staleSuffixIsReplacedPageByPage() {
    var chain = chain(of: 4)
    #expect(chain.update(at: 0, [10], next: .named(22)).isRelinked)
    chain.checkInvariants()
    #expect(chain.items == [10, 2, 3, 4])
    #expect(chain.linkedCount == 1 && chain.hasStalePages)
    chain.append(22, [20], next: .named(33))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 3, 4])
    chain.append(33, [30], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 30])
    #expect(chain.linkedCount == 3 && chain.isComplete)
  }

  @Test("A page that comes between two takes nobody's place")
  func insertsAPage() {
    var chain = chain(of: 3)
    chain.update(at: 0, [1], next: .named(7))
    chain.append(7, [70], next: .named(2))
    chain.checkInvariants()
    #expect(chain.items == [1, 70, 2, 3])
    #expect(chain.linkedCount == 4)
  }

  @Test("A new chain that comes back to a page of the old one keeps what follows it")
  func rejoinsTheSuffix() {
    var chain = chain(of: 5)
    chain.update(at: 0, [10], next: .named(22))
    _ = chain.takeRemovedPages()
    chain.append(22, [20], next: .named(4))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 4, 5])
    #expect(chain.linkedCount == 4)
    #expect(chain.takeRemovedPages().names.sorted() == [2, 3])
  }

  @Test("A shorter chain drops the rest")
  func dropsTheRest() {
    var chain = chain(of: 4)
    chain.update(at: 1, [2], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [1, 2])
    #expect(chain.takeRemovedPages().names.sorted() == [3, 4])
  }

  @Test("A page that lost its content leaves, and what follows it waits")
  func removesAPage() {
    var chain = chain(of: 3)
    chain.remove(at: 1)
    chain.checkInvariants()
    #expect(chain.items == [1, 3])
    #expect(chain.linkedCount == 1)
    chain.append(2, [2], next: .named(3))
    chain.checkInvariants()
    #expect(chain.items == [1, 2, 3])
    #expect(chain.linkedCount == 3)
  }

  @Test("A page before the first one that leads elsewhere makes the others stale")
  func prependsAPage() {
    var chain = chain(of: 2)
    chain.prepend(0, [0], next: .named(1))
    #expect(chain.linkedCount == 3 && chain.firstItemIndex == -1 && chain.firstPageIndex == -1)
    chain.prepend(-1, [-1], next: .named(8))
    chain.checkInvariants()
    #expect(chain.items == [-1, 0, 1, 2])
    #expect(chain.linkedCount == 1 && chain.firstItemIndex == -2)
  }

  @Test("Content that was replaced or removed is handed out, and not released by the chain")
  func handsOutReplacedContent() {
    var chain = chain(of: 3)
    chain.update(at: 0, [10], next: .named(2))
    chain.removeAll(from: 1)
    #expect(chain.takeReplaced().count == 3)
    #expect(chain.takeReplaced().isEmpty)
  }

  /// Pages 1…count with one item each, the page's own name.
  private func chain(of count: Int) -> Chain {
    var chain = Chain(ItemTraits(nil))
    for page in 1...count {
      chain.append(page, [page], next: page < count ? .named(page + 1) : .end)
    }
    return chain
  }
}
