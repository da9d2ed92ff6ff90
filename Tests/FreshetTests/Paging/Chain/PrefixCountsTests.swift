import Testing

@testable import Freshet

@Suite("Running totals of counts")
struct PrefixCountsTests {
  @Test("Sums are those of the counts before an index")
  func sums() {
    var counts = PrefixCounts()
    for count in [3, 0, 5, 2] { counts.append(count) }
    #expect((0...4).map { counts.sum(before: $0) } == [0, 3, 3, 8, 10])
    #expect(counts.total == 10)
  }

  @Test("An empty row has the total zero")
  func empty() {
    #expect(PrefixCounts().total == 0)
    #expect(PrefixCounts().count == 0)
  }

  @Test("A changed count moves the totals after it")
  func change() {
    var counts = PrefixCounts()
    for count in [1, 1, 1] { counts.append(count) }
    counts[1] = 7
    #expect((0...3).map { counts.sum(before: $0) } == [0, 1, 8, 9])
  }

  @Test("The element that a total falls into is the first that reaches beyond it")
  func containing() {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      var counts = PrefixCounts()
      var places: [Int] = []
      for index in 0..<Int.random(in: 0...20, using: &random) {
        let count = Int.random(in: 0...3, using: &random)
        counts.append(count)
        places += Array(repeating: index, count: count)
      }
      #expect(places.indices.map { counts.index(containing: $0) } == places, "seed \(seed)")
      #expect(counts.index(containing: counts.total) == counts.count)
    }
  }

  @Test("Whatever happens, the sums are those of a plain array")
  func againstPlainArray() {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      var counts = PrefixCounts()
      var plain: [Int] = []
      for step in 0..<120 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2:
          let count = Int.random(in: 0..<50, using: &random)
          counts.append(count)
          plain.append(count)
        case 3 where !plain.isEmpty:
          let index = Int.random(in: 0..<plain.count, using: &random)
          plain[index] = Int.random(in: 0..<50, using: &random)
          counts[index] = plain[index]
        case 4:
          let index = Int.random(in: 0...plain.count, using: &random)
          let count = Int.random(in: 0..<3, using: &random)
          counts.insert(count, at: index)
          plain.insert(count, at: index)
        default:
          let start = Int.random(in: 0...plain.count, using: &random)
          let end = Int.random(in: start...min(plain.count, start + 4), using: &random)
          counts.removeSubrange(start..<end)
          plain.removeSubrange(start..<end)
        }
        counts.checkInvariants()
        let isSame =
          counts.count == plain.count && counts.total == plain.reduce(0, +)
          && (0...plain.count).allSatisfy { counts.sum(before: $0) == plain[..<$0].reduce(0, +) }
          && plain.indices.allSatisfy { counts[$0] == plain[$0] }
        guard isSame else {
          Issue.record("seed \(seed), step \(step): \(plain)")
          return
        }
      }
    }
  }
}
