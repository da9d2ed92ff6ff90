import Testing

@testable import Freshet

@Suite("Turns of what may not all run at once")
struct TurnQueueTests {
  @Test("They run in their order, and never more than the limit")
  func order() {
    var queue = TurnQueue<String, Int>(limit: 2)
    #expect(queue.begin(1, of: "a") && queue.begin(2, of: "a") && !queue.begin(3, of: "a"))
    #expect(queue.begin(4, of: "b"), "another kind has turns of its own")
    #expect(!queue.begin(5, of: "a"))
    #expect(queue.end("a") { _ in true } == 3)
    #expect(queue.end("a") { _ in true } == 5)
    #expect(queue.end("a") { _ in true } == nil)
    #expect(queue.end("a") { _ in true } == nil)
    #expect(!queue.isEmpty)
    #expect(queue.end("b") { _ in true } == nil)
    #expect(queue.isEmpty)
  }

  @Test("Any order of begins, ends and cancellations is as in a naive queue", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    var queue = TurnQueue<Int, Int>(limit: limit)
    var (running, waiting, cancelled) = ([Int: Int](), [Int: [Int]](), Set<Int>())
    for number in 0..<400 {
      let key = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let runs = running[key, default: 0] < limit
        #expect(queue.begin(number, of: key) == runs)
        if runs { running[key, default: 0] += 1 } else { waiting[key, default: []].append(number) }
      case 2: if let last = waiting[key]?.randomElement(using: &random) { cancelled.insert(last) }
      default:
        guard running[key, default: 0] > 0 else { continue }
        var expected: Int?
        while expected == nil, waiting[key]?.isEmpty == false {
          let first = waiting[key]?.removeFirst()
          if let first, !cancelled.contains(first) { expected = first }
        }
        if expected == nil { running[key, default: 0] -= 1 }
        #expect(queue.end(key) { !cancelled.contains($0) } == expected, "number \(number)")
      }
      #expect(queue.isEmpty == running.values.allSatisfy { $0 == 0 })
    }
  }
}
