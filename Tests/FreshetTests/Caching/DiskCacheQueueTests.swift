import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a cache has still to write", .standardTimeLimit)
struct DiskCacheQueueTests {
  /// Holds the disk at one step, and counts how often it came there.
  private final class Brake: Sendable {
    private let step: DiskStep
    private let count = Locked(0)
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals = AsyncStream<Void>.makeStream()

    init(_ step: DiskStep) {
      self.step = step
    }

    var steps: Int { count.withLock { $0 } }

    var faults: DiskFaults {
      { step in
        guard step == self.step else { return 0 }
        let isFirst = self.count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst {
          self.arrivals.continuation.yield()
          self.gate.wait()
        }
        return 0
      }
    }

    func arrived() async { for await _ in arrivals.stream { return } }

    func release() { gate.signal() }
  }

  private let folder = TemporaryFolder()
  private let a = ResourceKey.sample("a")
  private let b = ResourceKey.sample("b")

  @Test("Of several entries for one resource the last one is written, and each is read at once")
  func coalescing() async throws {
    let brake = Brake(.create)
    let cache = DiskCache(directory: folder.url, faults: brake.faults)
    async let first: Void = cache.store(.sample("first"), for: a)
    await brake.arrived()
    #expect(try await cache.entry(for: a)?.text == "first")
    let stores = (1...50).map { number in
      let key = number % 2 == 0 ? a : b
      return Task { try await cache.store(.sample("\(number)"), for: key) }
    }
    await until { await cache.queue.waitingCount >= 50 }
    let queued = try await (cache.entry(for: a)?.text, cache.entry(for: b)?.text)
    brake.release()
    try await first
    for store in stores { try await store.value }
    #expect(brake.steps == 3, "One write before, and one for each resource")
    #expect(try await cache.entry(for: a)?.text == queued.0)
    #expect(try await cache.entry(for: b)?.text == queued.1)
  }

  @Test("What is removed while it is written or waits is not found any more")
  func removal() async throws {
    let brake = Brake(.rename)
    let cache = DiskCache(directory: folder.url, faults: brake.faults)
    async let first: Void = cache.store(.sample("first"), for: a)
    await brake.arrived()
    let waiting = Task { [b] in try await cache.store(.sample("x"), for: b) }
    await until { await cache.queue.waitingCount >= 1 }
    let removals = [
      Task { [a] in try await cache.remove(a) },
      Task { try await cache.removeAll { $0.hasSuffix("b") } },
    ]
    await until { await cache.queue.waitingCount >= 3 }
    #expect(try await cache.entry(for: a) == nil)
    #expect(try await cache.entry(for: b) == nil)
    let later = Task { [b] in try await cache.store(.sample("later"), for: b) }
    await until { await cache.queue.waitingCount >= 4 }
    #expect(try await cache.entry(for: b)?.text == "later")
    brake.release()
    try await first
    for task in removals + [waiting, later] { try await task.value }
    #expect(folder.names == [b.fileName])
    #expect(try await cache.entry(for: b)?.text == "later")
  }

  @Test("What is evicted while it is read is read whole, and is not found after that (F62)")
  func evictedWhileRead() async throws {
    let body = Data(repeating: 7, count: 1_000)
    let size = try DiskCacheEntry(a, .sample(body)).file.count
    // So many that the directory is not listed again, which would wait for the read.
    let others = (0..<20).map { ResourceKey.sample("\($0)") }
    for key in [a] + others[1...] {
      try await DiskCache(directory: folder.url).store(.sample(body), for: key)
    }
    let brake = Brake(.read)
    let cache = DiskCache(
      directory: folder.url, maximumByteCount: 20 * size + 200, faults: brake.faults)
    async let reading = cache.entry(for: a)
    await brake.arrived()
    try await cache.store(.sample(body), for: others[0])
    #expect(!folder.names.contains(a.fileName) && folder.names.count == 20)
    brake.release()
    #expect(try await reading?.response.body == body)
    #expect(try await cache.entry(for: a) == nil)
  }

