import Freshet

/// The pages that come from the cache.
extension Walk {
  /// Asks the server for changes of the pages that came from the cache.
  ///
  /// Their items are printed after that: what is printed cannot be taken back.
  func revalidate() async {
    guard let cache, cache.hasRestored else { return }
    var asked: Set<ResourceKey> = []
    // Again for pages that have come from the cache in the meantime, because others have changed.
    repeat {
      let restored = Set(cache.restored.keys).subtracting(asked)
      let pages = collection.pages.filter { restored.contains($0.key) }
      guard outcome != .interrupted, !pages.isEmpty else { return }
      if asked.isEmpty, !options.isQuiet, story == nil {
        console.clearLine()
        console.report(
          "\(count(pages.count, "page")) from the cache, \(count(collection.items.count, "item")); "
            + "asking the server for changes")
      }
      if asked.isEmpty { beginChecking() }
      asked.formUnion(pages.map(\.key))
      for page in pages { page.invalidate() }
      collection.loadIfNeeded()
      await collection.settled()
    } while outcome.allowsRefresh
  }

  /// Whether the server has sent or confirmed all pages with items up to the limit.
  var isConfirmed: Bool {
    guard let limit = options.limit, cache?.hasRestored == true else { return true }
    guard min(collection.items.count, limit) <= linkedItemCount else { return false }
    return (0..<collection.pageCount).allSatisfy {
      collection.itemRange(ofPage: $0).lowerBound >= limit || collection.page(at: $0).isUpToDate
    }
  }

  /// How many items the linked pages have. A page that now leads elsewhere, where nothing could be loaded, leaves
  /// the items of those that followed it in the list.
  var linkedItemCount: Int {
    (0..<collection.pageCount).last.map { collection.itemRange(ofPage: $0).upperBound } ?? 0
  }

  /// How many items, up to the limit, are as the cache had them: the server has not confirmed them in this walk.
  var unconfirmedItemCount: Int {
    guard let cache, cache.hasRestored else { return 0 }
    let (dates, items) = (cache.restored, 0..<itemCount)
    // Later on, after a whole walk, all were confirmed.
    let unlinkedCount = phase == .walked ? max(0, itemCount - linkedItemCount) : 0
    return (0..<collection.pageCount).reduce(unlinkedCount) { count, index in
      let page = collection.page(at: index)
      // A response, also one of status 304, sets another date.
      guard let date = dates[page.key], page.timestamp == date else { return count }
      return count + collection.itemRange(ofPage: index).clamped(to: items).count
    }
  }

  /// Whether items wait, because the server has not confirmed them.
  var holdsItems: Bool { phase == .walking && cache?.hasRestored == true }

  /// Waits for what is still being written, and reports what could not be.
  ///
  /// No load continues: its response would be written while the process ends.
  func finishCache() async {
    guard cache != nil else { return }
    collection.cancelAllLoads()
    if !interrupts.hasCome {
      interrupts.setAction { [console] in
        console.report("waiting for the cache to be written; interrupt again to end without it")
      }
    }
    await service.flushCache()
    interrupts.setAction {}
    if !options.isQuiet, meter.notStoredCount > 0 {
      console.clearLine()
      console.report(
        "note: the server forbids storing \(count(meter.notStoredCount, "page")) "
          + "(Cache-Control: no-store): not kept in the cache")
    }
    reportCacheFailure()
  }

  /// Warns of a cache that has failed: at the end, or, where that is when the user stops a watch, when it
  /// happens. Once, whatever fails after that.
  func reportCacheFailure() {
    guard let failure = meter.takeCacheFailure() else { return }
    let others = failure.count > 1 ? " (and \(failure.count - 1) more)" : ""
    console.clearLine()
    console.report("warning: the cache: \(secrets.hidden(in: failure.message))\(others)")
  }
}
