/// One read from the persistent cache, which can be skipped even if the cache ignores cancellation.
///
/// The caller continues in the task that began the read, with its task-local values.
struct Restoration: Sendable {
  private let exchange: Exchange
  private let use: CacheUse
  private let entries: AsyncStream<Restored>
  private let found: AsyncStream<Restored>.Continuation

  init(of exchange: Exchange, _ use: CacheUse) {
    self.exchange = exchange
    self.use = use
    (entries, found) = AsyncStream.makeStream()
  }

  /// The entry; nil if there is none that can be read, or the read was skipped.
  @concurrent
  func entry() async -> Restored? {
    let reading = Task {
      if let entry = await exchange.restore(use) { found.yield(entry) }
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
