import Freshet

@testable import PagewalkBrowser

/// Random changes of a list, as a collection reports them.
struct ListEditor {
  var items: [Int] = []
  private var nextItem = 0
  var generator: SeededGenerator

  init(seed: Int, count: Int) {
    generator = SeededGenerator(seed: seed)
    items = (0..<count).map { _ in makeItem() }
  }

  private mutating func makeItem() -> Int {
    nextItem += 1
    return nextItem
  }

  /// Makes a change: splices in ascending order, between which something stays. Some items that it
  /// removes it inserts again, moved or edited; see ``id(of:)``.
  mutating func change() -> PagedChange<Int> {
    var splices: [PagedChange<Int>.Splice] = []
    var removed: [Int] = []
    var start = 0
    for _ in 0...generator.number(below: 3) {
      guard start <= items.count else { break }
      let offset = start + generator.number(below: items.count - start + 1)
      let count = generator.number(below: min(5, items.count - offset) + 1)
      let going = items[offset..<(offset + count)]
      removed += going
      var coming: [Int] = []
      for _ in 0..<generator.number(below: 5) {
        if !removed.isEmpty, generator.number(below: 2) == 0 {
          // The same item in another version.
          coming.append(removed.remove(at: generator.number(below: removed.count)) + 1_000_000)
        } else {
          coming.append(makeItem())
        }
      }
      splices.append(.init(at: offset, removing: going, inserting: coming[...]))
      items.replaceSubrange(offset..<(offset + count), with: coming)
      start = offset + coming.count + 1
    }
    return PagedChange(splices)
  }

  /// What stays when an item is edited.
  static func id(of item: Int) -> Int { item % 1_000_000 }
}
