/// One read from the persistent cache, which can be skipped even if the cache ignores cancellation.
///
/// The caller continues in the task that began the read, with its task-local values.
struct Restoration: Sendable {
  private let exchange: Exchange
  private let pending: CacheChange?
  private let entries: AsyncStream<Restored>
  private let found: AsyncStream<Restored>.Continuation

  /// - Parameter change: a change of the entry that is not carried out yet.
  init(of exchange: Exchange, after change: CacheChange?) {
    self.exchange = exchange
    pending = change
    (entries, found) = AsyncStream.makeStream()
  }

  /// The entry; nil if there is none that can be read, or the read was skipped.
  @concurrent
  func entry() async -> Restored? {
    let reading = Task {
      if let entry = await exchange.restore(after: pending) { found.yield(entry) }
      found.finish()
    }
    defer { reading.cancel() }
    for await entry in entries { return entry }
    return nil
  }

  /// Makes the caller of ``entry()`` continue without the entry, and logs that.
  func passOver() {
    found.finish()
    exchange.log(
      .cacheFailure,
      "\(exchange.location) could not be read within \(exchange.settings.value.timeout)")
  }
}
