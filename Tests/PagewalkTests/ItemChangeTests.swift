import Freshet
import Testing

@testable import pagewalk

@Suite("The changes of a refresh")
struct ItemChangeTests {
  private func lines(_ old: [Int], _ new: [Int]) -> [String] {
    ItemChange.changes(from: old.map(JSONText.init), to: new.map(JSONText.init)).map(\.line)
  }

  @Test("Equal lists have none")
  func equal() {
    #expect(lines([], []) == [])
    #expect(lines([1, 1, 2], [1, 1, 2]) == [])
  }

  @Test("One more item is one line, wherever it is and however the pages shift")
  func insertion() {
    #expect(lines([1, 2, 3], [0, 1, 2, 3]) == ["+ 0"])
    #expect(lines([1, 2, 3], [1, 2, 9, 3]) == ["+ 9"])
    #expect(lines([], [1, 2]) == ["+ 1", "+ 2"])
  }

  @Test("One item less is one line")
  func removal() {
    #expect(lines([1, 2, 3], [1, 3]) == ["- 2"])
    #expect(lines([1, 2], []) == ["- 1", "- 2"])
  }

  @Test("As many for as many at one place are replaced")
  func replacement() {
    #expect(lines([1, 2, 3], [1, 9, 3]) == ["~ 9"])
    #expect(lines([1, 2, 3, 4, 5], [1, 7, 3, 8, 5]) == ["~ 7", "~ 8"])
    #expect(lines([1, 2, 3], [7, 8, 9]) == ["~ 7", "~ 8", "~ 9"])
  }

  @Test("Several changes come in the order of the list")
  func several() {
    #expect(lines([1, 2, 3, 4, 5, 6], [0, 1, 2, 4, 50, 6, 7]) == ["+ 0", "- 3", "~ 50", "+ 7"])
  }

  @Test("Equal items are not mixed up")
  func repetitions() {
    #expect(lines([1, 1, 1, 2], [1, 1, 1, 1, 2]) == ["+ 1"])
    #expect(lines([5, 1, 5], [5, 5]) == ["- 1"])
  }

  @Test("A moved item is removed and inserted")
  func move() {
    #expect(lines([1, 2, 3, 4], [2, 3, 4, 1]) == ["- 1", "+ 1"])
  }

  @Test("An item that has moved is removed before it is inserted, wherever it has moved to")
  func moveByIdentity() {
    func lines(_ old: [Int], _ new: [Int]) -> [String] {
      ItemChange.changes(from: old.map(JSONText.init), to: new.map(JSONText.init)) { $0 }.map(
        \.line)
    }
    #expect(lines([1, 2, 3, 4], [2, 3, 4, 1]) == ["- 1", "+ 1"])
    #expect(lines([1, 2, 3, 4], [4, 1, 2, 3]) == ["- 4", "+ 4"])
    #expect(lines([1, 2, 3, 4, 5], [5, 1, 9, 3, 4]) == ["- 5", "+ 5", "- 2", "+ 9"])
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let (old, new) = (
        Array(0..<9).shuffled(using: &numbers), Array(3..<12).shuffled(using: &numbers)
      )
      // What a program does that keeps the items by their identity.
      var kept = Set(old)
      for line in lines(old, new) {
        guard let number = Int(line.dropFirst(2)) else { continue }
        if line.hasPrefix("-") { kept.remove(number) } else { kept.insert(number) }
      }
      #expect(kept == Set(new), "\(old) to \(new)")
    }
  }

  @Test("A list of 100,000 items that are all new takes no time to speak of")
  func size() {
    let old = Array(0..<100_000)
    #expect(lines(old, old.reversed()).isEmpty == false)
    #expect(lines(old, old.map { $0 + 100_000 }).count == 100_000)
  }
}
