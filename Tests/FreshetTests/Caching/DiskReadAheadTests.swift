import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Files that are read ahead", .standardTimeLimit)
struct DiskReadAheadTests {
  private let folder = TemporaryFolder()
  private let keys = (0..<24).map { ResourceKey.sample("items?page=\($0)") }
  private let openedCount = Locked(0)

  private func cache() -> DiskCache {
    DiskCache(directory: folder.url) { [openedCount] step in
      if step == .open { openedCount.withLock { $0 += 1 } }
      return 0
    }
  }

  private func fill(_ text: (Int) -> String = { "\($0)" }) async throws {
    let cache = DiskCache(directory: folder.url)
    for (number, key) in keys.enumerated() {
      try await cache.store(.sample(text(number)), for: key)
    }
  }

  @Test("In the order of their use, each file is opened once, most before they are asked for")
  func inOrder() async throws {
    try await fill()
    for round in 0..<2 {
      openedCount.withLock { $0 = 0 }
      let cache = cache()
      for (number, key) in keys.enumerated() {
        #expect(try await cache.entry(for: key)?.text == "\(number)", "\(round)")
        await cache.checkInvariants()
        if number == 2 { #expect(openedCount.withLock { $0 } > 3) }
      }
      #expect(openedCount.withLock { $0 } == keys.count)
      await cache.reader.idle()
    }
  }

  @Test("In another order, only what is asked for is opened")
  func inOtherOrders() async throws {
    try await fill()
    let cache = cache()
    for key in keys.reversed() {
      #expect(try await cache.entry(for: key) != nil)
      await cache.checkInvariants()
    }
    #expect(try await cache.entry(for: .sample("none")) == nil)
    #expect(openedCount.withLock { $0 } == keys.count + 1)
  }

  @Test("What was removed, replaced or added to meanwhile is read as it is now")
  func changedMeanwhile() async throws {
    try await fill()
    // As another process does it.
    let (cache, other) = (cache(), DiskCache(directory: folder.url))
    for key in keys[..<3] { _ = try await cache.entry(for: key) }
    var confirmed = CachedEntry.sample("5")
    confirmed.timestamp += 9
    try await other.remove(keys[3])
    try await other.store(.sample("new"), for: keys[4])
    try await other.store(confirmed, for: keys[5])
    #expect(try await cache.entry(for: keys[3]) == nil)
    #expect(try await cache.entry(for: keys[4])?.text == "new")
    #expect(try await cache.entry(for: keys[5]) == confirmed)
    for key in keys[6..<9] { _ = try await cache.entry(for: key) }
    try await cache.remove(keys[9])
    try await cache.store(.sample("own"), for: keys[10])
    #expect(try await cache.entry(for: keys[9]) == nil)
    #expect(try await cache.entry(for: keys[10])?.text == "own")
    for key in keys[11..<14] { _ = try await cache.entry(for: key) }
    try await other.removeAll()
    for key in keys { #expect(try await cache.entry(for: key) == nil) }
    await cache.checkInvariants()
  }

  @Test("So is what has other names, as those of a backup that links to the files")
  func linked() async throws {
    try await fill()
    for key in keys {
      try FileManager.default.linkItem(
        at: folder.file(key.fileName), to: folder.file("backup of \(key.fileName)"))
    }
    let (cache, other) = (cache(), DiskCache(directory: folder.url))
    for key in keys[..<3] { _ = try await cache.entry(for: key) }
    await cache.reader.idle()
    try await cache.remove(keys[3])
    // Files of the same length.
    try await cache.store(.sample("x"), for: keys[4])
    try await other.remove(keys[5])
    try await other.store(.sample("y"), for: keys[6])
    #expect(try await cache.entry(for: keys[3]) == nil)
    #expect(try await cache.entry(for: keys[4])?.text == "x")
    #expect(try await cache.entry(for: keys[5]) == nil)
    #expect(try await cache.entry(for: keys[6])?.text == "y")
    #expect(try await cache.entry(for: keys[7])?.text == "7")
  }

  @Test("Nothing is returned of a directory that was moved away")
  func moved() async throws {
    try await fill()
    let cache = cache()
    for key in keys[..<3] { _ = try await cache.entry(for: key) }
    await cache.reader.idle()
    let away = TemporaryFolder()
    try FileManager.default.moveItem(at: folder.url, to: away.url)
    for key in keys[3...] { #expect(try await cache.entry(for: key) == nil) }
    try await cache.store(.sample("new"), for: keys[4])
    #expect(try await cache.entry(for: keys[4])?.text == "new")
    #expect(folder.names == [keys[4].fileName] && away.names.count == keys.count)
  }

  @Test("A damaged file is reported when it is asked for")
  func damaged() async throws {
    try await fill()
    try Data("x".utf8).write(to: folder.file(keys[4].fileName))
    try FileManager.default.moveItem(
      at: folder.file(keys[5].fileName), to: folder.file("moved"))
    try FileManager.default.copyItem(
      at: folder.file(keys[6].fileName), to: folder.file(keys[5].fileName))
    let cache = cache()
    for key in keys[..<4] { _ = try await cache.entry(for: key) }
    for key in keys[4...5] {
      await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
      #expect(!folder.names.contains(key.fileName))
    }
    #expect(try await cache.entry(for: keys[6])?.text == "6")
  }

  @Test("Large files are not kept in memory before they are asked for")
  func large() async throws {
    let text = String(repeating: "x", count: DiskReadAhead.batchByteCount)
    try await fill { $0 == 5 ? text : "\($0)" }
    let cache = cache()
    for (number, key) in keys.enumerated() {
      let opened = openedCount.withLock { $0 }
      #expect(try await cache.entry(for: key) != nil)
      await cache.checkInvariants()
      if number < 5 { #expect(opened <= 5) }
    }
    #expect(openedCount.withLock { $0 } == keys.count)
  }

  #if os(Linux)
    @Test("They take none of the last descriptors of the process")
    func lastDescriptors() async throws {
      try await fill()
      await #expect(processExitsWith: .success) { [path = folder.path as String] in
        try ProcessResources.limitDescriptors(to: 12)
        let cache = DiskCache(directory: URL(filePath: path))
        for number in 0..<24 {
          let key = ResourceKey.sample("items?page=\(number)")
          #expect(try await cache.entry(for: key)?.text == "\(number)")
          let others = (0..<4).map { _ in dup(STDERR_FILENO) }
          #expect(others.allSatisfy { $0 >= 0 })
          for descriptor in others { close(descriptor) }
        }
      }
    }
  #endif
}
