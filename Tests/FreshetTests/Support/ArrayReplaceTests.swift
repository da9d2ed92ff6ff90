import Testing

@testable import Freshet

@Suite("Replacing elements of an array")
struct ArrayReplaceTests {
  @Test("It is replaceSubrange, at every place and for every number of elements, at random")
  func isReplaceSubrange() {
    var random = SeededGenerator(seed: 4)
    for round in 0..<3_000 {
      // Strings, so that wrong counts of references would be found.
      var array = (0..<Int.random(in: 0...12, using: &random)).map { "element number \($0)" }
      let held = array
      let start = Int.random(in: 0...array.count, using: &random)
      let end = Int.random(in: start...array.count, using: &random)
      let count = Bool.random(using: &random) ? end - start : Int.random(in: 0...12, using: &random)
      let other = (0..<(count + 4)).map { "a new element \(round) \($0)" }
      let new = other[2..<(2 + count)]
      var expected = array
      expected.replaceSubrange(start..<end, with: new)
      array.replace(start..<end, with: new)
      #expect(array == expected)
      #expect(held == (0..<held.count).map { "element number \($0)" })
    }
  }

  @Test("A piece of the array itself can take another's place")
  func replacesByItself() {
    var array = Array(0..<10)
    array.replace(0..<3, with: array[5..<8])
    #expect(array == [5, 6, 7, 3, 4, 5, 6, 7, 8, 9])
  }
}
