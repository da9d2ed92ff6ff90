import Foundation
import Freshet
import PagewalkBrowser

/// One walk along the pages of a list, and the refreshes after it.
@MainActor
final class Walk {
  let options: Options
  let console: Console
  let collection: PagedCollection<JSONText>
  let secrets: Secrets
  let meter = Meter()
  let clock: any StoreClock
  let interrupts: Interrupts
  let service: Service
  /// The origin to which the request headers are sent.
  private let origin: String
  /// The persistent cache; nil for none.
  let cache: PageCache?
  /// What a walk is doing.
  enum Phase {
    /// The first walk. Items from the cache wait for the server to confirm them.
    case walking
    /// The first walk has ended, and the server was asked for changes of the pages that came from the cache.
    case walked
    /// The list is refreshed as often as an option says.
    case refreshing
    /// The list is refreshed until the user stops that.
    case watching
  }

  private(set) var phase = Phase.walking
  private let started: Duration
  private var progress: Progress
  private var printedCount = 0
  /// How many items were to be printed, and standard output has not taken them.
  private(set) var unwrittenCount = 0
  /// The list as it was printed last, by its changes, too: between two refreshes others may come, from requests that
  /// were under way when the first of them failed.
  private(set) var printedList: [JSONText] = []
  /// How many pages the printed list has, where the list by now has others that were not printed; nil otherwise.
  private var keptPageCount: Int?
  /// The wait between two refreshes.
  private var pause: Task<Void, Never>?
  /// The demo that is walked; nil for a server of the user's.
  let demo: Demo.Setup?
  /// Finds a server that sends one page again and again.
  private var repetition: Repetition

