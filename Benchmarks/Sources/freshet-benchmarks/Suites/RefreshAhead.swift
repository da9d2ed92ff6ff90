import Freshet

/// A refresh of a loaded list whose pages the server all confirms with 304, four requests at once,
/// compared to one by one.
func refreshAhead(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("refresh.ahead") else { return }
  let list = PagedList(pageCount: 32)
  await run.compare([
    Comparison(
      "refresh.ahead", n: list.pages.count, unit: .nsPerPage, per: list.pages.count,
      ours: await refreshes(of: list, concurrently: 4, on: actor),
      floor: .init(
        name: "one by one", work: await refreshes(of: list, concurrently: 1, on: actor)))
  ])
}

/// Loads the list, through next links that cannot be counted, and refreshes it.
private func refreshes(
  of list: PagedList<Int>, concurrently width: Int, on actor: isolated StoreActor
) async -> Work {
  let server = InstantTransport(headers: ["ETag": "\"1\""])
  let service = Service(instant: server.delayed(by: .milliseconds(20)))
  let collection = PagedCollection(
    firstPage: service.resource(list.path, decoder: list.decoder), options: .concurrent(width))
  collection.loadAll()
  await collection.settled()
  await requireConfirmation(of: collection)
  return { iterations in
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      actor.assertIsolated()
      collection.refresh()
      await collection.settled()
    }
    let elapsed = ContinuousClock.now - start
    guard case .idle = collection.refreshState, collection.items.count == list.itemCount else {
      preconditionFailure("refresh.ahead: the refresh was not completed")
    }
    return elapsed
  }
}
