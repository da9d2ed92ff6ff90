import Foundation
import Freshet

/// One walk along a page chain, with the refreshes behind it.
@MainActor
final class Walk {
  private let options: Options
  private let console: Console
  private let collection: PagedCollection<JSONText>
  private let service: Service
  private let meter = Meter()
  private let clock: any StoreClock
  private let started: Duration
  private var progress: Progress
  private var printedCount = 0
  private var pause: Task<Void, Never>?
  private let interrupts: Interrupts
  /// Whether items are printed when they come, and not at the end.
  var printsAtOnce: Bool
  /// Called before each refresh with the number of items.
  var willRefresh: ((Int) -> Void)?

  init(
    _ address: Address, _ options: Options, console: Console, interrupts: Interrupts,
    transport: any Transport, clock: any StoreClock = .system
  ) {
    self.options = options
    self.console = console
    self.interrupts = interrupts
    self.clock = clock
    started = clock.now
    progress = Progress(isLive: console.isLive)
    printsAtOnce = options.refreshes == 0
    service = Service(
      baseURL: address.origin, transport: meter.metering(transport), clock: clock)
    var limits = PagedCollection<JSONText>.Options()
    limits.pageLimit = options.maximumPages
    limits.itemLimit = .max
    limits.requestBudget = .max
    limits.allowedOrigins = options.allowedOrigins
    if let identity = options.identity {
      limits.identity = ItemIdentity { $0.identity(at: identity) }
    }
    // What is printed when it comes cannot be taken back.
    limits.restartsExpiredChains = options.refreshes > 0
    collection = PagedCollection(
      firstPage: service.resource(
        options.method, absoluteURL: address.url, body: options.body,
        decoder: .page(options.style)),
      options: limits)
    let settings = Settings(options, meter: meter) { [weak self] retry in self?.hear(retry: retry) }
    service.configure { settings.apply(to: &$0) }
  }

  /// Walks, refreshes and reports.
  func run() async -> ExitStatus {
    let printer = options.printsEvents ? EventPrinter(collection) { self.console.note($0) } : nil
    collection.addObserver(owner: self) { [weak self] _, event in self?.hear(event) }
    collection.displayedCount = options.limit ?? .max
    collection.loadIfNeeded()
    interrupts.setAction { [weak self] in self?.stop() }
    await collection.settled()
    var outcome = outcome
    for number in 1..<(options.refreshes + 1) where outcome.allowsRefresh {
      await refresh(number)
      outcome = self.outcome
    }
    if let interval = options.watchInterval, outcome.allowsRefresh {
      outcome = await watch(every: interval)
    }
    if !printsAtOnce, options.watchInterval == nil { printItems() }
    withExtendedLifetime(printer) {}
    return report(outcome)
  }

  /// Stops; what is there stays.
  private func stop() {
    pause?.cancel()
    collection.displayedCount = 0
    collection.cancelLoad()
  }

  private func hear(_ event: PagedCollectionEvent<JSONText>) {
    guard case .itemsChanged = event else { return }
    if printsAtOnce { printItems() }
    if console.isClosed { stop() }
    if !options.isQuiet, let text = progress.text(at: clock.now, of: collection) {
      console.progress(text)
    }
  }

  private func hear(retry: String) {
    guard !options.isQuiet, collection.isLoading else { return }
    console.report("trying again: \(retry)")
  }

