import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A cache on a disk that fails", .standardTimeLimit)
struct DiskCacheFaultTests {
  /// A step that fails from a certain time on.
  private final class Fault: Sendable {
    private let state: Locked<(step: DiskStep, code: Int32, isOn: Bool)>

    init(_ step: DiskStep, _ code: Int32) {
      state = Locked((step, code, false))
    }

    var isOn: Bool {
      get { state.withLock { $0.isOn } }
      set { state.withLock { $0.isOn = newValue } }
    }

    var faults: DiskFaults {
      { step in self.state.withLock { $0.isOn && $0.step == step ? $0.code : 0 } }
    }
  }

  private let folder = TemporaryFolder()
  private let key = ResourceKey.sample("a")

  @Test(
    "Where writing fails at any step, the older entry stays, no temporary file does, and it is reported",
    arguments: [DiskStep.create, .write, .synchronize, .rename], [ENOSPC, EIO, EDQUOT])
  func writing(step: DiskStep, code: Int32) async throws {
    let fault = Fault(step, code)
    let cache = DiskCache(directory: folder.url, faults: fault.faults)
    try await cache.store(.sample("old"), for: key)
    fault.isOn = true
    let error = await #expect(throws: DiskCacheError.self) {
      try await cache.store(.sample("new"), for: key)
    }
    #expect(error?.reason == .system(operation: step.rawValue, code: code))
    #expect(error?.description.contains("space") == (code != EIO))
    #expect(folder.names == [key.fileName])
    #expect(try await cache.entry(for: key)?.text == "old")
    fault.isOn = false
    try await cache.store(.sample("new"), for: key)
    #expect(try await DiskCache(directory: folder.url).entry(for: key)?.text == "new")
  }

  @Test("A directory that cannot be flushed is reported, unless its file system cannot do that")
  func flushing() async throws {
    for (code, isReported) in [(EIO, true), (EINVAL, false)] {
      let fault = Fault(.synchronizeDirectory, code)
      let cache = DiskCache(directory: folder.url, faults: fault.faults)
      try await cache.store(.sample("old"), for: .sample("b"))
      fault.isOn = true
      if isReported {
        await #expect(throws: DiskCacheError.self) { try await cache.store(.sample("x"), for: key) }
      } else {
        try await cache.store(.sample("x"), for: key)
      }
      #expect(try await cache.entry(for: key)?.text == "x")
    }
  }

  @Test(
    "A new directory is flushed in the one that contains it, or made again by the next call",
    arguments: [DiskStep.open, .synchronizeDirectory])
  func flushingNewDirectory(step: DiskStep) async throws {
    let fault = Fault(step, EIO)
    fault.isOn = true
    let cache = DiskCache(directory: folder.url, faults: fault.faults)
    for _ in 0..<2 {
      let error = await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
      #expect(error?.reason == .system(operation: step.rawValue, code: EIO))
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
    fault.isOn = false
    try await cache.store(.sample("x"), for: key)
    #expect(try await cache.entry(for: key)?.text == "x")
  }

  @Test("Each new directory is flushed in the one that contains it, where that may be opened")
  func flushingNewDirectories() throws {
    for code in [0, EACCES, EPERM] {
      let count = Locked(0)
      let path = folder.url.appending(path: "\(code)/b/c").path(percentEncoded: false)
      let new = DiskFolder(path: path) { step in
        guard step == .synchronizeDirectory else { return 0 }
        _ = count.next()
        return code
      }
      #expect(try new.list().isEmpty)
      #expect(FileManager.default.fileExists(atPath: path))
      // Also the folder of the first one.
      #expect(count.withLock { $0 } == (code == 0 ? 4 : 3))
    }
  }

  @Test("An entry that cannot be opened or read is a miss that stays", arguments: [EIO, EMFILE])
  func reading(code: Int32) async throws {
    for step in [DiskStep.open, .inspect, .read] {
      let fault = Fault(step, code)
      let cache = DiskCache(directory: folder.url, faults: fault.faults)
      try await cache.store(.sample("x"), for: key)
      fault.isOn = true
      let error = await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
      #expect(error?.reason == .system(operation: step.rawValue, code: code))
      fault.isOn = false
      #expect(try await cache.entry(for: key)?.text == "x")
    }
  }

  @Test("What cannot be removed is reported")
  func removing() async throws {
    let fault = Fault(.remove, EROFS)
    let cache = DiskCache(directory: folder.url, faults: fault.faults)
    try await cache.store(.sample("x"), for: key)
    fault.isOn = true
    await #expect(throws: DiskCacheError.self) { try await cache.remove(key) }
    await #expect(throws: DiskCacheError.self) { try await cache.removeAll() }
    await #expect(throws: DiskCacheError.self) { try await cache.removeAll { _ in true } }
    fault.isOn = false
    try await cache.removeAll()
    #expect(folder.names == [])
  }

  @Test(
    "A folder that cannot be listed or made is reported until it can", arguments: [true, false])
  func opening(lists: Bool) async throws {
    let fault = Fault(lists ? .list : .makeDirectory, EACCES)
    fault.isOn = true
    let cache = DiskCache(directory: folder.url, faults: fault.faults)
    await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
    await #expect(throws: DiskCacheError.self) { try await cache.store(.sample("x"), for: key) }
    fault.isOn = false
    try await cache.store(.sample("x"), for: key)
    #expect(try await cache.entry(for: key)?.text == "x")
  }

  @Test("With a full disk the response is shown, and the log receives an entry")
  @MainActor
  func fullDisk() async throws {
    let fault = Fault(.write, ENOSPC)
    fault.isOn = true
    let cache = DiskCache(directory: folder.url, faults: fault.faults)
    let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.log = { if $0.category == .cacheFailure { continuation.yield($0) } }
    }
    fixture.stub.on(.get, "/a", .text("new"))
    let resource = fixture.text("a")
    #expect(try await resource.load().value() == "new")
    #expect(resource.latestError == nil)
    await fixture.service.flushCache()
    #expect(folder.names == [])
    for await entry in entries {
      #expect(
        entry.message.contains("could not be written") && entry.message.contains("free space"))
      break
    }
  }

  @Test(
    "Where the directory cannot be one, the memory serves, and that is logged once, and a removal again"
  )
  @MainActor
  func noDirectory() async throws {
    try Data().write(to: URL(filePath: String(folder.path.dropLast())))
    let entries = Locked<[String]>([])
    let fixture = ServiceFixture {
      $0.cache = DiskCache(directory: folder.url)
      $0.log = { entry in
        if entry.category == .cacheFailure { entries.withLock { $0.append(entry.message) } }
      }
    }
    fixture.stub.on(
      .get, "/a", .text("new", headers: ["ETag": "\"1\""]), .status(304, headers: ["ETag": "\"1\""])
    )
    let resource = fixture.text("a")
    _ = try await resource.loadIfNeeded()?.value()
    await fixture.service.flushCache()
    _ = try await resource.load().value()
    await fixture.service.flushCache()
    #expect(resource.content == "new" && resource.latestError == nil)
    #expect(fixture.stub.requests.last?.headers["If-None-Match"] == "\"1\"")
    resource.wipe()
    await fixture.service.flushCache()
    let messages = entries.withLock { $0 }
    #expect(messages.count == 2, "\(messages)")
    #expect(messages.last?.contains("could not be removed") == true)
    #expect(messages.allSatisfy { $0.contains("choose a directory") })
  }
}
