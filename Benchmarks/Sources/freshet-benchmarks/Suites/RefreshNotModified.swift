import Freshet

/// A refresh of a loaded list whose pages the server all confirms with 304.
func refreshNotModified(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("refresh.notModified") else { return }
  var comparisons: [Comparison] = []
  for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
    let list = PagedList(pageCount: count)
    let service = Service(instant: InstantTransport(headers: ["ETag": "\"1\""]))
    let collection = PagedCollection(
      firstPage: service.resource(list.path, decoder: list.decoder), options: .unlimited())
    collection.loadAll()
    await collection.settled()
    await requireConfirmation(of: collection)
    let recorder = ArrayEvents()
    collection.addObserver(recorder)
    comparisons.append(
      Comparison(
        "refresh.notModified", n: count, unit: .nsPerPage, per: count,
        ours: refreshes(of: collection, recorder, on: actor),
        floor: .init(name: "the same by hand", work: handmadeRefreshes(of: list, on: actor))))
  }
  await run.compare(comparisons)
}

/// The same on the main actor, whose executor is the main queue.
func refreshNotModifiedMain(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("refresh.notModified.main"), run.hasMainActor else { return }
  var comparisons: [Comparison] = []
  for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
    let list = PagedList(pageCount: count)
    let loaded = await MainList(list)
    comparisons.append(
      Comparison(
        "refresh.notModified.main", n: count, unit: .nsPerPage, per: count,
        ours: { await loaded.timeOfRefreshes($0) },
        floor: .init(
          name: "the same by hand", work: { await timeOfMainHandmadeRefreshes($0, of: list) })))
  }
  await run.compare(comparisons)
}

/// A loaded list on the main actor.
@MainActor
private final class MainList {
  private let service: Service
  private let collection: PagedCollection<Int>

  init(_ list: PagedList<Int>) async {
    service = Service(instant: InstantTransport(headers: ["ETag": "\"1\""]))
    collection = PagedCollection(
      firstPage: service.resource(list.path, decoder: list.decoder), options: .unlimited())
    collection.loadAll()
    await collection.settled()
    await requireConfirmation(of: collection)
  }

  func timeOfRefreshes(_ iterations: Int) async -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      collection.refresh()
      await collection.settled()
    }
    return ContinuousClock.now - start
  }
}

/// Stops the program if a refresh gets any response but a 304.
func requireConfirmation(
  of collection: PagedCollection<Int>, on actor: isolated any Actor = #isolation
) async {
  var last: ResourceEvent?
  let token = collection.firstPage.observe { _, event in last = event }
  collection.refresh()
  await collection.settled()
  precondition(last == .notModified, "the server sent a page that it was to confirm")
  token.cancel()
}

private func refreshes(
  of collection: PagedCollection<Int>, _ recorder: ArrayEvents, on actor: isolated StoreActor
) -> Work {
  { iterations in
    actor.assertIsolated()
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      collection.refresh()
      await collection.settled()
    }
    let elapsed = ContinuousClock.now - start
    precondition(recorder.count == 0, "refresh.notModified: the array was said to have changed")
    return elapsed
  }
}

/// What a refresh cannot do without, by hand: for each page an object that is found by its URL, a task on the
/// store's actor, a hop off it for the tag of the response, which is compared, the time, and an observer that is
/// referred to weakly.
private func handmadeRefreshes(of list: PagedList<Int>, on actor: isolated StoreActor) -> Work {
  { iterations in
    actor.assertIsolated()
    return await timeOfHandmadeRefreshes(iterations, of: list)
  }
}

@MainActor
private func timeOfMainHandmadeRefreshes(
  _ iterations: Int, of list: PagedList<Int>
) async -> Duration {
  await timeOfHandmadeRefreshes(iterations, of: list)
}

private func timeOfHandmadeRefreshes(
  _ iterations: Int, of list: PagedList<Int>, isolation: isolated any Actor = #isolation
) async -> Duration {
  let urls = list.pages.indices.map { "https://api.test/items?page=\($0)" }
  let observer = HandmadeObserver()
  let pages = Dictionary(uniqueKeysWithValues: urls.map { ($0, HandmadePage(observer)) })
  let start = ContinuousClock.now
  for _ in 0..<iterations {
    for url in urls {
      guard let page = pages[url] else { preconditionFailure("refresh.notModified: no page") }
      let tag = page.tag
      let task = Task {
        _ = isolation
        return await response(confirming: tag)
      }
      if await task.value == tag { page.confirm() }
    }
  }
  let elapsed = ContinuousClock.now - start
  precondition(
    observer.count == iterations * urls.count, "refresh.notModified: the floor misses pages")
  return elapsed
}

/// The tag of a response, off the store's actor.
@concurrent
private func response(confirming tag: String) async -> String { tag }

private final class HandmadePage {
  let tag = "\"1\""
  private(set) var confirmationTime = ContinuousClock.now
  private weak var observer: HandmadeObserver?

  init(_ observer: HandmadeObserver) { self.observer = observer }

  func confirm() {
    confirmationTime = .now
    observer?.confirmed(self)
  }
}

private final class HandmadeObserver {
  private(set) var count = 0

  func confirmed(_ page: HandmadePage) { count += 1 }
}

/// Counts the events of changes of the array.
private final class ArrayEvents: PagedCollectionObserver {
  private(set) var count = 0

  func collectionChanged(_ collection: PagedCollection<Int>, event: PagedCollectionEvent<Int>) {
    if case .itemsChanged = event { count += 1 }
  }
}
