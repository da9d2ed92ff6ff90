import Testing

@testable import Freshet

@Suite("A queue of deadlines")
struct DeadlineQueueTests {
  private final class Object {}

  @Test("Deadlines come in order, each once, but for those that were removed")
  func order() {
    var queue = DeadlineQueue<Int>()
    let last = queue.insert(0, at: .seconds(3))
    let first = queue.insert(1, at: .seconds(1))
    _ = queue.insert(2, at: .seconds(2))
    _ = queue.insert(3, at: .seconds(1))
    #expect(queue.earliest == .seconds(1))
    queue.remove(first)
    queue.remove(first)
    #expect(queue.popExpired(at: .milliseconds(999)) == nil)
    #expect(queue.popExpired(at: .seconds(2)) == 3)
    #expect(queue.popExpired(at: .seconds(2)) == 2)
    #expect(queue.popExpired(at: .seconds(2)) == nil)
    #expect(!queue.isEmpty)
    queue.remove(last)
    #expect(queue.isEmpty)
    #expect(queue.earliest == nil)
  }

  @Test("A deadline that has passed or was removed is not that of a later value in its slot")
  func reuse() throws {
    var queue = DeadlineQueue<Int>()
    let removed = queue.insert(0, at: .seconds(1))
    queue.remove(removed)
    let passed = queue.insert(1, at: .seconds(1))
    #expect(queue.popExpired(at: .seconds(1)) == 1)
    let id = queue.insert(2, at: .seconds(2))
    queue.remove(removed)
    queue.remove(passed)
    #expect(queue.count == 1)
    queue.remove(id)
    #expect(queue.isEmpty)
    queue.checkInvariants()
  }

  @Test("A value is released with its removal")
  func release() {
    weak var released: Object?
    var queue = DeadlineQueue<Object>()
    do {
      let object = Object()
      released = object
      queue.remove(queue.insert(object, at: .zero))
    }
    #expect(released == nil)
    withExtendedLifetime(queue) {}
  }

  @Test("It does what a plain list does", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DeadlineQueue<Int>()
    var model: [Int: Duration] = [:]
    var ids: [DeadlineQueue<Int>.ID] = []
    var now = Duration.zero
    for step in 0..<trialCount(2_000) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        // Mostly one distance, as with one timeout for all.
        let distance = random.chance(0.8) ? 30 : Int.random(in: 0...60, using: &random)
        model[ids.count] = now + .seconds(distance)
        ids.append(queue.insert(ids.count, at: now + .seconds(distance)))
      case 2:
        // Mostly one that has a deadline.
        let known = random.chance(0.8) ? model.keys.sorted() : Array(ids.indices)
        guard !known.isEmpty else { continue }
        let value = random.pick(known)
        model[value] = nil
        queue.remove(ids[value])
      default:
        now += .seconds(Int.random(in: 0...8, using: &random))
        var last = Duration.zero
        while let value = queue.popExpired(at: now) {
          let deadline = model.removeValue(forKey: value)
          #expect(deadline.map { $0 <= now && $0 >= last } == true, "seed \(seed) step \(step)")
          last = deadline ?? last
        }
      }
      queue.checkInvariants()
      #expect(queue.count == model.count, "seed \(seed) step \(step)")
      #expect(queue.earliest == model.values.min(), "seed \(seed) step \(step)")
      #expect(queue.isEmpty == model.isEmpty, "seed \(seed) step \(step)")
    }
  }
}
