/// The changes to the persistent cache that a store has asked for, carried out one after the other
/// and off its actor, so that a removal never overtakes the write before it.
final class CacheWrites {
  typealias Write = @Sendable () async -> Void

  private let isolation: StoreIsolation
  private var waiting: [Write] = []
  private var isWriting = false

  init(isolation: StoreIsolation) {
    self.isolation = isolation
  }

  func append(_ write: @escaping Write) {
    waiting.append(write)
    if !isWriting { writeAll() }
  }

  private func writeAll() {
    let writes = waiting.take()
    isWriting = !writes.isEmpty
    guard isWriting else { return }
    isolation.launch {
      for write in writes { await write() }
    } back: {
      // Keeps itself until all is written: what was asked for is done, also when the store goes.
      self.writeAll()
    }
  }
}
