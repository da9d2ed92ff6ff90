import FreshetTesting
import Testing

@testable import Freshet

@Suite("The loads in flight, in the order of their numbers")
struct NumberedListTests {
  /// A number that counts how often any of them is compared.
  private struct Counted: Comparable {
    @TaskLocal static var comparisons = Locked(0)
    let number: Int

    static func < (left: Counted, right: Counted) -> Bool {
      comparisons.withLock { $0 += 1 }
      return left.number < right.number
    }
  }

  /// How many comparisons ending that many loads takes, each by itself.
  private func comparisons(
    ending count: Int, _ order: [Int], _ end: (inout NumberedList<Counted, Int>, Counted) -> Void
  ) -> Int {
    let comparisons = Locked(0)
    Counted.$comparisons.withValue(comparisons) {
      var list = NumberedList<Counted, Int>()
      for number in 0..<count { list.insert(number, for: Counted(number: number)) }
      for number in order { end(&list, Counted(number: number)) }
      #expect(list.isEmpty)
    }
    return comparisons.withLock { $0 }
  }

  @Test("Cancelling many one by one costs each a search", arguments: [1_000, 8_000])
  func cancelled(count: Int) {
    var random = SeededGenerator(seed: 7)
    let orders = [
      Array(0..<count), Array((0..<count).reversed()), (0..<count).shuffled(using: &random),
    ]
    for order in orders {
      let comparisons = comparisons(ending: count, order) { $0.remove($1) }
      #expect(comparisons < 20 * count, "\(comparisons) for \(count)")
    }
  }

  @Test("Responses in the order of the requests cost each a constant", arguments: [1_000, 8_000])
  func ended(count: Int) {
    let comparisons = comparisons(ending: count, Array(0..<count)) { list, ended in
      _ = list.removeFirst { $0 <= ended }
    }
    #expect(comparisons < 6 * count, "\(comparisons) for \(count)")
  }

  @Test("The memory is that of a few where many come and go beside one that stays")
  func slots() {
    var list = NumberedList<Int, Int>()
    list.insert(0, for: 0)
    for number in 1...10_000 {
      list.insert(number, for: number)
      if number > 1 { list.remove(number - 1) }
      list.checkInvariants()
    }
    #expect(list.all.map(\.value) == [0, 10_000])
    #expect(list.slotCount < 64)
  }

  @Test(
    "At random it has what an array has that is searched and filtered",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var list = NumberedList<Int, Int>()
    var naive: [Int] = []
    var newest = 0
    for _ in 0..<trialCount(5_000) {
      let known = naive.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<9, using: &random) {
      case 0..<4:
        newest += Int.random(in: 1...3, using: &random)
        list.insert(newest * 10, for: newest)
        naive.append(newest)
      case 4..<6:
        #expect(list.remove(known) == (naive.contains(known) ? known * 10 : nil))
        naive.removeAll { $0 == known }
      case 6:
        let limit = Bool.random(using: &random) ? known : naive.first ?? 0
        let removed = list.removeFirst { $0 <= limit }
        removed.checkInvariants()
        #expect(removed.all.map(\.id) == naive.filter { $0 <= limit })
        naive.removeAll { $0 <= limit }
      case 7:
        let late = Int.random(in: 0...newest, using: &random)
        if !naive.contains(late) {
          list.insert(late * 10, for: late)
          naive = (naive + [late]).sorted()
        }
      default:
        list.update(known) { $0 += 0 }
        #expect(list[known] == (naive.contains(known) ? known * 10 : nil))
      }
      list.checkInvariants()
      #expect(list.last?.id == naive.last && list.isEmpty == naive.isEmpty)
      guard list.all.map(\.id) == naive, list.all.allSatisfy({ $0.value == $0.id * 10 }) else {
        Issue.record("seed \(seed): \(list.all) instead of \(naive)")
        return
      }
    }
  }
}
