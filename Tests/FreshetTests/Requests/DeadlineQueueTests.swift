import Testing

@testable import Freshet

@Suite("A queue of deadlines")
struct DeadlineQueueTests {
  @Test("Deadlines come in order, each once, but for those taken back")
  func order() {
    var queue = DeadlineQueue()
    queue.insert(0, at: .seconds(3))
    queue.insert(1, at: .seconds(1))
    queue.insert(2, at: .seconds(2))
    queue.insert(3, at: .seconds(1))
    #expect(queue.earliest == .seconds(1))
    queue.remove(1)
    queue.remove(1)
    #expect(queue.popExpired(at: .milliseconds(999)) == nil)
    #expect(queue.popExpired(at: .seconds(2)) == 3)
    #expect(queue.popExpired(at: .seconds(2)) == 2)
    #expect(queue.popExpired(at: .seconds(2)) == nil)
    #expect(!queue.isEmpty)
    queue.remove(0)
    #expect(queue.isEmpty)
    #expect(queue.earliest == nil)
  }

  @Test("It does what a plain list does", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var model: [Int: Duration] = [:]
    var now = Duration.zero
    for step in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let free = (0...).first { model[$0] == nil } ?? 0
        // Mostly one distance, as with one timeout for all.
        let distance = random.chance(0.8) ? 30 : Int.random(in: 0...60, using: &random)
        model[free] = now + .seconds(distance)
        queue.insert(free, at: now + .seconds(distance))
      case 2:
        let id = Int.random(in: 0...(model.count + 1), using: &random)
        model[id] = nil
        queue.remove(id)
      default:
        now += .seconds(Int.random(in: 0...8, using: &random))
        var last = Duration.zero
        while let id = queue.popExpired(at: now) {
          let deadline = model.removeValue(forKey: id)
          #expect(deadline.map { $0 <= now && $0 >= last } == true, "seed \(seed) step \(step)")
          last = deadline ?? last
        }
      }
      queue.checkInvariants()
      #expect(queue.earliest == model.values.min(), "seed \(seed) step \(step)")
      #expect(queue.isEmpty == model.isEmpty, "seed \(seed) step \(step)")
    }
  }
}
