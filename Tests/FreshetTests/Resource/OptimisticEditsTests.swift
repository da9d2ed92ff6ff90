import Foundation
import Testing

@testable import Freshet

@Suite("Optimistic edits")
struct OptimisticEditsTests {
  typealias Edits = OptimisticEdits

  private func entity(_ text: String, tag: String = "\"1\"") -> AnyEntity {
    ResourceEntity(text, headers: ["ETag": tag]).erased
  }

  @Test("Rolling one back replays the later ones without it")
  func rollBackReplays() {
    var edits = Edits(base: entity("base"))
    edits.insert(1) { $0 += " one" }
    edits.insert(2) { $0 = $0.uppercased() }
    #expect(edits.shown.text == "BASE ONE")
    let isRolledBack = edits.rollBack(1)
    #expect(isRolledBack)
    #expect(edits.shown.text == "BASE")
  }

  @Test("An edit ends once")
  func endedOnce() {
    var edits = Edits(base: entity("base"))
    edits.insert(1) { $0 += "!" }
    let ended = [
      edits.commit(1, during: 0), edits.commit(1, during: 0), edits.rollBack(1), edits.rollBack(2),
    ]
    #expect(ended == [true, false, false, false])
    #expect(edits.shown.text == "base!")
  }

  @Test("A committed edit is folded only when no earlier one can be rolled back")
  func foldsPrefixOnly() {
    var edits = Edits(base: entity("base"))
    edits.insert(1) { $0 += " one" }
    edits.insert(2) { $0 += " two" }
    _ = edits.commit(2, during: 0)
    edits.foldCommitted()
    #expect(edits.base.text == "base")
    _ = edits.rollBack(1)
    edits.foldCommitted()
    #expect(edits.isEmpty)
    #expect(edits.base.text == "base two")
  }

  @Test("Newer content from elsewhere goes below the pending edits, and above older responses")
  func amended() {
    var edits = Edits(base: entity("base"))
    edits.insert(2) { $0 += " two" }
    edits.amend(-1, asOf: 7, ContentBox<String>.edit { $0 = "newer" })
    #expect(edits.shown.text == "newer two")
    #expect(ContentBox<String>.value(of: edits.accepted) == "newer")
    edits.amend(-1, asOf: 8, ContentBox<String>.edit { $0 = "newest" })
    edits.insert(1) { $0 += " one" }
    #expect(edits.shown.text == "newest one two", "edits are in the order of their numbers")
    edits.replaceBase(entity("eight"), receivedBy: 8)
    #expect(edits.shown.text == "newest one two")
    #expect(edits.confirmable == nil)
    edits.replaceBase(entity("nine"), receivedBy: 9)
    #expect(edits.shown.text == "nine one two")
    #expect(edits.confirmable != nil)
  }

  @Test("Content that no server sent has no validators")
  func foldedBaseHasNoValidators() {
    var edits = Edits(base: entity("base"))
    edits.insert(1) { $0 += "!" }
    #expect(
      edits.confirmable?.validators.etag == "\"1\"", "A pending edit is not in the server's content"
    )
    _ = edits.commit(1, during: 0)
    #expect(edits.confirmable == nil)
    edits.foldCommitted()
    #expect(edits.base.validators.etag == nil)
  }

  @Test(
    "The response of a load from before the commit stays below the edit, a later one contains it")
  func responsesAroundCommit() {
    var edits = Edits(base: entity("base"))
    edits.insert(1) { $0 += "!" }
    _ = edits.commit(1, during: 7)
    edits.replaceBase(entity("seven"), receivedBy: 7)
    #expect(edits.shown.text == "seven!")
    edits.replaceBase(entity("eight"), receivedBy: 8)
    #expect(edits.shown.text == "eight")
    #expect(edits.isEmpty)
  }

  @Test("Random edits show what a naive replay shows", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesNaiveReplay(seed: UInt64) {
    struct Step {
      let id: Int
      var isLive = true
      var committedDuring: Int?
    }
    for round in 0..<100 {
      let seed = seed * 1_000 + UInt64(round)
      var random = SeededGenerator(seed: seed)
      var edits = Edits(base: entity("0"))
      var (base, steps, load) = ("0", [Step](), 0)
      for action in 0..<40 {
        let id = Int.random(in: 1...(steps.count + 1), using: &random)
        let index = steps.firstIndex {
          $0.id == id && $0.isLive && $0.committedDuring == nil
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let new = steps.count + 1
          steps.append(Step(id: new))
          edits.insert(new) { $0 += new.isMultiple(of: 3) ? ",\(new)" : ",\($0.count)" }
        case 2:
          let isCommitted = edits.commit(id, during: load)
          #expect(isCommitted == (index != nil), "seed \(seed)")
          if let index { steps[index].committedDuring = load }
        case 3:
          let isRolledBack = edits.rollBack(id)
          #expect(isRolledBack == (index != nil), "seed \(seed)")
          if let index { steps[index].isLive = false }
        case 4:
          // As the state does it: only between loads, which begin after everything so far.
          edits.foldCommitted()
          load += 1
        default:
          base = "\(action)"
          edits.replaceBase(entity(base), receivedBy: load)
          for index in steps.indices {
            if let during = steps[index].committedDuring, during < load {
              steps[index].isLive = false
            }
          }
          load += 1
        }
        var expected = base
        for step in steps where step.isLive {
          expected += step.id.isMultiple(of: 3) ? ",\(step.id)" : ",\(expected.count)"
        }
        #expect(edits.shown.text == expected, "seed \(seed) action \(action)")
        edits.checkInvariants()
      }
    }
  }
}

extension OptimisticEdits {
  fileprivate mutating func insert(_ id: EditID, _ change: @escaping (inout String) -> Void) {
    insert(id, ContentBox.edit(change))
  }
}

extension AnyEntity {
  /// The content, which is text.
  var text: String { ResourceEntity<String>(self).content }
}
