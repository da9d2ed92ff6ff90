import Freshet
import Testing

@testable import PagewalkBrowser

@Suite("The state of the browser")
struct BrowserStateTests {
  /// The state with a list of numbers, of which a page has ten.
  private struct View {
    var state: BrowserState
    var items: [Int] = []
    /// What the filter of the state leaves.
    var isShown: (Int) -> Bool = { _ in true }

    init(_ columns: Int = 80, _ rows: Int = 14, count: Int = 0, isDemo: Bool = false) {
      state = BrowserState(size: TerminalSize(columns: columns, rows: rows), isDemo: isDemo)
      if count > 0 {
        apply(PagedChange([.init(at: 0, removing: [], inserting: Array(1...count)[...])]))
      }
    }

    var text: (Int) -> String { { [items] in "item \(items[$0])" } }

    mutating func apply(_ change: PagedChange<Int>) {
      change.apply(to: &items)
      let isShown = isShown
      state.listChanged(
        PagedChange(
          change.splices.map { splice in
            .init(
              at: splice.offset, removing: splice.removedItems.map(JSONText.init(int:))[...],
              inserting: splice.insertedItems.map(JSONText.init(int:))[...])
          }), itemCount: items.count,
        identity: { $0.int.map(ListEditor.id).map(JSONText.init(int:)) ?? $0 },
        isShown: { $0.int.map(isShown) ?? false })
      state.pageStarts = stride(from: 0, to: items.count, by: 10).map(\.self)
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> BrowserState.Action? {
      var action: BrowserState.Action?
      for key in keys { action = state.press(key) }
      return action
    }

    /// Presses the letters one after the other.
    @discardableResult
    mutating func type(_ letters: String) -> BrowserState.Action? {
      var action: BrowserState.Action?
      for letter in letters { action = state.press(.character(letter)) }
      return action
    }

    var selected: Int? { items.isEmpty ? nil : items[state.selection] }
    /// The row of the screen at which the selected item is.
    var selectedLine: Int { state.selectedRow - state.top }

    var content: ListContent {
      var content = ListContent()
      content.title = "http://a.test/items"
      content.text = text
      content.pageState = { $0 == 0 ? .stale : .fresh }
      content.end = EndOfList(text: "more follow")
      content.status = "up to date"
      return content
    }

    var lines: [String] {
      state.screen(of: content).rows.map { row in
        row.string.replacing(/[ ]+$/) { _ in "" }
      }
    }
  }

  @Test("It draws title, items with their pages, status and keys")
  func drawing() {
    let view = View(count: 25)
    #expect(
      view.lines == [
        " http://a.test/items".padded(to: 66) + "1/25 page 1/3",
        "   1 stale   ├ item 1", "             │ item 2", "             │ item 3",
        "             │ item 4", "             │ item 5", "             │ item 6",
        "             │ item 7", "             │ item 8", "             │ item 9",
        "             │ item 10", "   2 fresh   ├ item 11",
        "up to date".padded(to: 64) + "0 rows repainted",
        "q quit  r refresh  / filter  e events  ? help",
      ])
  }

