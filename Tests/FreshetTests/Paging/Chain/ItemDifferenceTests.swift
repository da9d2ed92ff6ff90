import Testing

@testable import Freshet

@Suite("What happened to each item")
struct ItemDifferenceTests {
  private struct Row: Identifiable, Equatable {
    var id: Int
    var text: Int
  }

  @Test("Removed, inserted, changed and moved items are distinguished")
  func each() {
    let old = [Row(id: 1, text: 0), Row(id: 2, text: 0), Row(id: 3, text: 0), Row(id: 4, text: 0)]
    let new = [Row(id: 4, text: 0), Row(id: 1, text: 0), Row(id: 3, text: 9), Row(id: 5, text: 0)]
    let difference = ItemDifference(from: old, to: new, by: \.id, areEqual: ==)
    #expect(difference.removals == [1])
    #expect(difference.insertions == [3])
    #expect(difference.moves == [.init(from: 3, to: 0)])
    #expect(difference.updates == [2])
  }

  @Test("Items that have an identity of their own need no other")
  func ownIdentity() {
    let old = [Row(id: 1, text: 0), Row(id: 2, text: 0)]
    let new = [Row(id: 1, text: 9), Row(id: 3, text: 0)]
    let change = PagedChange([PagedChange.Splice(at: 0, removing: old[...], inserting: new[...])])
    #expect(change.difference == change.difference(by: \.id, areEqual: ==))
    #expect(change.difference.updates == [0] && change.difference.insertions == [1])
    #expect(ItemTraits<Row>(.id).id?(old[1]) == AnyHashable(2))
    #expect(ItemTraits<Row>(.automatic).id?(old[1]) == AnyHashable(2))
    #expect(ItemTraits<Int>(.automatic).id == nil && ItemTraits<Row>(nil).id == nil)
  }

  @Test("Removals, moves and insertions turn the old order into the new one")
  func equalsApplication() {
    for seed in UInt64(1)...3_000 {
      var random = SeededGenerator(seed: seed)
      let old = (0..<Int.random(in: 0...9, using: &random)).shuffled(using: &random)
        .map { Row(id: $0, text: 0) }
      var order = Array(old.indices)
      var splices: [PagedChange<Int>.Splice] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        splices.append(.random(for: &order, &random))
      }
      // Rows, of which no two have the same identity, by what the splices made of their places.
      var seen: Set<Int> = []
      let new = order.filter { seen.insert($0).inserted }
        .map {
          Row(
            id: $0 < old.count ? old[$0].id : 100 + $0, text: Int.random(in: 0...1, using: &random))
        }
      let difference = ItemDifference(from: old, to: new, by: \.id, areEqual: ==)

      let going = Set(difference.removals + difference.moves.map(\.from))
      var result = old.indices.filter { !going.contains($0) }.map { old[$0].id }
      let coming = (difference.insertions + difference.moves.map(\.to)).sorted()
      for offset in coming { result.insert(new[offset].id, at: offset) }
      let changed = new.indices.filter { index in
        old.contains { $0.id == new[index].id && $0.text != new[index].text }
      }
      let moved = difference.moves.allSatisfy { old[$0.from].id == new[$0.to].id }
      guard result == new.map(\.id), difference.updates == changed, moved else {
        Issue.record("seed \(seed): \(difference) from \(old) to \(new)")
        return
      }
    }
  }

  @Test("The splices of a change give the same difference as the whole arrays")
  func fromSplices() {
    for seed in UInt64(1)...2_000 {
      var random = SeededGenerator(seed: seed)
      let old = Array(0..<8)
      var new = old
      let splices = (0..<3).map { _ in PagedChange<Int>.Splice.random(for: &new, &random) }
      guard Set(new).count == new.count else { continue }
      let change = PagedChange(SpliceComposition(splices).splices(areEqual: ==))
      let difference = change.difference(by: \.self, areEqual: ==)
      let going = Set(difference.removals + difference.moves.map(\.from))
      var result = old.indices.filter { !going.contains($0) }.map { old[$0] }
      for offset in (difference.insertions + difference.moves.map(\.to)).sorted() {
        result.insert(new[offset], at: offset)
      }
      #expect(result == new && difference.updates.isEmpty, "seed \(seed)")
      #expect(Set(difference.removals.map { old[$0] }) == Set(old).subtracting(new))
    }
  }
}
