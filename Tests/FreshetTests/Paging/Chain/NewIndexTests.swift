import Freshet
import FreshetTesting
import Testing

@Suite("The index of an item after a change")
struct NewIndexTests {
  private struct Row: Identifiable, Hashable {
    let id: Int
    var version = 0
  }

  private func change(_ splices: (Int, [String], [String])...) -> PagedChange<String> {
    PagedChange(splices.map { .init(at: $0.0, removing: $0.1[...], inserting: $0.2[...]) })
  }

  @Test("Insertions and removals before an item move it, those after it do not")
  func moves() {
    #expect(change((0, [], ["x"])).newIndex(ofUnchangedItemAt: 5) == 6)
    #expect(change((5, [], ["x"])).newIndex(ofUnchangedItemAt: 5) == 6)
    #expect(change((6, [], ["x"])).newIndex(ofUnchangedItemAt: 5) == 5)
    #expect(change((1, ["b", "c"], []), (3, [], ["x"])).newIndex(ofUnchangedItemAt: 5) == 4)
  }

  @Test("An item that was removed has none, and one that was replaced has none without an identity")
  func removed() {
    #expect(change((1, ["b"], [])).newIndex(ofUnchangedItemAt: 1) == nil)
    let edit = change((1, ["b", "c"], ["c2", "x"]))
    #expect(edit.newIndex(ofUnchangedItemAt: 2) == nil)
    #expect(edit.newIndex(ofItemAt: 2, by: \.first) == 1)
    #expect(edit.newIndex(ofItemAt: 1, by: \.first) == nil)
  }

  @Test("Items that are identifiable are followed by their own id")
  func identifiable() {
    let change = PagedChange(
      [
        .init(
          at: 3, removing: [Row(id: 7)][...], inserting: [Row(id: 8), Row(id: 7, version: 1)][...])
      ]
    )
    #expect(change.newIndex(ofItemAt: 3) == 4)
    var selection: Int? = 3
    selection = selection.flatMap(change.newIndex(ofItemAt:))
    #expect(selection == 4)
  }

  @Test("It is that of a search by identity, for any splices in any order", arguments: 0..<300)
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var nextID = 30
    let old = (0..<Int.random(in: 1...20, using: &random)).map { Row(id: $0) }
    var new = old
    var taken: [Row] = []
    let splices = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let start = Int.random(in: 0...new.count, using: &random)
      let end = Int.random(in: start...min(new.count, start + 4), using: &random)
      let removed = new[start..<end]
      taken += removed
      let inserted = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        if !taken.isEmpty, random.chance(0.5) {
          // The same item in another version.
          var row = taken.remove(at: Int.random(in: taken.indices, using: &random))
          row.version += 1
          return row
        }
        nextID += 1
        return Row(id: nextID)
      }
      new.replaceSubrange(start..<end, with: inserted)
      return PagedChange<Row>.Splice(at: start, removing: removed, inserting: inserted[...])
    }
    let change = PagedChange(splices)
    func untouched(_ change: PagedChange<some Any>, _ index: Int) -> Int? {
      change.newIndex(ofUnchangedItemAt: index)
    }
    for index in old.indices {
      let expected = new.firstIndex { $0.id == old[index].id }
      #expect(change.newIndex(ofItemAt: index) == expected, "seed \(seed), item \(index)")
      #expect(change.newIndex(ofItemAt: index, by: \.id) == expected, "seed \(seed), item \(index)")
      #expect(
        untouched(change, index) == new.firstIndex(of: old[index]), "seed \(seed), item \(index)")
    }
  }
}
