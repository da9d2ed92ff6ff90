import Freshet
import Testing

@testable import PagewalkBrowser

@Suite("Following an item through a change")
struct FollowingTests {
  private func change(_ splices: (Int, [String], [String])...) -> PagedChange<String> {
    PagedChange(splices.map { .init(at: $0.0, removing: $0.1[...], inserting: $0.2[...]) })
  }

  /// The letter is the identity, and the rest the version.
  private func index(_ index: Int, _ change: PagedChange<String>) -> Int {
    var lost: Character??
    return change.index(following: index, lost: &lost) { $0.first }
  }

  @Test("Insertions and removals before it move it")
  func before() {
    #expect(index(5, change((0, [], ["x"]))) == 6)
    #expect(index(5, change((5, [], ["x"]))) == 6)
    #expect(index(5, change((6, [], ["x"]))) == 5)
    #expect(index(5, change((1, ["b", "c"], []), (3, [], ["x"]))) == 4)
  }

  @Test("An item that was edited is where its new version is")
  func edited() {
    #expect(index(1, change((0, ["a", "b", "c"], ["x", "c1", "b1"]))) == 2)
  }

  @Test("An item that has moved is followed, downward and upward")
  func moved() {
    #expect(index(1, change((1, ["b"], []), (5, [], ["x", "b"]))) == 6)
    #expect(index(7, change((0, [], ["x", "h"]), (9, ["h"], []))) == 1)
  }

  @Test("The place of a removed item is that of the next one")
  func removed() {
    #expect(index(1, change((1, ["b"], []))) == 1)
    #expect(index(2, change((0, ["a", "b", "c", "d"], ["x"]))) == 1)
  }

  @Test("An item that comes back with a later change is found again")
  func lost() {
    var lost: Character??
    let removal = change((0, [], ["x"]), (3, ["c", "d"], []))
    #expect(removal.index(following: 3, lost: &lost) { $0.first } == 3)
    #expect(lost == "d")
    #expect(change((0, ["x"], [])).index(following: 3, lost: &lost) { $0.first } == 2)
    #expect(change((2, [], ["c", "d1"])).index(following: 2, lost: &lost) { $0.first } == 3)
    #expect(lost == nil)
  }

  @Test("It is at the item as long as that exists", arguments: 0..<200)
  func random(seed: Int) {
    var editor = ListEditor(seed: seed, count: 1 + seed % 23)
    for _ in 0..<20 where !editor.items.isEmpty {
      let old = editor.items
      let index = editor.generator.number(below: old.count)
      let change = editor.change()
      var lost: Int?
      let following = change.index(following: index, lost: &lost, identity: ListEditor.id)
      let id = ListEditor.id(of: old[index])
      if let expected = editor.items.firstIndex(where: { ListEditor.id(of: $0) == id }) {
        #expect(following == expected && lost == nil, "seed \(seed)")
      } else {
        #expect(lost == id, "seed \(seed)")
        #expect((0...editor.items.count).contains(following), "seed \(seed)")
      }
      var copy = old
      change.apply(to: &copy)
      #expect(copy == editor.items)
    }
  }
}
