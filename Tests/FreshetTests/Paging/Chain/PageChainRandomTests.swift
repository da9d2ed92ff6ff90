import Testing

@testable import Freshet

@Suite("The chain of pages against a naive concatenation")
struct PageChainRandomTests {
  @Test(
    "Every change applied to a copy gives the items, and the items are the pages' concatenation")
  func splicesAndConcatenation() {
    for seed in 1...trialCount(400 as UInt64) {
      var random = SeededGenerator(seed: seed)
      var chain = MergedChain<Int>(
        Bool.random(using: &random) ? ItemTraits(nil) : ItemTraits<Int>())
      var copy: [Int] = []
      var held: [Int: [Int]] = [:]
      for step in 0..<150 {
        let before = chain.names
        act(on: &chain, &held, &random)
        chain.checkInvariants()
        for splice in chain.takeSplices() {
          copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
        }
        let removed = chain.takeRemovedNames()
        let naive = chain.names.flatMap { held[$0] ?? [] }
        guard copy == chain.items, naive == chain.items, chain.findsItems,
          Set(removed) == Set(before).subtracting(chain.names)
        else {
          Issue.record("seed \(seed), step \(step): \(copy) and \(naive) for \(chain.items)")
          return
        }
      }
    }
  }

  private func act(
    on chain: inout MergedChain<Int>, _ held: inout [Int: [Int]],
    _ random: inout SeededGenerator
  ) {
    let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0..<5, using: &random)
    }
    let count = chain.names.count
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where count > 0:
      let index = Int.random(in: 0..<count, using: &random)
      chain.change { $0.remove(at: index) }
    case 1 where count > 0:
      let index = Int.random(in: 0..<count, using: &random)
      chain.change { $0.removeAll(from: index) }
    case 2 where chain.pages.linkedCount > 1: chain.change { $0.removeFirst() }
    case 3 where chain.pages.linkedCount > 0 && !chain.names.contains(-1):
      held[-1] = items
      chain.prepend(-1, items, next: random.chance(0.5) ? .named(chain.names[0]) : .named(30))
    case 4:
      let first = random.chance(0.5) ? chain.names.randomElement(using: &random) ?? 0 : 50
      chain.change { $0.restart(at: NamedPage.of(first)) }
    case 5..<9:
      let root = chain.pages.linkedCount == 0 ? Int.random(in: 0..<40, using: &random) : nil
      guard let page = chain.nextName ?? root, !chain.names.contains(page) else { return }
      held[page] = items
      chain.append(page, items, next: next(of: page, &random))
    default:
      guard count > 0 else { return }
      let index = Int.random(in: 0..<count, using: &random)
      let page = chain.names[index]
      held[page] = items
      chain.update(at: index, items, next: next(of: page, &random))
    }
  }

  @Test("A completed walk of a server's chain gives exactly its items, however it changed before")
  func equalsAFreshWalk() {
    for seed in 1...trialCount(400 as UInt64) {
      var random = SeededGenerator(seed: seed)
      var server = PageServer(&random)
      var chain = MergedChain<Int>()
      for round in 0..<12 {
        // A refresh: each page in chain order is requested once.
        var index = 0
        while true {
          let page: Int
          if index < chain.pages.linkedCount {
            page = chain.names[index]
          } else if index == 0 {
            page = 0
          } else if let next = chain.nextName {
            page = next
          } else {
            break
          }
          let items = server.items[page] ?? []
          let next = server.next[page].map { NextPage.named($0) } ?? .end
          if index < chain.pages.linkedCount {
            chain.update(at: index, items, next: next)
          } else {
            chain.append(page, items, next: next)
          }
          chain.checkInvariants()
          index += 1
        }
        guard chain.items == server.walk(), chain.pages.isComplete else {
          Issue.record("seed \(seed), round \(round): \(chain.items) for \(server.walk())")
          return
        }
        server.change(&random)
      }
    }
  }

  private func next(of page: Int, _ random: inout SeededGenerator) -> NextPage {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .end
    case 1: .refused(.insecure)
    case 2, 3: .named(Int.random(in: 0..<40, using: &random))
    default: .named(page + 1)
    }
  }
}

/// A server's list: the items and the next page of each page.
private struct PageServer {
  var items: [Int: [Int]] = [:]
  var next: [Int: Int] = [:]
  private var newest = 0

  init(_ random: inout SeededGenerator) {
    link([0] + (1...Int.random(in: 1...12, using: &random)).map { $0 })
    newest = 100
  }

  /// The chain from page 0, walked again.
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
      // Every link after some page is another one, as with new tokens on every read.
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
