import Testing

@testable import Freshet

@Suite("Turns of what may not all run at once")
struct TurnQueueTests {
  @Test("They run in their order, and never more than the limit")
  func order() {
    var queue = TurnQueue<String, Int>(limit: 2)
    let begun = [1, 2, 3, 5].map { queue.begin($0, of: "a") }
    #expect(begun == [true, true, false, false])
    let other = queue.begin(4, of: "b")
    #expect(other, "another kind has turns of its own")
    let next = (0..<4).map { _ in queue.end("a") }
    #expect(next == [3, 5, nil, nil])
    #expect(!queue.isEmpty)
    let last = queue.end("b")
    #expect(last == nil && queue.isEmpty)
  }

  @Test("Those that wait can be removed; the others keep their order")
  func removal() {
    var queue = TurnQueue<String, Int>(limit: 1)
    for number in 0..<6 { _ = queue.begin(number, of: "a") }
    #expect(queue.end("a") == 1)
    #expect(queue.removeWaiting("a") { $0 % 2 == 1 } == [3, 5])
    #expect(queue.removeWaiting("b") { _ in true }.isEmpty)
    let next = (0..<3).map { _ in queue.end("a") }
    #expect(next == [2, 4, nil] && queue.isEmpty)
  }

  @Test("Those that have run are not kept while others wait, however many come")
  func released() {
    final class Element {}
    var queue = TurnQueue<String, Element>(limit: 2)
    let places = (0..<1_000).map { _ in
      let element = Element()
      let place = Weak(element)
      if !queue.begin(element, of: "a"), queue.end("a") == nil { Issue.record("none waited") }
      return place
    }
    queue.checkInvariants()
    #expect(places.count { $0.object != nil } <= 1)
  }

  @Test("Any order of begins, ends and cancellations is as in a naive queue", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    var queue = TurnQueue<Int, Int>(limit: limit)
    var (running, waiting) = ([Int: Int](), [Int: [Int]]())
    for number in 0..<400 {
      let key = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let runs = running[key, default: 0] < limit
        let begun = queue.begin(number, of: key)
        #expect(begun == runs)
        if runs { running[key, default: 0] += 1 } else { waiting[key, default: []].append(number) }
      case 2:
        let remainder = Int.random(in: 0..<5, using: &random)
        let removed = queue.removeWaiting(key) { $0 % 5 == remainder }
        #expect(removed == (waiting[key] ?? []).filter { $0 % 5 == remainder })
        waiting[key]?.removeAll { $0 % 5 == remainder }
      default:
        guard running[key, default: 0] > 0 else { continue }
        let isAnyWaiting = waiting[key]?.isEmpty == false
        let expected = isAnyWaiting ? waiting[key]?.removeFirst() : nil
        if !isAnyWaiting { running[key, default: 0] -= 1 }
        let next = queue.end(key)
        #expect(next == expected, "number \(number)")
      }
      queue.checkInvariants()
      #expect(queue.isEmpty == running.values.allSatisfy { $0 == 0 })
    }
  }
}