  /// Prints the items that are not printed yet, up to the limit.
  private func printItems() {
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

  // MARK: Refreshing

  private func refresh(_ number: Int) async {
    let old = shown
    let before = meter.counts
    willRefresh?(old.count)
    printsAtOnce = false
    collection.refresh()
    await collection.settled()
    let changes =
      if let identity = options.identity {
        ItemChange.changes(from: old, to: shown) { $0.identity(at: identity) }
      } else {
        ItemChange.changes(from: old, to: shown)
      }
    for change in changes {
      if options.watchInterval == nil {
        console.note(change.line)
      } else {
        console.print(change.line + "\n")
      }
    }
    guard !options.isQuiet else { return }
    let counts = meter.counts
    console.report(
      """
      refresh \(number): \(count(counts.requests - before.requests, "request")), \
      \(counts.notModified - before.notModified) answered 304 (not modified), \
      \(count(changes.count, "change")) in the merged items
      """)
  }

  /// Refreshes until somebody stops it. A refresh that fails is a warning: the next one may not.
  private func watch(every interval: Duration) async -> Outcome {
    var number = 0
    while !interrupts.hasCome, !console.isClosed {
      let clock = clock
      let pause = Task { _ = try? await clock.sleep(for: interval) }
      self.pause = pause
      await pause.value
      guard !interrupts.hasCome else { break }
      number += 1
      await refresh(number)
      if let explanation = outcome.explanation, !outcome.allowsRefresh, !interrupts.hasCome,
        !console.isClosed
      {
        console.report("refresh \(number): \(explanation); the next one is in \(interval)")
      }
    }
    return outcome
  }

  private var shown: [JSONText] {
    collection.items.prefix(options.limit ?? .max).map(\.compact)
  }

  // MARK: The end

  private var outcome: Outcome {
    interrupts.hasCome || console.isClosed
      ? .interrupted
      : Outcome(
        of: state, itemCount: collection.items.count, limit: options.limit,
        timeout: options.timeout)
  }

  /// What the walk came to: a refresh that failed is no complete one.
  private var state: PagedCollectionState {
    if case .failed = collection.refreshState { collection.refreshState } else { collection.state }
  }

  /// Warns of items that are shown as often as they come, against what was asked for.
  private func warnOfMissingIdentities() {
    guard let identity = options.identity else { return }
    let missing = collection.items.count { $0.identity(at: identity) == nil }
    guard missing > 0 else { return }
    console.report(
      "warning: \(count(missing, "item")) of \(collection.items.count) "
        + "without '\(identity)': correct --id")
  }

  private func report(_ outcome: Outcome) -> ExitStatus {
    // The place where page numbers ended is no page.
    let pages = collection.pages.count { $0.content != nil }
    let items = min(collection.items.count, options.limit ?? .max)
    console.clearLine()
    warnOfMissingIdentities()
    let amount = "\(count(items, "item")) of \(count(pages, "page"))"
    if let explanation = outcome.explanation, !console.isClosed {
      console.report("incomplete: \(explanation) (printed: \(amount))")
    } else if !options.isQuiet, !console.isClosed {
      console.report("\(amount), \(outcome.status)")
    }
    if options.printsSummary {
      console.note(
        Summary(
          outcome: outcome, pages: pages, items: items, duplicates: collection.duplicateCount,
          counts: meter.counts,
          elapsed: clock.now - started
        ).json)
    }
    if interrupts.hasCome { return .interrupted }
    return outcome.explanation == nil ? .complete : .incomplete
  }
}

/// How requests are made.
private struct Settings {
  private let options: Options
  private let meter: Meter
  private let onRetry: @MainActor @Sendable (String) -> Void

  init(
    _ options: Options, meter: Meter, onRetry: @escaping @MainActor @Sendable (String) -> Void
  ) {
    self.options = options
    self.meter = meter
    self.onRetry = onRetry
  }

  func apply(to configuration: inout Configuration) {
    configuration.headers = options.headers
    if configuration.headers["Accept"] == nil {
      configuration.headers["Accept"] = "application/json, */*;q=0.5"
    }
    if configuration.headers["User-Agent"] == nil {
      configuration.headers["User-Agent"] = "pagewalk/\(Pagewalk.version)"
    }
    configuration.timeout = options.timeout
    configuration.retries = RetryPolicy(
      maximumRetries: options.retries, longestWait: options.timeout)
    configuration.log = { [meter, onRetry] entry in
      guard entry.category == .retry else { return }
      meter.countRetry()
      Task { @MainActor in onRetry(entry.message) }
    }
  }
}

extension JSONText {
  /// The identity at a path, without white space between tokens; nil where there is none.
  fileprivate func identity(at path: JSONPath) -> JSONText? {
    guard let value = self[at: path], value.kind != .null else { return nil }
    return value.compact
  }
}
