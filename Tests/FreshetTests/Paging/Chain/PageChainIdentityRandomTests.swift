import Testing

@testable import Freshet

@Suite("The chain of pages with identities against a naive filter")
struct PageChainIdentityRandomTests {
  @Test(
    "Each item is shown once, in its first copy or in its newest, and keeps its number",
    arguments: [ItemChoice.first, .newest])
  func onceEach(choice: ItemChoice) {
    for seed in UInt64(1)...trialCount(60) {
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

/// A chain whose items have identities, and the items of each page.
private struct IdentityTrial: ~Copyable {
  private struct Held {
    var items: [Int]
    /// When it was sent or confirmed.
    var sequence: Int
  }

  private(set) var failure: String?
  private var random: SeededGenerator
  private var chain: MergedChain<Int>
  private let choice: ItemChoice
  private var copy: [Int] = []
  private var held: [Int: Held] = [:]
  private var sequence = 0
  private var newest = -100

  init(seed: UInt64, choice: ItemChoice) {
    random = SeededGenerator(seed: seed)
    self.choice = choice
    var traits = ItemTraits(ItemIdentity(showing: choice) { $0 } as ItemIdentity<Int>)
    if Bool.random(using: &random) { traits.areEqual = nil }
    chain = MergedChain(traits)
  }

  mutating func act() {
    let (old, number) = (chain.items, chain.pages.firstItemIndex)
    var moves = false
    let count = chain.names.count
    let index = count > 0 ? Int.random(in: 0..<count, using: &random) : 0
    switch Int.random(in: 0..<16, using: &random) {
    case 0 where count > 0:
      chain.change { $0.remove(at: index) }
    case 1 where chain.pages.linkedCount > 0:
      newest -= 1
      let items = send(newest)
      moves = Set(items).isDisjoint(with: held.filter { $0.key != newest }.flatMap(\.value.items))
      chain.prepend(newest, items, next: .named(chain.names[0]))
    case 3 where chain.pages.linkedCount > 1:
      let items = held[chain.names[0]]?.items ?? []
      moves = Set(items).isDisjoint(
        with: held.filter { $0.key != chain.names[0] }.flatMap(\.value.items))
      chain.change { $0.removeFirst() }
    case 4 where chain.pages.linkedCount > 1:
      let last = chain.pages.linkedCount - 1
      chain.change { $0.removeAll(from: last) }
    case 5 where count > 0:
      sequence += 1
      held[chain.names[index]]?.sequence = sequence
      chain.change { $0.confirm(at: index, by: 0) }
    case 6..<11:
      let root = chain.pages.linkedCount == 0 ? Int.random(in: 0..<40, using: &random) : nil
      guard let page = chain.nextName ?? root, !chain.names.contains(page) else { return }
      let items = send(page)
      chain.append(page, items, next: next(of: page))
    default:
      guard count > 0 else { return }
      let page = chain.names[index]
      let items = send(page)
      chain.update(at: index, items, next: next(of: page))
    }
    check(from: old, number, moves: moves)
  }

  private mutating func send(_ page: Int) -> [Int] {
    sequence += 1
    let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0..<9, using: &random)
    }
    held[page] = Held(items: items, sequence: sequence)
    return items
  }

  private mutating func next(of page: Int) -> NextPage {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .end
    case 1: .refused(.insecure)
    case 2, 3: .named(Int.random(in: 0..<40, using: &random))
    default: .named(page + 1)
    }
  }

  private mutating func check(from old: [Int], _ number: Int, moves: Bool) {
    chain.checkInvariants()
    for splice in chain.takeSplices() {
      copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
    }
    if copy != chain.items { failure = "the copy is \(copy), not \(chain.items)" }
    for dropped in chain.takeRemovedNames() { held[dropped] = nil }
    let naive = shown()
    if chain.items != naive { failure = "\(chain.items) instead of \(naive)" }
    let all = held.reduce(0) { $0 + $1.value.items.count }
    if chain.pages.duplicateCount != all - naive.count {
      failure = "\(chain.pages.duplicateCount) duplicates, \(naive.count) of \(all) shown"
    }
    for (offset, item) in chain.items.enumerated()
    where chain.pages.offset(of: item) != offset {
      failure = "\(item) is at \(chain.pages.offset(of: item) ?? -1) of \(chain.items)"
    }
    guard moves else { return }
    for (offset, item) in old.enumerated() {
      guard let now = chain.items.firstIndex(of: item) else { continue }
      if now + chain.pages.firstItemIndex != offset + number {
        failure = "\(item) has another number"
      }
    }
  }

  /// The items to show.
  private func shown() -> [Int] {
    let pages = chain.names.map { held[$0] }
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
