import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The others are processes that run a part of a test.
@Suite("Processes that share the directory of a persistent cache", .standardTimeLimit)
struct DiskCacheProcessTests {
  private let folder = TemporaryFolder()
  private let key = ResourceKey.sample("a")

  @Test(
    "Whatever both write, remove and evict, each reads what was stored, whole",
    arguments: [5_000, 1 << 20])
  func random(limit: Int) async throws {
    let hasEnded = Locked(false)
    let cache = DiskCache(directory: folder.url, maximumByteCount: limit)
    // For as long as the other one works.
    let own = Task {
      var random = SeededGenerator(seed: 1)
      while !hasEnded.withLock({ $0 }) { try await cache.useAtRandom(&random) }
    }
    await #expect(processExitsWith: .success) { [limit, path = folder.path as String] in
      let cache = DiskCache(directory: URL(filePath: path), maximumByteCount: limit)
      var random = SeededGenerator(seed: 2)
      for _ in 0..<400 { try await cache.useAtRandom(&random) }
    }
    hasEnded.withLock { $0 = true }
    try await own.value
    #expect(folder.names.allSatisfy(DiskFolder.isName), "\(folder.names)")
    // What each has written without the other's knowledge.
    let files = try DiskFolder(path: folder.path).list()
    #expect(files.reduce(0) { $0 + $1.byteCount } <= 2 * limit)
  }

  @Test("What one stores and removes, the other reads so, also where it has read ahead")
  func changes() async throws {
    let keys = (0..<10).map { ResourceKey.sample("\($0)") }
    let writer = DiskCache(directory: folder.url)
    for key in keys { try await writer.store(.sample("old"), for: key) }
    let reader = DiskCache(directory: folder.url)
    for key in keys[..<2] { #expect(try await reader.entry(for: key)?.text == "old") }
    await reader.reader.idle()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let cache = DiskCache(directory: URL(filePath: path))
      try await cache.removeAll { !$0.hasSuffix("9") }
      try await cache.store(.sample("new"), for: .sample("8"))
      try await cache.store(.sample("newer"), for: .sample("a"))
    }
    for cache in [reader, writer] {
      // In the order in which they were read ahead.
      for key in keys[2..<8] { #expect(try await cache.entry(for: key) == nil) }
      #expect(try await cache.entry(for: keys[8])?.text == "new")
      #expect(try await cache.entry(for: keys[9])?.text == "old")
      for key in keys[..<2] { #expect(try await cache.entry(for: key) == nil) }
      #expect(try await cache.entry(for: key)?.text == "newer")
    }
    try await writer.store(.sample("newest"), for: key)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let entry = try await DiskCache(directory: URL(filePath: path)).entry(for: .sample("a"))
      exit(entry?.text == "newest" ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("After a wipe by one, the other has nothing to show before its next response")
  @MainActor func wipe() async {
    let fixture = ServiceFixture { [folder] in $0.cache = DiskCache(directory: folder.url) }
    for path in ["a", "b"] {
      fixture.stub.on(.get, "/\(path)", .text("old"), .text("new"))
      await fixture.text(path).load().completed()
    }
    await fixture.service.flushCache()
    #expect(folder.names.count == 2)
    await #expect(processExitsWith: .success) { @MainActor [path = folder.path as String] in
      let fixture = ServiceFixture { $0.cache = DiskCache(directory: URL(filePath: path)) }
      fixture.service.wipe()
      await fixture.service.flushCache()
    }
    #expect(folder.names == [])
    #expect(fixture.text("a").content == "old", "what the process has in memory is its own")
    fixture.service.evictUnused()
    let recorder = fixture.record(fixture.text("b"))
    await fixture.text("b").loadIfNeeded()?.completed()
    #expect(recorder.events == [.requested, .newData(.network)])
    #expect(fixture.text("b").content == "new")
    await fixture.service.flushCache()
    #expect(folder.names == [fixture.text("b").key.fileName])
  }

  @Test(
    "One that is killed before any step of a write leaves the older entry or the new one, whole",
    arguments: [DiskStep.create, .write, .synchronize, .rename, .synchronizeDirectory])
  func killed(step: DiskStep) async throws {
    try await DiskCache(directory: folder.url).store(.sample("old"), for: key)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, fatal = step.rawValue as String] in
      let cache = DiskCache(directory: URL(filePath: path)) { step in
        if step.rawValue == fatal { kill(getpid(), SIGKILL) }
        return 0
      }
      try await cache.store(.sample("newer"), for: .sample("a"))
    }
    #expect(folder.names.count == ([.write, .synchronize, .rename].contains(step) ? 2 : 1))
    let isRenamed = step == .synchronizeDirectory
    let cache = DiskCache(directory: folder.url)
    #expect(try await cache.entry(for: key)?.text == (isRenamed ? "newer" : "old"))
    #expect(folder.names == [key.fileName])
  }
}
