import Testing

@testable import Freshet

@Suite("The chain of pages with identities against a naive filter")
struct PageChainIdentityRandomTests {
  @Test(
    "Each item is shown once, in its first copy or in its newest, and keeps its number",
    arguments: [ItemChoice.first, .newest])
  func onceEach(choice: ItemChoice) {
    for seed in UInt64(1)...60 {
      var trial = IdentityTrial(seed: seed, choice: choice)
      for step in 0..<150 {
        trial.act()
        if let failure = trial.failure {
          Issue.record("seed \(seed), step \(step): \(failure)")
          return
        }
      }
    }
  }
}

/// A chain whose items have identities, and what each page holds.
private struct IdentityTrial: ~Copyable {
  private struct Held {
    var items: [Int]
    /// When it was sent or confirmed.
    var sequence: Int
  }

  private(set) var failure: String?
  private var random: SeededGenerator
  private var chain: PageChain<Int>
  private let choice: ItemChoice
  private var copy: [Int] = []
  private var held: [Int: Held] = [:]
  private var sequence = 0
  private var newest = -100

  init(seed: UInt64, choice: ItemChoice) {
    random = SeededGenerator(seed: seed)
    self.choice = choice
    chain = PageChain(
      first: NamedPage.of(0), identity: ItemIdentity(showing: choice) { $0 },
      areEqual: Bool.random(using: &random) ? { $0 == $1 } : nil)
  }

  mutating func act() {
    let index = Int.random(in: 0..<chain.slots.count, using: &random)
    let page = chain.name(at: index)
    let (old, number) = (chain.items, chain.slots.firstItemIndex)
    var moves = false
    let change: PageChain<Int>.Change
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      held[page] = nil
      change = chain.unload(at: index)
    case 1 where chain.slots.linkedCount > 0:
      newest -= 1
      let items = send(newest)
      moves = Set(items).isDisjoint(with: held.filter { $0.key != newest }.flatMap(\.value.items))
      change = chain.prepend(NamedPage.of(newest), items: items)
    case 3 where chain.slots.linkedCount > 1:
      let first = chain.name(at: 0)
      let items = held.removeValue(forKey: first)?.items ?? []
      moves = Set(items).isDisjoint(with: held.flatMap(\.value.items))
      change = chain.dropFirst()
    case 4 where chain.slots.linkedCount > 1:
      held[chain.name(at: chain.slots.linkedCount - 1)] = nil
      change = chain.drop(from: chain.slots.linkedCount - 1)
    case 5 where held[page] != nil:
      sequence += 1
      held[page]?.sequence = sequence
      change = chain.confirm(at: index)
    default:
      let items = send(page)
      change = chain.update(at: index, items: items, next: next(of: page))
    }
    check(change, from: old, number, moves: moves)
  }

  private mutating func send(_ page: Int) -> [Int] {
    sequence += 1
    let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0..<9, using: &random)
    }
    held[page] = Held(items: items, sequence: sequence)
    return items
  }

  private mutating func next(of page: Int) -> PageChain<Int>.Next {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .end
    case 1: .refused(IncompleteWalk(.insecure, page: 0))
    case 2, 3: .page(NamedPage.of(Int.random(in: 0..<40, using: &random)))
    default: .page(NamedPage.of(page + 1))
    }
  }

  private mutating func check(
    _ change: PageChain<Int>.Change, from old: [Int], _ number: Int, moves: Bool
  ) {
    chain.checkInvariants()
    for splice in change.splices.inOrder {
      copy.replaceSubrange(splice.removed, with: splice.inserted)
    }
    if copy != chain.items { failure = "the copy is \(copy), not \(chain.items)" }
    for dropped in change.dropped.names { held[dropped] = nil }
    // A slot that is covered, or dropped at the end, is empty until its page is loaded again.
    for index in 0..<chain.slots.count where chain.slots.slots[index].next == nil {
      held[chain.name(at: index)] = nil
    }
    let naive = shown()
    if chain.items != naive { failure = "\(chain.items) instead of \(naive)" }
    let all = held.reduce(0) { $0 + $1.value.items.count }
    if chain.slots.duplicateCount != all - naive.count {
      failure = "\(chain.slots.duplicateCount) duplicates, \(naive.count) of \(all) shown"
    }
    for (offset, item) in chain.items.enumerated() where chain.slots.offset(of: item) != offset {
      failure = "\(item) is at \(chain.slots.offset(of: item) ?? -1) of \(chain.items)"
    }
    guard moves else { return }
    for (offset, item) in old.enumerated() {
      guard let now = chain.items.firstIndex(of: item) else { continue }
      if now + chain.slots.firstItemIndex != offset + number {
        failure = "\(item) has another number"
      }
    }
  }

  /// What is to be shown of what the pages hold.
  private func shown() -> [Int] {
    let pages = (0..<chain.slots.count).map { held[chain.name(at: $0)] }
    var owners: [Int: Int] = [:]
    for (index, page) in pages.enumerated() {
      for item in page?.items ?? [] {
        guard let owner = owners[item] else {
          owners[item] = index
          continue
        }
        if choice == .newest, pages[owner]?.sequence ?? 0 < page?.sequence ?? 0 {
          owners[item] = index
        }
      }
    }
    var seen: Set<Int> = []
    return pages.enumerated().flatMap { index, page in
      (page?.items ?? []).filter { owners[$0] == index && seen.insert($0).inserted }
    }
  }
}
