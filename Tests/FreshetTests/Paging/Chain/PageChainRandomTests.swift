import Testing

@testable import Freshet

@Suite("The chain of pages against a naive concatenation")
struct PageChainRandomTests {
  @Test(
    "Every change applied to a copy gives the items, and the items are the pages' concatenation")
  func splicesAndConcatenation() {
    for seed in UInt64(1)...400 {
      var random = SeededGenerator(seed: seed)
      var chain = PageChain<Int>(
        first: NamedPage.of(0), areEqual: Bool.random(using: &random) ? { $0 == $1 } : nil)
      var copy: [Int] = []
      var shown: [Int: [Int]] = [:]
      for step in 0..<150 {
        let index = Int.random(in: 0..<chain.slots.count, using: &random)
        let page = chain.name(at: index)
        let before = (0..<chain.slots.count).map { chain.name(at: $0) }
        let change: PageChain<Int>.Change
        if Int.random(in: 0..<12, using: &random) == 0 {
          shown[page] = []
          change = chain.unload(at: index)
        } else {
          let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Int.random(in: 0..<5, using: &random)
          }
          shown[page] = items
          change = chain.update(at: index, items: items, next: next(of: page, &random))
        }
        chain.checkInvariants()
        for splice in change.splices.inOrder {
          copy.replaceSubrange(splice.removed, with: splice.inserted)
        }
        // A page that takes the place of another shows the other's items until it is loaded.
        if index + 1 < min(chain.slots.count, before.count) {
          let successor = chain.name(at: index + 1)
          if !before.contains(successor) { shown[successor] = shown[before[index + 1]] }
        }
        for dropped in change.dropped.names { shown[dropped] = nil }
        let naive = (0..<chain.slots.count).flatMap { shown[chain.name(at: $0)] ?? [] }
        guard copy == chain.items, naive == chain.items else {
          Issue.record("seed \(seed), step \(step): \(copy) and \(naive) for \(chain.items)")
          return
        }
      }
    }
  }

  @Test("A completed walk of a server's chain gives exactly its items, however it changed before")
  func equalsAFreshWalk() {
    for seed in UInt64(1)...400 {
      var random = SeededGenerator(seed: seed)
      var server = PageServer(&random)
      var chain = PageChain<Int>(first: NamedPage.of(0)) { $0 == $1 }
      for round in 0..<12 {
        // A refresh: each page in chain order is asked once.
        var index = 0
        while index < chain.slots.count {
          let page = chain.name(at: index)
          let next = server.next[page].map {
            PageChain<Int>.Next.page(NamedPage.of($0))
          }
          _ = chain.update(at: index, items: server.items[page] ?? [], next: next ?? .end)
          chain.checkInvariants()
          index += 1
        }
        guard chain.items == server.walk(), chain.slots.linkedCount == chain.slots.count else {
          Issue.record("seed \(seed), round \(round): \(chain.items) for \(server.walk())")
          return
        }
        server.change(&random)
      }
    }
  }

  private func next(
    of page: Int, _ random: inout SeededGenerator
  ) -> PageChain<Int>.Next {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .end
    case 1: .refused(IncompleteWalk(.insecure, page: 0))
    case 2, 3: .page(NamedPage.of(Int.random(in: 0..<40, using: &random)))
    default: .page(NamedPage.of(page + 1))
    }
  }
}

/// A server's list: what each page holds and names as the next.
private struct PageServer {
  var items: [Int: [Int]] = [:]
  var next: [Int: Int] = [:]
  private var newest = 0

  init(_ random: inout SeededGenerator) {
    link([0] + (1...Int.random(in: 1...12, using: &random)).map { $0 })
    newest = 100
  }

  /// The chain from page 0, walked afresh.
  func walk() -> [Int] {
    var walked: [Int] = []
    var page: Int? = 0
    while let current = page {
      walked += items[current] ?? []
      page = next[current]
    }
    return walked
  }

  mutating func change(_ random: inout SeededGenerator) {
    var chain = [0]
    while let page = next[chain[chain.count - 1]] { chain.append(page) }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 1...chain.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        newest += 1
        chain.insert(newest, at: place)
      case 1 where place < chain.count: chain.remove(at: place)
      default: items[chain[place - 1]] = [Int.random(in: 0..<100, using: &random)]
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      // Every link behind some page is another one, as with tokens made anew on every read.
      let place = Int.random(in: 1...chain.count, using: &random)
      let renamed = chain[place...].map { page in
        newest += 1
        items[newest] = items[page]
        return newest
      }
      chain = chain[..<place] + renamed
    }
    link(chain)
  }

  private mutating func link(_ chain: [Int]) {
    next = Dictionary(zip(chain, chain.dropFirst())) { first, _ in first }
    for page in chain where items[page] == nil { items[page] = [page * 10, page * 10 + 1] }
  }
}