  init(
    _ address: Address, _ options: Options, console: Console, interrupts: Interrupts,
    transport: any Transport, clock: any StoreClock = .system,
    pageCache: (any EntityCache)? = nil, demo: Demo.Setup? = nil
  ) {
    self.options = options
    self.demo = demo
    self.console = console
    self.interrupts = interrupts
    self.clock = clock
    started = clock.now
    origin = address.origin
    secrets = Secrets(address, options)
    repetition = Repetition(options)
    progress = Progress(isLive: console.isLive)
    cache = options.cacheDirectory.map {
      PageCache(directory: $0, headers: options.headers, cache: pageCache)
    }
    service = Service(
      baseURL: address.origin, transport: meter.metering(transport), clock: clock,
      isolation: #isolation)
    collection = PagedCollection(
      firstPage: service.resource(
        options.method, absoluteURL: address.url, body: options.body,
        decoder: secrets.pages(options.style)),
      options: PagedCollection.Options(options))
    let settings = WalkSettings(options, secrets: secrets, meter: meter) { [weak self] retry in
      self?.report(retry)
    } onCacheFailure: { [weak self] in
      if self?.phase == .watching { self?.reportCacheFailure() }
    }
    service.configure { [cache] in
      settings.apply(to: &$0)
      guard let cache else { return }
      $0.cache = cache
      // All that it has is shown before the first request, whatever its age; then it is revalidated.
      $0.freshnessLifetime = .seconds(1 << 41)
      // The list decides what is loaded, even if all pages are observed, to print their events.
      $0.reloadsWhenInvalidated = false
    }
  }

  /// Walks, refreshes and reports.
  func run() async -> ExitStatus {
    let printer =
      options.printsEvents
      ? EventPrinter(collection) { self.console.note(self.secrets.hidden(in: $0)) } : nil
    collection.addObserver(owner: self) { [weak self] _, event in self?.receive(event) }
    // Also of pages whose items are all left out as copies, and those that the server confirms.
    collection.addPageObserver(owner: self) { [weak self] _, _, event in self?.receive(event) }
    collection.displayedCount = options.limit ?? .max
    collection.loadIfNeeded()
    interrupts.setAction { [weak self] in self?.stop() }
    await collection.settled()
    await revalidate()
    phase = .walked
    console.clearLine()
    if printsAtOnce { printItems() }
    var outcome = outcome
    reportSinglePage(outcome)
    if refreshCount > 0 || options.watchInterval != nil { printedList = shown }
    var number = 0
    while number < refreshCount, outcome.allowsRefresh {
      phase = .refreshing
      number += 1
      outcome = await refresh(number)
    }
    if let interval = options.watchInterval, outcome.allowsRefresh {
      phase = .watching
      outcome = await watch(every: interval, from: outcome)
    }
    if !printsAtOnce, options.watchInterval == nil, story == nil { printItems() }
    await finishCache()
    withExtendedLifetime(printer) {}
    return report(outcome, after: clock.now - started)
  }

  /// Stops; the items stay.
  private func stop() {
    pause?.cancel()
    collection.displayedCount = 0
    collection.cancelLoad()
  }

  /// Waits between two refreshes, until the user stops the walk.
  func pause(for interval: Duration) async {
    let pause = Task { [clock] in
      _ = try? await clock.sleep(for: interval, purpose: .other("refresh"))
    }
    self.pause = pause
    await pause.value
  }

  /// The story that is shown in place of the lines for scripts; nil for those.
  var story: Story? { demo?.story }

  /// How often the list is refreshed: the demo at least once, to show that.
  private var refreshCount: Int {
    demo != nil && options.watchInterval == nil ? max(options.refreshes, 1) : options.refreshes
  }

  /// Whether items are printed when they arrive, not at the end.
  private var printsAtOnce: Bool {
    switch phase {
    case .walking, .walked: story == nil && options.refreshes == 0
    case .refreshing, .watching: false
    }
  }

  private func receive(_ event: PagedCollectionEvent<JSONText>) {
    guard case .itemsChanged = event else { return }
    if let story { return story.showProgress(of: collection) }
    if printsAtOnce, !holdsItems { printItems() }
    if console.isClosed { stop() }
    showProgress()
  }

  /// Receives an event of a page.
  private func receive(_ event: ResourceEvent) {
    stopAtRepetition()
    guard progress.isChecking, event == .notModified || event == .newData(.network) else { return }
    progress.countPage()
    showProgress()
  }

  private func showProgress() {
    guard !options.isQuiet, story == nil,
      let text = progress.text(at: clock.now, of: collection)
    else { return }
    console.progress(text)
  }

  /// Shows from now on how many pages the server has sent or confirmed.
  func beginChecking() {
    progress.beginChecking(at: clock.now)
  }

  private func stopAtRepetition() {
    // A refresh continues through the copies that are loaded.
    guard !repetition.isFound, !collection.refreshState.isLoading else { return }
    repetition.look(at: collection)
    if repetition.isFound { stop() }
  }

  /// Finds again, after a refresh, where the last page comes again: the list may have grown. After one that has
  /// failed, what was found before counts.
  func findRepetitionAgain() async {
    guard repetition.isFound, !interrupts.hasCome, !isRefreshFailed else { return }
    repetition = Repetition(options)
    repetition.look(at: collection)
    guard !repetition.isFound else { return }
    collection.displayedCount = options.limit ?? .max
    collection.loadIfNeeded()
    await collection.settled()
  }

  /// Prints the items that are not printed yet, up to the limit.
  func printItems() {
    stopAtRepetition()
    // Pages that may be copies wait for the one after them.
    let end = min(itemCount, phase == .walking ? repetition.firstDoubtfulItem ?? .max : .max)
    guard printedCount < end else { return }
    let count = end - printedCount
    var lines = Data()
    for item in collection.items[printedCount..<end] {
      lines.append(item.compact.bytes)
      lines.append(UInt8(ascii: "\n"))
    }
    printedCount = end
    collection.keepItems()
    unwrittenCount += count - console.print(lines)
  }

  /// The items of the list, as they are printed.
  private var shown: [JSONText] {
    collection.items.prefix(itemCount).map(\.compact)
  }

  /// The changes of the list since it was printed last, which are to be printed now.
  func takeChanges() -> [ItemChange] {
    let old = printedList
    printedList = shown
    guard let identity = options.identity else {
      return ItemChange.changes(from: old, to: printedList)
    }
    return ItemChange.changes(from: old, to: printedList) { $0.identity(at: identity) }
  }

  /// How many items are the list: up to the limit, and without a page that came again.
  var itemCount: Int {
    min(collection.items.count, options.limit ?? .max, repetition.copy?.firstItem ?? .max)
  }

  /// How many pages the list has, without those that are the last one again.
  var pageCount: Int {
    keptPageCount ?? repetition.copy.flatMap { $0.isEnd ? $0.originalCount : nil }
      ?? collection.pageCount
  }

  /// Keeps the number of pages, because a refresh was stopped that has printed nothing.
  func keepPageCount(_ count: Int) { keptPageCount = count }

  /// Whether the server sends one page again and again.
  var isRepeated: Bool { repetition.isFound }

  /// The outcome so far.
  var outcome: Outcome {
    interrupts.hasCome || console.isClosed ? .interrupted : outcomeOfList
  }

  /// The outcome of the list as it is, also after an interrupt.
  var outcomeOfList: Outcome {
    if let copy = repetition.copy, !isRefreshFailed {
      return .repetition(copy, sendsBody: options.body != nil)
    }
    if let page = repetition.pageWithoutNewItems, !isRefreshFailed {
      return .withoutNewItems(upTo: page, count: options.maximumEmptyPages)
    }
    let outcome = Outcome(
      of: collection.state, refresh: collection.refreshState, itemCount: collection.items.count,
      isConfirmed: isConfirmed, style: collection.firstPage.latestData?.content.style,
      origin: origin, options: options)
    guard outcome.status == .complete, collection.items.count < options.limit ?? .max,
      let page = collection.firstPage.latestData?.content
    else { return outcome }
    return .beforeEnd(page) ?? outcome
  }
}
