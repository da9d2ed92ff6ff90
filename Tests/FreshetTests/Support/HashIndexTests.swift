import Testing

@testable import Freshet

@Suite("An index by hash")
struct HashIndexTests {
  @Test("It finds what a dictionary finds", arguments: 1...10 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = HashIndex()
    var names: [Int32: Int] = [:]
    // Few hashes for many names, so that chains are long and hashes equal.
    func hash(_ name: Int) -> Int { name % 37 &* 0x9E37_79B9 }
    for step in 0..<trialCount(3_000) {
      let name = Int.random(in: 0..<200, using: &random)
      let known = names.first { $0.value == name }?.key
      let found = index.first(hash: hash(name)) { names[$0] == name }
      #expect(found == known, "seed \(seed) step \(step)")
      if let known, random.chance(0.5) {
        index.remove(known)
        names[known] = nil
      } else if known == nil {
        let place = (Int32(0)..<1_000).first { names[$0] == nil } ?? 0
        names[place] = name
        index.insert(place, hash: hash(name))
      }
      index.checkInvariants()
    }
  }
}
