import Testing

@testable import Freshet

@Suite("The point after which a condition holds")
struct PartitionPointTests {
  @Test("Is the first element for which it does, or the end")
  func all() {
    for count in 0...20 {
      for point in 0...count {
        #expect(Array(0..<count).partitionPoint { $0 >= point } == point)
        #expect((3..<(3 + count)).partitionPoint { $0 >= 3 + point } == 3 + point)
      }
    }
  }
}
