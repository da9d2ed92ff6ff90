import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A response with the body that its file has already", .standardTimeLimit)
struct DiskCacheUpdateTests {
  private let folder = TemporaryFolder()
  private let key = ResourceKey.sample("a")
  private let old = CachedEntry.sample("text", headers: ["Date": "1"])
  private var new: CachedEntry {
    var entry = old
    entry.response.headers = ["Date": "2", "ETag": "\"2\""]
    (entry.timestamp, entry.variant) = (old.timestamp + 60, 2)
    return entry
  }

  private func status() throws -> stat {
    var status = stat()
    try #require(stat(folder.file(key.fileName).path(percentEncoded: false), &status) == 0)
    return status
  }

  @Test("Header fields and date are added to the file, without waiting for the disk")
  func update() async throws {
    let steps = Locked<[DiskStep]>([])
    let cache = DiskCache(directory: folder.url) { step in
      steps.withLock { $0.append(step) }
      return 0
    }
    try await cache.store(old, for: key)
    let file = try status()
    steps.withLock { $0 = [] }
    try await cache.store(new, for: key)
    #expect(try await cache.entry(for: key) == new)
    #expect(try await DiskCache(directory: folder.url).entry(for: key) == new)
    #expect(try status().st_ino == file.st_ino)
    let waits: Set<DiskStep> = [.synchronize, .synchronizeDirectory, .create, .rename]
    #expect(waits.isDisjoint(with: steps.withLock { $0 }))
    // Another body is another file.
    try await cache.store(.sample("test"), for: key)
    #expect(try await DiskCache(directory: folder.url).entry(for: key)?.text == "test")
    #expect(try status().st_ino != file.st_ino)
  }

  @Test("A 304 is such a response")
  @MainActor
  func notModified() async throws {
    let cache = DiskCache(directory: folder.url)
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.stub.on(
      .get, "/a", .text("new", headers: ["ETag": "\"1\"", "X": "1"]),
      .status(304, headers: ["ETag": "\"1\"", "X": "2"]))
    let resource = fixture.text("a")
    var numbers: Set<ino_t> = []
    for _ in 0..<2 {
      _ = try await resource.load().value()
      await fixture.service.flushCache()
      numbers.insert(try status().st_ino)
      fixture.clock.advance(by: .seconds(5))
    }
    #expect(numbers.count == 1)
    let entry = try await DiskCache(directory: folder.url).entry(for: resource.key)
    #expect(entry?.text == "new" && entry?.response.headers["X"] == "2")
    #expect(entry?.timestamp == resource.timestamp)
  }

  @Test("A file that was cut short in an update keeps its entry, and is replaced by the next one")
  func cutShort() async throws {
    try await DiskCache(directory: folder.url).store(old, for: key)
    let size = try status().st_size
    try await DiskCache(directory: folder.url).store(new, for: key)
    #expect(
      truncate(folder.file(key.fileName).path(percentEncoded: false), size + 9) == 0)
    let cache = DiskCache(directory: folder.url)
    #expect(try await cache.entry(for: key) == old)
    try await cache.store(new, for: key)
    #expect(try await DiskCache(directory: folder.url).entry(for: key) == new)
    #expect(try status().st_size < size + 100)
  }

  @Test("Updates do not grow the file without limit, and count as bytes of the cache")
  func growth() async throws {
    let cache = DiskCache(directory: folder.url, maximumByteCount: 10_000)
    let size = try DiskCacheEntry(key, old).file.count
    var entry = old
    var most = 0
    for number in 0..<200 {
      entry.timestamp += 1
      try await cache.store(entry, for: key)
      most = max(most, Int(try status().st_size))
      #expect(try await DiskCache(directory: folder.url).entry(for: key) == entry, "\(number)")
    }
    #expect(most > size && most <= 2 * size + 4_096)
    let small = DiskCache(directory: folder.url, maximumByteCount: 2 * size + 20)
    try await small.removeAll()
    try await small.store(old, for: .sample("b"))
    try await small.store(old, for: key)
    #expect(folder.names.count == 2)
    try await small.store(new, for: key)
    #expect(folder.names == [key.fileName])
  }

  @Test(
    "A file that an update would make larger than the cache is replaced, and its entry stays",
    arguments: [(4, 60), (5_000, 2_500)])
  func fullCache(bodyByteCount: Int, room: Int) async throws {
    var entry = CachedEntry.sample(Data(count: bodyByteCount))
    let limit = try DiskCacheEntry(key, entry).file.count + room
    let cache = DiskCache(directory: folder.url, maximumByteCount: limit)
    for number in 0..<100 {
      entry.timestamp += 1
      try await cache.store(entry, for: key)
      #expect(try await cache.entry(for: key) == entry, "\(number)")
      #expect(Int(try status().st_size) <= limit)
    }
  }

  @Test("A file that others may read is replaced by one for its user only")
  func permissions() async throws {
    let cache = DiskCache(directory: folder.url)
    try await cache.store(old, for: key)
    #expect(chmod(folder.file(key.fileName).path(percentEncoded: false), 0o644) == 0)
    try await cache.store(new, for: key)
    #expect(try status().st_mode & 0o777 == 0o600)
    #expect(try await cache.entry(for: key) == new)
  }

  @Test("Where it cannot be written, the older entry stays, and that is reported")
  func fullDisk() async throws {
    try await DiskCache(directory: folder.url).store(old, for: key)
    let cache = DiskCache(directory: folder.url) { $0 == .write ? ENOSPC : 0 }
    let error = await #expect(throws: DiskCacheError.self) { try await cache.store(new, for: key) }
    #expect(error?.reason == .system(operation: "writing", code: ENOSPC))
    #expect(try await cache.entry(for: key) == old)
    #expect(folder.names == [key.fileName])
  }
}
