import Foundation
import Freshet

/// Shows a list in a terminal until the user quits.
///
/// It is made on the public interface of Freshet alone: a program of your own can do the same.
@MainActor
public final class Browser {
  /// How browsing ended.
  public enum End: Sendable {
    /// The user has quit.
    case complete
    /// The terminal was closed.
    case incomplete
    /// The user has pressed Ctrl-C.
    case interrupted
  }

  let terminal: Terminal
  let texts: Texts
  var list: PagedCollection<JSONText> { model.list }
  let model: ListModel
  var state: BrowserState
  private let performInDemo: (@MainActor (DemoAction, _ selected: JSONText?) -> String)?
  private var reader = KeyReader()
  /// The wait for the rest of a key.
  private var pause: Task<Void, Never>?
  var events = EventLog()
  /// The result of the last key, until the next one.
  var message: String?
  private var end = End.complete
  /// The screen that the terminal shows; nil if that is not known.
  var shown: Screen?
  /// How many rows of the list were drawn since the last key.
  var repaintedCount = 0
  /// The items that the list was last notified of, which it loads around.
  var reportedItems: Range<Int>?
  var isDrawingPosted = false

  /// Creates the browser of a list.
  ///
  /// - Parameters:
  ///   - list: the list. It is best published when a refresh is complete.
  ///   - identity: the path of an item's identity: what stays when the item is edited.
  ///   - terminal: shows the list.
  ///   - texts: the texts that depend on more than the list.
  ///   - performInDemo: performs what a key does to the server of a demo, on an item or on none, and returns
  ///     what was done; nil if this is not a demo.
  public init(
    _ list: PagedCollection<JSONText>, identity: JSONPath, terminal: Terminal, texts: Texts,
    performInDemo: (@MainActor (DemoAction, _ selected: JSONText?) -> String)? = nil
  ) {
    self.terminal = terminal
    self.texts = texts
    self.performInDemo = performInDemo
    state = BrowserState(size: terminal.size, isDemo: performInDemo != nil)
    model = ListModel(list, identity: identity)
    model.onChange = { [weak self] in self?.listChanged($0) }
  }

  /// Shows the list until the user quits.
  public func run() async -> End {
    let printer = EventPrinter(list) { [weak self] in self?.log($0) }
    list.loadIfNeeded()
    let clock = Task {
      // What is fresh becomes stale without an event.
      while (try? await Task.sleep(for: .seconds(1))) != nil { draw() }
    }
    draw()
    for await input in terminal.inputs { receive(input) }
    clock.cancel()
    pause?.cancel()
    list.cancelLoad()
    withExtendedLifetime(printer) {}
    return end
  }

  /// Adds a line to the event pane.
  public func log(_ event: String) {
    events.append(texts.hidden(event))
    setNeedsDrawing()
  }

  func quit(_ end: End) {
    self.end = end
    terminal.endInput()
  }

  // MARK: Input

  private func receive(_ input: Terminal.Input) {
    switch input {
    case .closed: return quit(.incomplete)
    case .signals:
      terminal.handleSignals()
      resetScreen()
    case .bytes(let bytes):
      pause?.cancel()
      press(reader.keys(in: bytes))
      guard reader.isWaiting else { break }
      pause = Task {
        guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        press(reader.flush())
        draw()
      }
    }
    draw()
  }

  /// Has the whole screen drawn, in the size that it has now.
  private func resetScreen() {
    state.size = terminal.size
    shown = nil
  }

  private func press(_ keys: [Key]) {
    for key in keys {
      repaintedCount = 0
      message = nil
      if let action = state.press(key) { perform(action) }
    }
  }

  func perform(_ action: BrowserState.Action) {
    switch action {
    case .quit(let end): quit(end)
    case .suspend:
      terminal.suspend()
      resetScreen()
    case .redraw: shown = nil
    case .refresh: list.refresh()
    case .retry: list.retry()
    case .loadMore: list.loadMore()
    case .loadPages(let page): list.loadPages(through: page)
    case .filter: state.show(filteredRows)
    case .demo(let action): perform(action)
    }
  }

  private func perform(_ action: DemoAction) {
    guard let performInDemo else { return }
    let selected = list.items.indices.contains(state.selection) ? list.items[state.selection] : nil
    let text = performInDemo(action, selected)
    message = text
    log(text)
    if action != .network { list.refresh() }
  }

  // MARK: Changes of the list

  private func listChanged(_ change: PagedChange<JSONText>?) {
    // Read before: the state is being changed while items are compared with it.
    let filter = state.filter
    state.listChanged(
      change, itemCount: list.items.count, identity: model.identity(of:),
      isShown: { self.isShown($0, filter) })
    if change != nil { reportedItems = nil }
    setNeedsDrawing()
  }

  private func isShown(_ item: JSONText, _ filter: String) -> Bool {
    texts.item(item).range(of: filter, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  private var filteredRows: FilteredRows? {
    let (items, filter) = (list.items, state.filter)
    guard !filter.isEmpty else { return nil }
    return FilteredRows(itemCount: items.count) { isShown(items[$0], filter) }
  }
}
