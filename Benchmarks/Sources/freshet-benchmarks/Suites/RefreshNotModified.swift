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
        floor: .init(name: "task and hop", work: tasks(for: list, on: actor))))
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
        floor: .init(name: "task and hop there", work: { await timeOfMainTasks($0, for: list) })))
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
private func requireConfirmation(
  of collection: PagedCollection<Int>, on actor: isolated any Actor = #isolation
) async {
  var last: ResourceEvent?
  let token = collection.firstPage.observe { _, event in last = event }
  collection.refresh()
  await collection.settled()
  precondition(last == .notModified, "refresh.notModified: the server sent the page")
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

/// The pages of a list, each from a task on the store's actor that awaits the page elsewhere.
private func tasks(for list: PagedList<Int>, on actor: isolated StoreActor) -> Work {
  { iterations in
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      var items: [Int] = []
      for page in list.pages.indices {
        let task = Task {
          actor.assertIsolated()
          return await response(page, of: list)
        }
        items += await task.value.items
      }
      blackHole(items)
    }
    return ContinuousClock.now - start
  }
}

/// The same on the main actor.
@MainActor
private func timeOfMainTasks(_ iterations: Int, for list: PagedList<Int>) async -> Duration {
  let start = ContinuousClock.now
  for _ in 0..<iterations {
    var items: [Int] = []
    for page in list.pages.indices {
      let task = Task { await response(page, of: list) }
      items += await task.value.items
    }
    blackHole(items)
  }
  return ContinuousClock.now - start
}

/// Counts the events of changes of the array.
private final class ArrayEvents: PagedCollectionObserver {
  private(set) var count = 0

  func collectionChanged(_ collection: PagedCollection<Int>, event: PagedCollectionEvent<Int>) {
    if case .itemsChanged = event { count += 1 }
  }
}
