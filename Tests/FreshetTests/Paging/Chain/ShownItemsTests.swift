import Testing

@testable import Freshet

@Suite("The merged array of a list, and its changes")
struct ShownItemsTests {
  private static func insertion(_ items: [Int], at offset: Int) -> ItemEdit {
    ItemEdit(
      range: offset..<offset,
      inserted: ItemRun(content: ContentBox(Page(items: items)), range: 0..<items.count))
  }

  @Test("Changes come in the order in which they were made, those of a frozen array first")
  func order() {
    for (before, frozen) in [([], []), ([1], []), ([], [2]), ([1], [2]), ([1, 2], [3, 4])] {
      var shown = ShownItems<Int>()
      func add(_ items: [Int]) {
        for item in items { shown.apply(Self.insertion([item], at: 0), [item]) }
      }
      add(before)
      shown.freeze()
      shown.checkInvariants(isFrozen: true)
      add(frozen)
      shown.checkInvariants(isFrozen: true)
      #expect(shown.items == before.reversed())
      _ = shown.unfreeze()
      shown.checkInvariants(isFrozen: false)
      #expect(shown.items == (before + frozen).reversed())
      let splices = shown.takeChanges(firstItemIndex: 0)?.splices
      #expect((splices ?? []).flatMap(\.insertedItems) == before + frozen)
      #expect(shown.takeChanges(firstItemIndex: 0) == nil)
    }
  }

  @Test("What is taken while the array is frozen leads to that array, and the rest follows it")
  func takenWhileFrozen() {
    var shown = ShownItems<Int>()
    shown.apply(Self.insertion([1], at: 0), [1])
    shown.freeze()
    shown.apply(Self.insertion([2], at: 1), [2])
    #expect(shown.takeChanges(firstItemIndex: 0)?.splices?.flatMap(\.insertedItems) == [1])
    #expect(shown.takeChanges(firstItemIndex: 0) == nil)
    _ = shown.unfreeze()
    #expect(shown.takeChanges(firstItemIndex: 0)?.splices?.flatMap(\.insertedItems) == [2])
    shown.checkInvariants(isFrozen: false)
  }

  @Test("A change of the first index alone is a change")
  func renumbered() {
    var shown = ShownItems<Int>()
    #expect(shown.takeChanges(firstItemIndex: 0) == nil)
    let change = shown.takeChanges(firstItemIndex: -1)
    #expect(change?.isRenumbered == true && change?.splices == nil)
  }
}
