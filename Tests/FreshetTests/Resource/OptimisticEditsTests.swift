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
      var text: String?
      var committedDuring: Int?
      func apply(_ content: inout String) {
        content = text ?? content + (id.isMultiple(of: 3) ? ",\(id)" : ",\(content.count)")
      }
    }
    for round in 0..<trialCount(100) {
      let seed = seed * 1_000 + UInt64(round)
      var random = SeededGenerator(seed: seed)
      var edits = Edits(base: entity("0"))
      // In the order in which they are applied; those of `later` were made already, and are added later.
      var (base, steps, load, newest, later) = ("0", [Step](), 0, 0, [Int]())
      for action in 0..<40 {
        let id = Int.random(in: 1...(newest + 1), using: &random)
        let index = steps.firstIndex { $0.id == id && $0.committedDuring == nil }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          newest += 1
          let step = Step(id: newest)
          guard !random.chance(0.2) else {
            later.append(newest)
            continue
          }
          steps.append(step)
          #expect(edits.isNewest(step.id))
          edits.insert(step.id) { step.apply(&$0) }
        case 6 where !later.isEmpty:
          let step = Step(id: later.removeFirst())
          // After what newer content from elsewhere contains.
          let first = (steps.lastIndex { $0.text != nil } ?? -1) + 1
          let index = steps[first...].firstIndex { $0.id > step.id } ?? steps.count
          steps.insert(step, at: index)
          edits.insert(step.id) { step.apply(&$0) }
        case 7 where random.chance(0.5):
          let step = Step(id: -1, text: "newer \(action)", committedDuring: load)
          let others = steps.filter { $0.id != -1 }
          steps =
            others.filter { $0.committedDuring != nil } + [step]
            + others.filter { $0.committedDuring == nil }
          edits.amend(-1, asOf: load, ContentBox<String>.edit { step.apply(&$0) })
        case 6, 7: break
        case 2:
          let isCommitted = edits.commit(id, during: load)
          #expect(isCommitted == (index != nil), "seed \(seed)")
          if let index { steps[index].committedDuring = load }
        case 3:
          let isRolledBack = edits.rollBack(id)
          #expect(isRolledBack == (index != nil), "seed \(seed)")
          if let index { steps.remove(at: index) }
        case 4:
          // As the state does it: only between loads, which begin after everything so far.
          edits.foldCommitted()
          for step in steps.prefix(while: { $0.committedDuring != nil }) { step.apply(&base) }
          steps = Array(steps.drop { $0.committedDuring != nil })
          load += 1
        default:
          base = "\(action)"
          edits.replaceBase(entity(base), receivedBy: load)
          steps.removeAll { step in step.committedDuring.map { $0 < load } ?? false }
          load += 1
        }
        var expected = base
        for step in steps { step.apply(&expected) }
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
