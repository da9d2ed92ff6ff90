/// One look into the persistent cache, which can be passed over also where the cache does not listen to a
/// cancellation.
///
/// Who looks goes on in the task that began to look, with its task-local values.
struct Restoration: Sendable {
  private let exchange: Exchange
  private let pending: CacheChange?
  private let entries: AsyncStream<Restored>
  private let found: AsyncStream<Restored>.Continuation

  /// - Parameter change: what is to become of the entry and is not carried out yet.
  init(of exchange: Exchange, after change: CacheChange?) {
    self.exchange = exchange
    pending = change
    (entries, found) = AsyncStream.makeStream()
  }

  /// The entry; nil where there is none that can be read, or it is passed over.
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

  /// Makes what waits for the entry go on without it, and logs that.
  func passOver() {
    found.finish()
    exchange.log(
      .cacheFailure,
      "\(exchange.place) could not be read within \(exchange.settings.value.timeout)")
  }
}
