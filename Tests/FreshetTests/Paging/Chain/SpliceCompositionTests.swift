import Testing

@testable import Freshet

@Suite("Splices made one change")
struct SpliceCompositionTests {
  @Test("Composed splices do what the splices do one after the other, in ascending order")
  func equalsApplication() {
    for seed in UInt64(1)...3_000 {
      var random = SeededGenerator(seed: seed)
      let old = (0..<Int.random(in: 0...12, using: &random)).map { $0 }
      var new = old
      let splices = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        PagedChange<Int>.Splice.random(for: &new, &random)
      }
      let composition = SpliceComposition(splices)
      for areEqual in [nil, { $0 == $1 }] as [((Int, Int) -> Bool)?] {
        var copy = old
        var end = -1
        for splice in composition.splices(areEqual: areEqual) {
          let isAscending = splice.offset > end
          let removed = Array(copy[splice.removedRange])
          copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
          end = splice.insertedRange.upperBound
          guard isAscending, removed == Array(splice.removedItems) else {
            Issue.record("seed \(seed): \(splice) for \(copy)")
            return
          }
        }
        guard copy == new else {
          Issue.record("seed \(seed): \(copy) for \(new)")
          return
        }
        // As a table view does it: first all that goes, by the old indices, then all that comes.
        let change = PagedChange(composition.splices(areEqual: areEqual))
        var rows: [Int?] = old
        for index in change.removedIndices.reversed() { rows.remove(at: index) }
        for index in change.insertedIndices { rows.insert(new[index], at: index) }
        guard rows == new else {
          Issue.record("seed \(seed): \(rows) by indices for \(new)")
          return
        }
      }
    }
  }

  @Test("What is removed and inserted at the same place is no change")
  func nothing() {
    let splices = [
      PagedChange.Splice(at: 2, removing: [3, 4][...], inserting: []),
      PagedChange.Splice(at: 2, removing: [], inserting: [3, 4][...]),
    ]
    #expect(SpliceComposition(splices).splices(areEqual: ==).isEmpty)
  }
}

extension PagedChange.Splice where Item == Int {
  /// A splice that fits an array, which it is applied to.
  static func random(for array: inout [Int], _ random: inout SeededGenerator) -> Self {
    let start = Int.random(in: 0...array.count, using: &random)
    let end = Int.random(in: start...min(start + 4, array.count), using: &random)
    let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: 0..<20, using: &random)
    }
    let splice = PagedChange.Splice(
      at: start, removing: Array(array[start..<end])[...], inserting: new[...])
    array.replaceSubrange(start..<end, with: new)
    return splice
  }
}
