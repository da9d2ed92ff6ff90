import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

@Suite("Changes of a cache that carries out several at once", .standardTimeLimit)
struct ConcurrentChangesTests {
  private let clock = ManualClock()
  private let keys = (0..<6).map { ResourceKey.sample("\($0)") }

  private var work: CacheWork { CacheWork(for: clock) { Issue.record($0) } }

  private func store(_ text: String, for key: ResourceKey, in cache: any EntityCache) {
    CacheUse(of: key, in: cache, work).append(.store(.sample(text)))
  }

  /// Waits for that many changes to begin, and for the queue to have decided about all others.
  private func begin(_ count: Int, in cache: HeldCache) async throws {
    await until { await cache.stoppedCount >= count }
    _ = try await CacheUse(of: keys[0], in: cache, work).entry()
    #expect(await cache.stoppedCount == count)
  }

  @Test("At most as many as the cache says are under way", arguments: [1, 2, 4])
  func limit(count: Int) async throws {
    let cache = HeldCache(maximumConcurrentChangeCount: count)
    await cache.hold(.store)
    for key in keys { store("x", for: key, in: cache) }
    try await begin(count, in: cache)
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.entries.count == keys.count)
  }

  @Test("Those of one entry keep their order, and so does what comes after them")
  func oneEntry() async throws {
    let cache = HeldCache(maximumConcurrentChangeCount: 4)
    await cache.hold(.store)
    store("a", for: keys[0], in: cache)
    store("b", for: keys[1], in: cache)
    try await begin(2, in: cache)
    store("c", for: keys[0], in: cache)
    store("d", for: keys[2], in: cache)
    try await begin(2, in: cache)
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.texts(stored: keys[0]) == ["a", "c"])
    #expect(await cache.entries.count == 3)
  }

  @Test("Nothing is under way beside the removal of many, which waits for what came before it")
  func removalOfMany() async throws {
    let cache = HeldCache(maximumConcurrentChangeCount: 4)
    await cache.hold(.store, .removeAll)
    store("a", for: keys[0], in: cache)
    store("b", for: keys[1], in: cache)
    try await begin(2, in: cache)
    CacheQueue.shared.removeAll(from: cache, where: { $0.hasSuffix("0") }, work)
    store("c", for: keys[2], in: cache)
    try await begin(2, in: cache)
    #expect(await cache.operations.isEmpty)
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.operations == [.store, .store, .removeAll, .store])
    #expect(await cache.text(of: keys[0]) == nil)
    #expect(await cache.entries.count == 2)
  }

  @Test("Large ones are carried out one by one")
  func large() async throws {
    let cache = HeldCache(maximumConcurrentChangeCount: 4)
    await cache.hold(.store)
    let text = String(repeating: "x", count: 600_000)
    for key in keys { store(text, for: key, in: cache) }
    try await begin(1, in: cache)
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.entries.count == keys.count)
  }

  @Test("A caller waits for all that was asked for before, in whatever order it ends")
  func flush() async throws {
    let cache = StepwiseCache()
    for key in keys.prefix(3) {
      CacheUse(of: key, in: cache, work).append(.store(.sample("x")))
    }
    await until { await cache.waiting.count >= 3 }
    let hasEnded = Locked(false)
    let flush = Task {
      await CacheQueue.shared.flush(cache)
      hasEnded.withLock { $0 = true }
    }
    for key in keys[1...2].reversed() { await cache.end(key) }
    await clock.state.until { $0.work == 1 }
    _ = try await CacheUse(of: keys[0], in: cache, work).entry()
    #expect(hasEnded.withLock { !$0 })
    await cache.end(keys[0])
    await flush.value
  }

  @Test("Callers that wait are released, however many were cancelled before them")
  func cancelledFlushes() async throws {
    let cache = HeldCache()
    await cache.hold(.store)
    store("x", for: keys[0], in: cache)
    try await begin(1, in: cache)
    for _ in 0..<100 {
      let flush = Task { await CacheQueue.shared.flush(cache) }
      flush.cancel()
      await flush.value
    }
    let flushes = (0..<100).map { _ in Task { await CacheQueue.shared.flush(cache) } }
    await cache.release()
    for flush in flushes { await flush.value }
    #expect(await cache.text(of: keys[0]) == "x")
  }

  @Test("Entries of a disk cache share the wait for the directory, and each has one of its own")
  func directory() async throws {
    let (folder, gate) = (TemporaryFolder(), DispatchSemaphore(value: 0))
    // One that is made is waited for by itself.
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let (steps, begun) = (Locked<[DiskStep]>([]), Watched(false))
    let cache = DiskCache(
      directory: folder.url,
      faults: { step in
        let isFirst = steps.withLock { steps in
          steps.append(step)
          return steps.count { $0 == .create } == 1
        }
        if step == .create, isFirst {
          begun.withLock { $0 = true }
          gate.wait()
        }
        return 0
      })
    let keys = (0..<12).map { ResourceKey.sample("\($0)") }
    store("x", for: keys[0], in: cache)
    await begun.until { $0 }
    for key in keys.dropFirst() { store("x", for: key, in: cache) }
    await until { await cache.queue.waitingCount >= keys.count - 1 }
    gate.signal()
    await CacheQueue.shared.flush(cache)
    let counts = steps.withLock { steps in
      [DiskStep.synchronize, .synchronizeDirectory].map { step in steps.count { $0 == step } }
    }
    #expect(counts == [12, 2])
    #expect(folder.names.count == 12)
    let last = try #require(steps.withLock { $0.last })
    #expect(last == .synchronizeDirectory)
  }
}

/// A persistent cache whose changes a test ends one by one.
private actor StepwiseCache: EmptyCache {
  nonisolated let maximumConcurrentChangeCount = 8
  private(set) var waiting: [ResourceKey: CheckedContinuation<Void, Never>] = [:]

  func end(_ key: ResourceKey) { waiting.removeValue(forKey: key)?.resume() }

  private func wait(_ key: ResourceKey) async {
    await withCheckedContinuation { waiting[key] = $0 }
  }

  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws { await wait(key) }
  @concurrent
  func remove(_ key: ResourceKey) async throws { await wait(key) }
}
