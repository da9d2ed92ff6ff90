import Freshet

/// `loadIfNeeded()` on a collection that is complete and fresh, compared to one read of the clock.
func walkFresh(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("walk.fresh") else { return }
  let clock: any StoreClock = .system
  var comparisons: [Comparison] = []
  for pages in run.sizes(10, 100, 1_000, 10_000, 100_000, quick: 10_000) {
    let loaded = LoadedList(PagedList(pageCount: pages))
    comparisons.append(
      Comparison(
        "walk.fresh", n: pages,
        ours: repeating { loaded.collection.loadIfNeeded() },
        floor: .init(name: "clock read", work: repeating { blackHole(clock.now) }),
        naive: pages > 10_000 ? nil : repeating { blackHole(loaded.itemsOfVisitedPages()) }))
  }
  await run.compare(comparisons)
}
