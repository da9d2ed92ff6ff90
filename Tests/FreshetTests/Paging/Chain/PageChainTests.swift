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
  /// The name of the page in a slot.
  func name(at index: Int) -> Int { [slots.page(at: index)].names.first ?? -1 }
}

@Suite("The chain of pages")
struct PageChainTests {
  typealias Chain = PageChain<Int>

  @Test("A new chain has one page to load and no items")
  func newChain() {
    let chain = Chain(first: NamedPage.of(1))
    chain.checkInvariants()
    #expect(chain.items.isEmpty)
    #expect(chain.slots.count == 1)
    #expect(chain.slots.linkedCount == 0)
  }

  @Test("Pages that name each other are merged in order")
  func mergesInOrder() {
    var chain = Chain(first: NamedPage.of(1))
    _ = chain.update(at: 0, items: [1, 2], next: .page(NamedPage.of(2)))
    _ = chain.update(at: 1, items: [3], next: .end)
    #expect(chain.items == [1, 2, 3])
    #expect(chain.slots.linkedCount == 2)
    #expect(chain.slots.count == 2)
  }

  @Test("A changed page is spliced, and equal items stay out of the splice")
  func splicesTheDifference() throws {
    var chain = Chain(first: NamedPage.of(1), areEqual: ==)
    _ = chain.update(at: 0, items: [1, 2, 3, 4], next: .page(NamedPage.of(2)))
    _ = chain.update(at: 1, items: [5, 6], next: .end)
    let change = chain.update(at: 0, items: [1, 9, 4], next: .page(NamedPage.of(2)))
    let splice = try #require(change.splices.inOrder.first)
    #expect(change.splices.count == 1)
    #expect(splice.removed == 1..<3)
    #expect(Array(splice.inserted) == [9])
    #expect(chain.items == [1, 9, 4, 5, 6])
  }

  @Test("An unchanged page changes nothing")
  func unchangedPageIsSilent() {
    var chain = Chain(first: NamedPage.of(1), areEqual: ==)
    _ = chain.update(at: 0, items: [1, 2], next: .end)
    let change = chain.update(at: 0, items: [1, 2], next: .end)
    #expect(change.splices.isEmpty && change.dropped.isEmpty)
  }

  @Test("Another next page keeps the suffix visible until it is replaced page by page")
  func staleSuffixIsReplacedPageByPage() {
    var chain = chain(of: 4)
    _ = chain.update(at: 0, items: [10], next: .page(NamedPage.of(22)))
    chain.checkInvariants()
    #expect(chain.items == [10, 2, 3, 4])
    #expect(chain.slots.linkedCount == 1)
    _ = chain.update(at: 1, items: [20], next: .page(NamedPage.of(33)))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 3, 4])
    _ = chain.update(at: 2, items: [30], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 30])
    #expect(chain.slots.linkedCount == 3)
  }

  @Test("A new chain that comes back to a page of the old one keeps what is behind it")
  func rejoinsTheSuffix() {
    var chain = chain(of: 5)
    _ = chain.update(at: 0, items: [10], next: .page(NamedPage.of(22)))
    let change = chain.update(at: 1, items: [20], next: .page(NamedPage.of(4)))
    chain.checkInvariants()
    #expect(chain.items == [10, 20, 4, 5])
    #expect(chain.slots.linkedCount == 4)
    #expect(change.dropped.names == [3])
  }

  @Test("A shorter chain drops the rest")
  func dropsTheRest() {
    var chain = chain(of: 4)
    let change = chain.update(at: 1, items: [2], next: .end)
    chain.checkInvariants()
    #expect(chain.items == [1, 2])
    #expect(change.dropped.names == [3, 4])
  }

  @Test("A next page that is in the chain already is a loop, not an end")
  func refusesLoops() throws {
    var chain = chain(of: 3)
    _ = chain.update(at: 2, items: [3], next: .page(NamedPage.of(2)))
    chain.checkInvariants()
    let next = chain.slots.nextAfterLinked
    guard case .refused(let walk) = try #require(next) else {
      Issue.record("the loop was not refused")
      return
    }
    #expect(walk.reason == .loop(backTo: 1))
    #expect(walk.page == 2)
  }

  @Test("A page that lost its content shows nothing, and what is behind it waits")
  func unloads() {
    var chain = chain(of: 3)
    _ = chain.unload(at: 1)
    chain.checkInvariants()
    #expect(chain.items == [1, 3])
    #expect(chain.slots.linkedCount == 1)
    _ = chain.update(at: 1, items: [2], next: .page(NamedPage.of(3)))
    chain.checkInvariants()
    #expect(chain.items == [1, 2, 3])
    #expect(chain.slots.linkedCount == 3)
  }

  /// Pages 1…count with one item each, the page's own name.
  private func chain(of count: Int) -> Chain {
    var chain = Chain(first: NamedPage.of(1), areEqual: ==)
    for page in 1...count {
      let next: Chain.Next = page < count ? .page(NamedPage.of(page + 1)) : .end
      _ = chain.update(at: page - 1, items: [page], next: next)
    }
    return chain
  }
}