  @Test("The top row shows its page, wherever that begins, and the end of the list is a row")
  func scrolled() {
    var view = View(60, 7, count: 25)
    view.press(.end)
    #expect(
      view.lines.dropFirst().dropLast() == [
        "   3 fresh   │ item 22", "             │ item 23", "             │ item 24",
        "             │ item 25", "             ├ more follow",
      ])
    #expect(view.selected == 25)
  }

  @Test("In a narrow terminal the margin is short")
  func narrow() {
    let view = View(40, 5, count: 25)
    #expect(
      view.lines == [
        " http://a.test/items".padded(to: 26) + "1/25 page 1/3", "   1 ~ ├ item 1",
        "       │ item 2",
        "       │ item 3", "up to date".padded(to: 24) + "0 rows repainted",
      ])
  }

  @Test("A size at which nothing fits says so", arguments: [(19, 24), (80, 3), (1, 1), (0, 0)])
  func tiny(columns: Int, rows: Int) {
    let view = View(columns, rows, count: 25)
    #expect(view.lines.count == rows)
    if columns > 8, rows > 0 { #expect(view.lines[0].hasPrefix("too smal")) }
  }

  @Test("Keys move the selection, which stays on screen")
  func moving() {
    var view = View(count: 100)
    #expect(view.type("jjj") == nil)
    #expect(view.selected == 4 && view.state.top == 0)
    view.press(.up, .character("k"))
    #expect(view.selected == 2)
    view.press(.pageDown)
    #expect(view.selected == 12 && view.state.top == 10)
    view.press(.pageUp)
    #expect(view.selected == 2 && view.state.top == 0)
    view.press(.pageUp)
    #expect(view.selected == 1)
    view.type("G")
    // Below the last item is the row for the end of the list.
    #expect(view.selected == 100 && view.state.top == 90)
    view.press(.pageDown)
    #expect(view.selected == 100 && view.state.top == 90)
    view.type("g")
    #expect(view.selected == 1 && view.state.top == 0)
  }

  @Test("An item that is inserted above leaves the selected one at its row of the screen")
  func insertionAbove() {
    var view = View(count: 50)
    view.type("jjjj")
    view.apply(PagedChange([.init(at: 0, removing: [], inserting: [101, 102])]))
    #expect(view.selected == 5 && view.selectedLine == 4 && view.state.top == 2)
    view.apply(PagedChange([.init(at: 0, removing: [101, 102, 1, 2], inserting: [])]))
    // Nothing is above the first row.
    #expect(view.selected == 5 && view.selectedLine == 2 && view.state.top == 0)
  }

  @Test("An item that was pushed beyond the last page is selected again when that is loaded")
  func lostItem() {
    var view = View(count: 20)
    view.type("G")
    let line = view.selectedLine
    let pushed = PagedChange(
      [.init(at: 0, removing: [], inserting: [101]), .init(at: 20, removing: [20], inserting: [])])
    let loaded = PagedChange([.init(at: 20, removing: [], inserting: [20, 21, 22])])
    view.apply(pushed)
    #expect(view.selected == 19 && view.selectedLine == line)
    view.apply(loaded)
    #expect(view.selected == 20 && view.selectedLine == line)
    // Not where the user has chosen another one since.
    view = View(count: 20)
    view.type("G")
    view.apply(pushed)
    view.type("k")
    view.apply(loaded)
    #expect(view.selected == 18)
  }

  @Test("The first items select the first of them")
  func firstItems() {
    let view = View(count: 50)
    #expect(view.selected == 1 && view.state.top == 0)
  }

  @Test("A page number jumps to its page, and loads up to it")
  func jumping() {
    var view = View(count: 50)
    view.type("3")
    #expect(view.lines[12].hasPrefix("page 3, then Enter"))
    view.press(.enter)
    view.state.jumpIfLoaded(isLoading: false)
    #expect(view.selected == 21 && view.selectedLine == 0)
    view.type("7")
    #expect(view.press(.enter) == .loadPages(through: 6))
    view.state.jumpIfLoaded(isLoading: true)
    view.apply(PagedChange([.init(at: 50, removing: [], inserting: Array(51...70)[...])]))
    #expect(view.selected == 21)
    view.state.jumpIfLoaded(isLoading: true)
    #expect(view.selected == 61 && view.state.awaitedPage == nil)
    view.type("99")
    view.press(.enter)
    // The list has ended before that.
    view.state.jumpIfLoaded(isLoading: false)
    #expect(view.selected == 61 && view.state.awaitedPage == nil)
  }

  @Test("A key ends the wait for a page")
  func endedWait() {
    var view = View(count: 10)
    view.type("7")
    view.press(.enter, .up)
    #expect(view.state.awaitedPage == nil)
  }

  @Test("A filter is typed, shown and cleared")
  func filter() {
    var view = View(count: 100)
    view.type("jjjjj")
    #expect(view.type("/") == nil)
    #expect(view.type("ab") == .filter)
    #expect(view.state.filter == "ab")
    #expect(view.lines[12].hasPrefix("filter: ab_"))
    #expect(view.press(.backspace) == .filter)
    view.press(.enter)
    view.isShown = { $0 % 10 == 0 }
    view.state.show(FilteredRows(itemCount: 100) { view.isShown(view.items[$0]) })
    #expect(view.selected == 10)
    #expect(view.lines[1...11].filter { $0.contains("item") }.count == 10)
    #expect(view.lines[0].hasSuffix("1/10 page 1/10"))
    #expect(view.type("j") == nil)
    #expect(view.selected == 20)
    // What it hides is loaded only where the user asks for more.
    #expect(view.type("G") == nil)
    #expect(view.type("j") == .loadMore)
    #expect(view.press(.escape) == .filter)
    #expect(view.state.filter == "")
    view.state.show(nil)
    #expect(view.selected == 100)
  }

  @Test("A filter that nothing matches leaves no rows")
  func emptyFilter() {
    var view = View(count: 100)
    view.type("jjj/x")
    view.state.show(FilteredRows(itemCount: 100) { _ in false })
    #expect(view.lines[0].hasSuffix("no items"))
    #expect(view.state.visibleItems == nil)
    view.press(.enter, .down, .pageDown, .end)
    view.state.show(nil)
    #expect(view.state.rowCount == 100)
  }

  @Test("Letters are actions, and those of the demo only there")
  func actions() {
    var view = View(count: 3)
    #expect(view.type("r") == .refresh)
    #expect(view.type("R") == .retry)
    #expect(view.press(.enter) == .retry)
    #expect(view.type("q") == .quit(.complete))
    #expect(view.press(.control("c")) == .quit(.interrupted))
    #expect(view.press(.control("z")) == .suspend)
    #expect(view.press(.control("l")) == .redraw)
    #expect(view.type("E") == nil)
    var demo = View(count: 3, isDemo: true)
    #expect(demo.type("E") == .demo(.edit))
    #expect(demo.type("N") == .demo(.network))
  }

  @Test("Help covers the screen until a key is pressed")
  func help() {
    var view = View(80, 24, count: 3, isDemo: true)
    view.type("?")
    #expect(view.lines[0] == "pagewalk browse: keys")
    #expect(view.lines.contains("Any key closes this."))
    #expect(view.type("q") == nil)
    #expect(view.lines[1].hasSuffix("item 1"))
  }

  @Test("The event pane is a third of the screen")
  func events() {
    var view = View(80, 24, count: 100)
    view.type("e")
    var content = view.content
    content.events = (1...50).map { "event \($0)" }
    let rows = view.state.screen(of: content).rows.map(\.string)
    #expect(rows.count == 24)
    #expect(rows[15].hasPrefix("── events ──"))
    #expect(rows[21] == "event 50")
    view.press(.end)
    #expect(view.selectedLine < view.state.height)
  }

  @Test("Whatever happens, it draws a screen, and the selected item stays", arguments: 0..<150)
  func random(seed: Int) {
    var editor = ListEditor(seed: seed, count: 0)
    var view = View(isDemo: true)
    view.isShown = { $0 % 3 != 0 }
    let letters: [Key] = "jkgGeR?/3ab q".map(Key.character)
    let keys: [Key] =
      letters + [.up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .backspace, .tab]
    for step in 0..<60 {
      let place: Comment = "seed \(seed), step \(step)"
      switch editor.generator.number(below: 5) {
      case 0:
        view.state.size = TerminalSize(
          columns: editor.generator.number(below: 100), rows: editor.generator.number(below: 40))
      case 1:
        let (selected, line) = (view.selected, view.selectedLine)
        let wasEmpty = view.items.isEmpty
        view.apply(editor.change())
        #expect(view.items == editor.items, place)
        let id = selected.map(ListEditor.id)
        guard !wasEmpty, view.state.rowCount > 0,
          let index = view.items.firstIndex(where: { ListEditor.id(of: $0) == id }),
          view.state.rows == nil || view.isShown(view.items[index])
        else { break }
        #expect(view.selected.map(ListEditor.id) == id, place)
        // It moves only where the list has an end.
        let isClamped =
          view.state.top == 0
          || view.state.top == view.state.rowCount + 1 - view.state.height
        #expect(view.selectedLine == line || isClamped, place)
      default:
        if view.press(keys[editor.generator.number(below: keys.count)]) == .filter {
          let isFiltered = !view.state.filter.isEmpty
          let items = view.items
          view.state.show(
            isFiltered ? FilteredRows(itemCount: items.count) { view.isShown(items[$0]) } : nil)
        }
        view.state.jumpIfLoaded(isLoading: step % 3 == 0)
      }
      let state = view.state
      #expect(state.selection == 0 || state.selection < view.items.count, place)
      #expect(state.top >= 0 && state.top <= state.rowCount, place)
      if state.rowCount > 0 { #expect((0..<state.height).contains(view.selectedLine), place) }
      let screen = state.screen(of: view.content)
      #expect(screen.rows.count == state.size.rows, place)
      #expect(screen.rows.allSatisfy { $0.room >= 0 }, place)
    }
  }
}
