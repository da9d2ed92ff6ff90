import Freshet
import Testing

@testable import PagewalkBrowser

@Suite("The rows of a filter")
struct FilteredRowsTests {
  @Test("They are those of the list after any change", arguments: 0..<100)
  func random(seed: Int) {
    var editor = ListEditor(seed: seed, count: seed % 31)
    func isShown(_ item: Int) -> Bool { item % 3 == seed % 3 }
    func naive(_ items: [Int]) -> FilteredRows {
      FilteredRows(itemCount: items.count) { isShown(items[$0]) }
    }
    var rows = naive(editor.items)
    for _ in 0..<20 {
      rows.apply(editor.change(), where: isShown)
      #expect(rows == naive(editor.items), "seed \(seed)")
      let item = editor.generator.number(below: editor.items.count + 1)
      let expected = rows.items.firstIndex { $0 >= item } ?? rows.items.count
      #expect(rows.row(ofItem: item) == expected, "seed \(seed)")
    }
  }
}
