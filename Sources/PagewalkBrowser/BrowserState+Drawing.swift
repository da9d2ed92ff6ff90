import Freshet

extension BrowserState {
  /// The rows of the screen, from the top.
  struct Layout {
    var list = 0..<0
    var events = 0..<0
    var hasHints = false
  }

  /// The least size at which there is anything to see.
  static let leastSize = TerminalSize(columns: 20, rows: 4)

  var isTooSmall: Bool {
    size.columns < BrowserState.leastSize.columns || size.rows < BrowserState.leastSize.rows
  }

  /// Title, list, event pane, status, and keys if there is room.
  var layout: Layout {
    var layout = Layout()
    layout.hasHints = size.rows >= 12
    let end = size.rows - (layout.hasHints ? 2 : 1)
    let pane = showsEvents ? max(2, (end - 1) / 3) : 0
    layout.list = 1..<max(2, end - pane)
    layout.events = layout.list.upperBound..<max(layout.list.upperBound, end)
    return layout
  }

  /// Draws the screen.
  func screen(of content: ListContent) -> Screen {
    guard !isTooSmall else {
      var row = Screen.Row(width: size.columns)
      let least = BrowserState.leastSize
      row.append("too small: \(least.columns)x\(least.rows) needed")
      return Screen(size, [row])
    }
    if mode == .help { return Screen(size, helpRows) }
    let layout = layout
    var rows = [titleRow(content)]
    for line in 0..<layout.list.count { rows.append(row(top + line, isFirst: line == 0, content)) }
    rows += eventRows(content, count: layout.events.count)
    rows.append(statusRow(content))
    if layout.hasHints { rows.append(hintRow) }
    return Screen(size, rows)
  }

  private var width: Int { size.columns }

  private func titleRow(_ content: ListContent) -> Screen.Row {
    var row = Screen.Row(width: width)
    let place =
      rowCount == 0
      ? " no items "
      : " \(selectedRow + 1)/\(rowCount) page \(page(ofItem: selection) + 1)/\(pageStarts.count) "
    let room = width - place.count
    row.append(String(TerminalText(" " + content.title, limit: max(0, room)).string), .reversed)
    row.fill(leaving: place.count, .reversed)
    row.append(place, .reversed)
    return row
  }

  private var isNarrow: Bool { width < 60 }

  /// The margin: the number and state of a page in the first of its rows, and in the top row.
  private func margin(
    _ row: inout Screen.Row, page: Int?, _ state: ListModel.PageState?, isBoundary: Bool
  ) {
    let number = page.map(String.init) ?? ""
    let label = state.map { isNarrow ? String($0.mark) : $0.rawValue } ?? ""
    let text = number.leftPadded(to: 4) + " " + label.padded(to: isNarrow ? 1 : 7)
    row.append(text, state == .failed ? .warning : .dim)
    row.append(isBoundary ? " ├ " : " │ ", .dim)
  }

  private func row(_ index: Int, isFirst: Bool, _ content: ListContent) -> Screen.Row {
    var row = Screen.Row(width: width)
    guard let item = item(ofRow: index) else {
      if index == rowCount {
        let end = content.end
        margin(&row, page: end.page, end.state, isBoundary: true)
        row.append(end.text, end.state == .failed ? .warning : .dim)
      }
      return row
    }
    let page = page(ofItem: item)
    let isBoundary =
      index == 0 || self.item(ofRow: index - 1).map { self.page(ofItem: $0) != page } ?? true
    let isLabeled = isBoundary || isFirst
    margin(
      &row, page: isLabeled ? page + 1 : nil, isLabeled ? content.pageState(page) : nil,
      isBoundary: isBoundary)
    let isSelected = item == selection
    row.append(content.text(item), isSelected ? .reversed : .plain)
    if isSelected { row.fill(.reversed) }
    return row
  }

  private func eventRows(_ content: ListContent, count: Int) -> [Screen.Row] {
    guard count > 0 else { return [] }
    var rule = Screen.Row(width: width)
    rule.append("── events ", .dim)
    rule.append(String(repeating: "─", count: rule.room), .dim)
    let events = content.events.suffix(count - 1).map { event in
      var row = Screen.Row(width: width)
      row.append(event, .dim)
      return row
    }
    let missing = max(0, count - 1 - events.count)
    return [rule] + events + Array(repeating: Screen.Row(width: width), count: missing)
  }

  private func statusRow(_ content: ListContent) -> Screen.Row {
    var row = Screen.Row(width: width)
    if mode == .prompt {
      row.append("filter: \(filter)", .bold)
      row.append("_")
    } else if !number.isEmpty {
      row.append("page \(number), then Enter", .bold)
    } else if let awaitedPage {
      row.append("loading up to page \(awaitedPage) …", .bold)
    } else {
      if !filter.isEmpty { row.append("filter: \(filter) · ", .bold) }
      row.append(content.status, content.isFailed ? .warning : .plain)
    }
    let rows = content.repaintedCount == 1 ? "row" : "rows"
    let repainted = " \(content.repaintedCount) \(rows) repainted"
    if row.room >= repainted.count {
      row.fill(leaving: repainted.count)
      row.append(repainted, .dim)
    }
    return row
  }

  private var hintRow: Screen.Row {
    var row = Screen.Row(width: width)
    row.append("q quit  r refresh  / filter  e events  ? help", .dim)
    if isDemo { row.append("  E edit  I insert  D delete  N net", .dim) }
    return row
  }

  private var helpRows: [Screen.Row] {
    var lines = [
      "j k arrows        one row", "PageUp PageDown   one screen (Space: down)",
      "g G Home End      first row, last row", "7 Enter           page 7",
      "r                 refresh the list", "Enter, R          retry what failed",
      "/ text Enter      filter the loaded items", "Esc               all items again",
      "e                 event pane", "Ctrl-Z            suspend",
      "q Ctrl-C          quit", "",
      "Margin: the page, and whether it is",
      "fresh \(ListModel.PageState.fresh.mark), stale \(ListModel.PageState.stale.mark), loading \(ListModel.PageState.loading.mark) or failed \(ListModel.PageState.failed.mark)",
    ]
    if isDemo {
      lines += [
        "", "On the demo's server:",
        "E I D             edit, insert above, delete the selected item",
        "N                 cut the network, or bring it back",
      ]
    }
    return (["pagewalk browse: keys", ""] + lines + ["", "Any key closes this."]).map { line in
      var row = Screen.Row(width: width)
      row.append(line)
      return row
    }
  }
}

extension ListModel.PageState {
  /// The state in one cell.
  var mark: Character {
    switch self {
    case .fresh: "+"
    case .stale: "~"
    case .loading: "*"
    case .failed: "!"
    }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