  @Test("More than may wait is refused and reported, and what it would have replaced is removed")
  func busy() async throws {
    try await DiskCache(directory: folder.url).store(.sample("old"), for: .sample("c"))
    let brake = Brake(.create)
    let cache = DiskCache(
      directory: folder.url, maximumQueuedByteCount: 3_000, faults: brake.faults)
    #expect(try await cache.entry(for: .sample("c"))?.text == "old")
    async let first: Void = cache.store(.sample(Data(count: 2_000)), for: a)
    await brake.arrived()
    let waiting = Task { [b] in try await cache.store(.sample(Data(count: 2_000)), for: b) }
    await until { await cache.queue.waitingCount >= 1 }
    let error = await #expect(throws: DiskCacheError.self) {
      try await cache.store(.sample(Data(count: 2_000)), for: .sample("c"))
    }
    #expect(error?.reason == .busy)
    #expect(try await cache.entry(for: .sample("c")) == nil)
    brake.release()
    try await first
    try await waiting.value
    #expect(folder.names.count == 2)
  }

  @Test("What replaces a waiting entry has its room, and is not refused")
  func replacement() async throws {
    let brake = Brake(.create)
    let cache = DiskCache(
      directory: folder.url, maximumQueuedByteCount: 3_000, faults: brake.faults)
    async let first: Void = cache.store(.sample("first"), for: a)
    await brake.arrived()
    let older = Task { [b] in try await cache.store(.sample(Data(count: 2_000)), for: b) }
    await until { await cache.queue.waitingCount >= 1 }
    let hasEnded = Locked(false)
    let newer = Task { [b] in
      defer { hasEnded.withLock { $0 = true } }
      try await cache.store(.sample(Data(count: 2_500)), for: b)
    }
    await until {
      if hasEnded.withLock({ $0 }) { return true }
      return await cache.queue.waitingCount >= 2
    }
    brake.release()
    try await first
    try await older.value
    try await newer.value
    #expect(brake.steps == 2, "One write for each resource")
    #expect(try await cache.entry(for: b)?.response.body.count == 2_500)
  }

  @Test("A removal is never refused, however much waits")
  func removalBesideMuch() async throws {
    let brake = Brake(.create)
    let cache = DiskCache(
      directory: folder.url, maximumQueuedByteCount: 1_000, faults: brake.faults)
    async let first: Void = cache.store(.sample("first"), for: a)
    await brake.arrived()
    // More than may wait, but nothing else does.
    let waiting = Task { [b] in try await cache.store(.sample(Data(count: 2_000)), for: b) }
    await until { await cache.queue.waitingCount >= 1 }
    let hasEnded = Locked(false)
    let removal = Task { [a] in
      defer { hasEnded.withLock { $0 = true } }
      try await cache.remove(a)
    }
    await until {
      if hasEnded.withLock({ $0 }) { return true }
      return await cache.queue.waitingCount >= 2
    }
    brake.release()
    try await first
    try await waiting.value
    try await removal.value
    #expect(folder.names == [b.fileName])
  }

  @Test("Reads that the disk does not end hold up no other work of the process")
  func stuckReads() async {
    await #expect(processExitsWith: .success) {
      // The end of a process in which nothing can run any more.
      alarm(30)
      let (folder, stuck) = (TemporaryFolder(), DispatchSemaphore(value: 0))
      // More than the threads that all tasks share.
      let keys = (0..<(ProcessInfo.processInfo.activeProcessorCount + 2)).map {
        ResourceKey.sample("\($0)")
      }
      for key in keys { try await DiskCache(directory: folder.url).store(.sample("x"), for: key) }
      let cache = DiskCache(
        directory: folder.url,
        faults: { step in
          if step == .read { stuck.wait() }
          return 0
        })
      for key in keys { Task { @concurrent in try await cache.entry(for: key) } }
      for _ in 0..<10_000 { await Task { @concurrent in }.value }
    }
  }

  @Test("The store's actor is not held by a disk that is")
  @MainActor
  func actor() async throws {
    let brake = Brake(.create)
    let cache = DiskCache(directory: folder.url, faults: brake.faults)
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("one"), .text("two"))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    await brake.arrived()
    _ = try await resource.load().value()
    #expect(resource.content == "two")
    brake.release()
    await fixture.service.flushCache()
    #expect(try await cache.entry(for: resource.key)?.text == "two")
  }
}

extension DiskCacheQueue {
  /// How many calls wait for what has not begun.
  var waitingCount: Int {
    waiting.sweeps.reduce(0) { $0 + $1.waiters.count }
      + waiting.changes.values.reduce(0) { $0 + $1.waiters.count }
  }
}
