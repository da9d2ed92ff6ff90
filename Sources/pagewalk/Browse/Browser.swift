import Foundation
import Freshet
import FreshetTesting

/// `pagewalk browse`: shows a list in a terminal until the user quits.
@MainActor
final class Browser {
  let terminal: Terminal
  let options: Options
  let address: Address
  let demo: BrowserDemo?
  let secrets: Secrets
  let meter = Meter()
  let service: Service
  var list: PagedCollection<JSONText> { model.list }
  let model: ListModel
  var state: BrowserState
  private var reader = KeyReader()
  /// The wait for the rest of a key.
  private var pause: Task<Void, Never>?
  var events = EventLog()
  /// The result of the last key, until the next one.
  var message: String?
  private var status = ExitStatus.complete
  /// The screen that the terminal shows; nil if that is not known.
  var shown: Screen?
  /// How many rows of the list were drawn since the last key.
  var repaintedCount = 0
  /// The items that the list was last notified of, which it loads around.
  var reportedItems: Range<Int>?
  var isDrawingPosted = false

  /// - Parameter demo: the demo, if that is what is browsed.
  init(
    _ address: Address, _ options: Options, demo: BrowserDemo?, terminal: Terminal,
    transport: any Transport
  ) {
    self.terminal = terminal
    self.demo = demo
    self.address = address
    var options = options
    if demo != nil, options.identity == nil { options.identity = "id" }
    self.options = options
    secrets = Secrets(address, options)
    state = BrowserState(size: terminal.size, isDemo: demo != nil)
    service = Service(
      baseURL: address.origin,
      transport: meter.metering(demo?.cuttable(transport) ?? transport), isolation: #isolation)
    var listOptions = PagedCollection<JSONText>.Options(options)
    // A page that has shifted by one item is never shown without its neighbor.
    listOptions.publication = .whenComplete
    listOptions.restartsExpiredChains = true
    let firstPage = service.resource(
      options.method, absoluteURL: address.url, body: options.body,
      decoder: .page(options.style))
    model = ListModel(
      PagedCollection(firstPage: firstPage, options: listOptions),
      identity: options.identity ?? "id")
    let settings = WalkSettings(options, secrets: secrets, meter: meter) { [weak self] retry in
      self?.report(retry)
    }
    let cache = options.cacheDirectory.map { PageCache(directory: $0, headers: options.headers) }
    service.configure {
      settings.apply(to: &$0)
      $0.cache = cache
    }
    model.onChange = { [weak self] in self?.listChanged($0) }
  }

  /// Shows the list until the user quits.
  func run() async -> ExitStatus {
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
    return status
  }

  func quit(_ status: ExitStatus) {
    self.status = status
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
    case .quit(let status): quit(status)
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
    guard let demo else { return }
    let selected = list.items.indices.contains(state.selection) ? list.items[state.selection] : nil
    let text = demo.perform(action, selected: selected?["id"]?.int)
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
    text(of: item).range(of: filter, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  private var filteredRows: FilteredRows? {
    let (items, filter) = (list.items, state.filter)
    guard !filter.isEmpty else { return nil }
    return FilteredRows(itemCount: items.count) { isShown(items[$0], filter) }
  }

  private func report(_ retry: Retry) {
    log(retry.line(pages: list.pages, nextPage: list.pageCount + 1))
  }

  private func log(_ event: String) {
    events.append(secrets.hidden(in: event))
    setNeedsDrawing()
  }
}
