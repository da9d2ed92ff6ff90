import Freshet

/// The demo as a story for a user at a terminal: a few lines on standard error in place of the
/// items.
@MainActor
final class Story {
  private let console: Console
  private let limit: Int?

  init(console: Console, limit: Int?) {
    self.console = console
    self.limit = limit
  }

  func begin(_ url: String) {
    console.report("no URL, so this is a demo on an API inside this program,")
    console.note("\(url). Its pages are merged into one list:")
  }

  /// Shows how much of the list is loaded.
  func showProgress(of list: PagedCollection<JSONText>) {
    guard !list.isRefreshing else { return }
    console.overwrite(Story.bar(of: list, limit: limit))
  }

  /// Shows the list when all pages are loaded.
  func walked(_ list: PagedCollection<JSONText>) {
    let count = min(list.items.count, limit ?? .max)
    console.clearLine()
    console.note(Story.bar(of: list, limit: limit))
    console.note("Three of its items, which are river gauges:")
    for index in Set([0, count / 2, count - 1]).sorted() where (0..<count).contains(index) {
      console.note(Story.row(list.items[index]))
    }
  }

  func edited(_ id: Int) {
    console.note("Now the server edits item \(id), and the list is refreshed:")
  }

  /// Shows the requests and the changes of the refresh.
  func refreshed(_ changes: [ItemChange], counts: Meter.Counts, outcome: Outcome) {
    guard outcome.allowsRefresh else { return }
    console.clearLine()
    console.note(
      "\(counts.notModified) of \(count(counts.requests, "page")) unchanged (status 304, no body),"
        + " \(count(changes.count, "item")) of the list changed:")
    for case .replaced(let item) in changes.prefix(3) { console.note(Story.row(item)) }
  }

  func end() {
    console.note("Next: pagewalk --help has examples for APIs of your own,")
    console.note("and pagewalk | head prints the items of this demo as JSON, one a line.")
  }

  /// A progress bar with its label.
  static func bar(of list: PagedCollection<JSONText>, limit: Int?) -> String {
    let wanted = min(list.totalCount ?? list.items.count, limit ?? .max)
    let loaded = min(list.items.count, wanted)
    let width = 30
    let filled = wanted > 0 ? loaded * width / wanted : width
    return "  [" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: width - filled) + "] "
      + "\(loaded) of \(count(wanted, "item")), \(count(list.pageCount, "page"))"
  }

  /// An item in a line: the columns of known width come first.
  nonisolated static func row(_ item: JSONText) -> String {
    func text(_ path: JSONPath) -> String {
      item[at: path].map { $0.string ?? $0.description } ?? "?"
    }
    func column(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let trend = text("level.trend")
    return column(text("id"), 6) + column(text("level.meters"), 7) + " m, " + trend
      + String(repeating: " ", count: max(1, 9 - trend.count)) + text("river") + ", "
      + text("station")
  }
}
