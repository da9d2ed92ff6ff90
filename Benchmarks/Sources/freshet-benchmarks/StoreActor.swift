/// The actor that all measured stores belong to.
///
/// A plain actor on the shared thread pool, where returning from other work costs little. A store
/// on the main actor pays more for that, because its executor is the main queue.
actor StoreActor {
  /// Measures all rows that are wanted.
  func measure(_ options: Options, only names: Set<String>? = nil) async -> [Row] {
    let run = BenchmarkRun(options, only: names)
    for suite in Self.suites { await suite(run, self) }
    return run.rows
  }

  private typealias Suite = (_ run: BenchmarkRun, _ actor: isolated StoreActor) async -> Void

  private static var suites: [Suite] {
    // Bytes first: the deadline timers of the other suites are freed half a minute later.
    [
      memory, walkFresh, walkVisit, walkRecipe, mergeOnePage, cascadeCold, cascadeColdMain,
      cascadeJSON, refreshNotModified, refreshNotModifiedMain, refreshAhead, loadAhead, notify,
      notifyTracked,
      lookup, crowd, loadLoopback, wire, restoreDisk, diskEntries,
    ]
  }
}
