import Freshet

/// The first walk along a chain of pages whose responses come at once and cost nothing to decode.
func cascadeCold(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  if run.wants("cascade.cold") {
    var comparisons: [Comparison] = []
    for count in run.sizes(10, 100, 1_000, 10_000, 100_000, quick: 10_000) {
      let list = PagedList(pageCount: count)
      let hasNaive = count <= (run.options.isQuick ? 100 : 1_000)
      comparisons.append(
        Comparison(
          "cascade.cold", n: count, unit: .nsPerPage, per: count,
          ours: coldWalks(of: list, on: actor),
          floor: .init(name: "the same by hand", work: handmadeWalks(of: list, on: actor)),
          naive: hasNaive ? naiveWalks(of: list, on: actor) : nil))
    }
    await run.compare(comparisons)
  }
  if run.wants("cascade.cold.timerless") {
    let list = PagedList(pageCount: 1_000)
    await run.compare([
      Comparison(
        "cascade.cold.timerless", n: 1_000, unit: .nsPerPage, per: 1_000,
        ours: coldWalks(of: list, clock: TimerlessClock(), on: actor),
        floor: .init(name: "the same by hand", work: handmadeWalks(of: list, on: actor)))
    ])
  }
}

/// The same on the main actor, whose executor is the main queue.
func cascadeColdMain(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.hasMainActor else { return }
  if run.wants("cascade.cold.main") {
    var comparisons: [Comparison] = []
    for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
      let list = PagedList(pageCount: count)
      comparisons.append(
        Comparison(
          "cascade.cold.main", n: count, unit: .nsPerPage, per: count,
          ours: { await timeOfMainWalks($0, of: list) },
          floor: .init(
            name: "the same by hand", work: { await timeOfMainHandmadeWalks($0, of: list) })))
    }
    await run.compare(comparisons)
  }
  if run.wants("cascade.cold.main.hop") {
    let list = PagedList(pageCount: 1_000)
    await run.compare([
      Comparison(
        "cascade.cold.main.hop", n: 1_000, unit: .nsPerPage, per: 1_000,
        ours: { await timeOfMainWalks($0, of: list) },
        floor: .init(name: "a hop alone", work: { await timeOfMainHops($0, of: list) }))
    ])
  }
}

@MainActor
private func timeOfMainWalks(_ iterations: Int, of list: PagedList<Int>) async -> Duration {
  await timeOfColdWalks(iterations, of: list)
}

/// The pages, each off the main actor, and nothing else: without tasks of their own, URLs or an observer.
@MainActor
private func timeOfMainHops(_ iterations: Int, of list: PagedList<Int>) async -> Duration {
  let start = ContinuousClock.now
  for _ in 0..<iterations {
    for number in list.pages.indices { blackHole(await response(number, of: list)) }
  }
  return ContinuousClock.now - start
}

/// - Parameter clock: the clock of the store, on which the deadlines of requests sleep.
private func coldWalks(
  of list: PagedList<Int>, clock: any StoreClock = .system, on actor: isolated StoreActor
) -> Work {
  { iterations in
    actor.assertIsolated()
    return await timeOfColdWalks(iterations, of: list, clock: clock)
  }
}

private func timeOfColdWalks(
  _ iterations: Int, of list: PagedList<Int>, clock: any StoreClock = .system,
  isolation: isolated any Actor = #isolation
) async -> Duration {
  var elapsed = Duration.zero
  for _ in 0..<iterations {
    let service = Service(instant: InstantTransport(), clock: clock)
    let start = ContinuousClock.now
    let collection = PagedCollection(
      firstPage: service.resource(list.path, decoder: list.decoder), options: .unlimited())
    collection.loadAll()
    await collection.settled()
    elapsed += ContinuousClock.now - start
    precondition(collection.items.count == list.itemCount, "cascade.cold: items are missing")
  }
  return elapsed
}

/// What a walk cannot do without, by hand: for each page a task on the store's actor, a hop off it, an object
/// that is found by its URL, and an observer that is referred to weakly.
private func handmadeWalks(of list: PagedList<Int>, on actor: isolated StoreActor) -> Work {
  { iterations in
    actor.assertIsolated()
    return await timeOfHandmadeWalks(iterations, of: list)
  }
}

@MainActor
private func timeOfMainHandmadeWalks(_ iterations: Int, of list: PagedList<Int>) async -> Duration {
  await timeOfHandmadeWalks(iterations, of: list)
}

private func timeOfHandmadeWalks(
  _ iterations: Int, of list: PagedList<Int>, isolation: isolated any Actor = #isolation
) async -> Duration {
  let urls = list.pages.indices.map { "https://api.test/items?page=\($0)" }
  var elapsed = Duration.zero
  for _ in 0..<iterations {
    let start = ContinuousClock.now
    var pages: [String: HandmadePage] = [:]
    let observer = HandmadeObserver()
    for (number, url) in urls.enumerated() {
      let page = HandmadePage(observer)
      pages[url] = page
      let task = Task {
        _ = isolation
        return await response(number, of: list)
      }
      page.content = await task.value
      page.observer?.changed(page)
    }
    elapsed += ContinuousClock.now - start
    precondition(
      pages.count == list.pages.count && observer.items.count == list.itemCount,
      "cascade.cold: the floor misses items")
  }
  return elapsed
}

private final class HandmadePage {
  var content: Page<Int>?
  private(set) weak var observer: HandmadeObserver?

  init(_ observer: HandmadeObserver) { self.observer = observer }
}

private final class HandmadeObserver {
  private(set) var items: [Int] = []

  func changed(_ page: HandmadePage) {
    if let content = page.content { items += content.items }
  }
}

private func naiveWalks(of list: PagedList<Int>, on actor: isolated StoreActor) -> Work {
  { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      let service = Service(instant: InstantTransport())
      let start = ContinuousClock.now
      let walker = NaiveWalker(service.resource(list.path, decoder: list.decoder))
      await walker.finish()
      elapsed += ContinuousClock.now - start
      precondition(
        walker.items.count == list.itemCount, "cascade.cold/naive: items are missing")
    }
    return elapsed
  }
}

/// Walks the chain from its first page at every event, and makes a new array.
private final class NaiveWalker: ResourceObserver {
  private(set) var items: [Int] = []
  private let first: Resource<Page<Int>>
  private let (ends, end) = AsyncStream<Never>.makeStream()

  init(_ first: Resource<Page<Int>>) {
    self.first = first
    first.addObserver(self)
  }

  func finish() async {
    walk()
    for await _ in ends {}
  }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    if case .newData = event { walk() }
  }

  private func walk() {
    items = []
    var page = first
    while true {
      page.addObserver(self)
      page.loadIfNeeded()
      guard let content = page.content else { return }
      items += content.items
      guard let link = content.next, let next = try? page.following(link) else { break }
      page = next
    }
    end.finish()
  }
}
