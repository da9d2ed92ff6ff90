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
  /// The persistent cache; nil for none.
  let cache: PageCache?
  /// Whether the server was asked for changes of the pages that came from the cache.
  var isRevalidated = false
  private let started: Duration
  private var progress: Progress
  private var printedCount = 0
  /// The wait between two refreshes.
  var pause: Task<Void, Never>?
  /// The story that is shown in place of the lines for scripts; nil for those.
  var story: Story?
  /// Whether items are printed when they arrive, not at the end.
  var printsAtOnce: Bool
  /// Finds a server that sends one page again and again.
  private var repetition = Repetition()
  /// Whether the server is one of the program's own.
  var isDemo = false
  /// Called before each refresh.
  var willRefresh: ((PagedCollection<JSONText>) -> Void)?

  init(
    _ address: Address, _ options: Options, console: Console, interrupts: Interrupts,
    transport: any Transport, clock: any StoreClock = .system,
    pageCache: (any EntityCache)? = nil
  ) {
    self.options = options
    self.console = console
    self.interrupts = interrupts
    self.clock = clock
    started = clock.now
    secrets = Secrets(address, options)
    progress = Progress(isLive: console.isLive)
    printsAtOnce = options.refreshes == 0
    cache = options.cacheDirectory.map {
      PageCache(directory: $0, headers: options.headers, cache: pageCache)
    }
    service = Service(
      baseURL: address.origin, transport: meter.metering(transport), clock: clock,
      isolation: #isolation)
    collection = PagedCollection(
      firstPage: service.resource(
        options.method, absoluteURL: address.url, body: options.body,
        decoder: .page(options.style)),
      options: PagedCollection.Options(options))
    let settings = WalkSettings(options, secrets: secrets, meter: meter) { [weak self] retry in
      self?.report(retry)
    }
    service.configure { [cache] in
      settings.apply(to: &$0)
      guard let cache else { return }
      $0.cache = cache
      // All that it has is shown before the first request, whatever its age; then it is revalidated.
      $0.freshnessLifetime = .seconds(1 << 41)
    }
  }

  /// Walks, refreshes and reports.
  func run() async -> ExitStatus {
    let printer = options.printsEvents ? EventPrinter(collection) { self.console.note($0) } : nil
    collection.addObserver(owner: self) { [weak self] _, event in self?.receive(event) }
    // Also of pages whose items are all left out as copies.
    collection.addPageObserver(owner: self) { [weak self] _, _, _ in self?.stopAtRepetition() }
    collection.displayedCount = options.limit ?? .max
    collection.loadIfNeeded()
    interrupts.setAction { [weak self] in self?.stop() }
    await collection.settled()
    await revalidate()
    var outcome = outcome
    reportSinglePage(outcome)
    var number = 0
    while number < options.refreshes, outcome.allowsRefresh {
      number += 1
      outcome = await refresh(number)
    }
    if let interval = options.watchInterval, outcome.allowsRefresh {
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

  private func receive(_ event: PagedCollectionEvent<JSONText>) {
    guard case .itemsChanged = event else { return }
    if let story { return story.showProgress(of: collection) }
    if printsAtOnce, !holdsItems { printItems() }
    if console.isClosed { stop() }
    if !options.isQuiet, let text = progress.text(at: clock.now, of: collection) {
      console.progress(text)
    }
  }

  private func stopAtRepetition() {
    repetition.look(at: collection)
    if repetition.page != nil { stop() }
  }

  /// Prints the items that are not printed yet, up to the limit.
  func printItems() {
    let end = min(collection.items.count, options.limit ?? .max)
    guard printedCount < end else { return }
    var lines = Data()
    for item in collection.items[printedCount..<end] {
      lines.append(item.compact.bytes)
      lines.append(UInt8(ascii: "\n"))
    }
    printedCount = end
    console.print(lines)
  }

  /// The outcome so far.
  var outcome: Outcome {
    guard !interrupts.hasCome, !console.isClosed else { return .interrupted }
    if let page = repetition.page { return .repetition(page) }
    return Outcome(
      of: collection.state, refresh: collection.refreshState, itemCount: collection.items.count,
      isConfirmed: isConfirmed, options: options)
  }
}
