import Foundation
import Testing

@testable import Freshet

@Suite("A persistent cache in files", .standardTimeLimit)
struct DiskCacheTests {
  private let folder = TemporaryFolder()
  private let key = ResourceKey.sample("a")

  private func cache(_ limit: Int = 1 << 20) -> DiskCache {
    DiskCache(directory: folder.url, maximumByteCount: limit)
  }

  @Test("An entry outlives its cache, whole")
  func outlives() async throws {
    let entry = CachedEntry.sample("kept", headers: ["Link": "</b>; rel=next"])
    try await cache().store(entry, for: key)
    #expect(try await cache().entry(for: key) == entry)
    #expect(try await cache().entry(for: .sample("b")) == nil)
    try await cache().remove(key)
    #expect(try await cache().entry(for: key) == nil)
    #expect(folder.names == [])
  }

  @Test("Nothing is made before the first call")
  func lazy() {
    _ = cache()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("One file of a fixed length of name for each entry, for its user only")
  func files() async throws {
    let cache = cache()
    let long = ResourceKey.sample(String(repeating: "long/", count: 2_000))
    let hostile = ["../../x", "/a/b", "..", "\0", "%2e%2e%2fx"].map(ResourceKey.sample)
    let keys = [key, long] + hostile
    for key in keys + [key] { try await cache.store(.sample("x"), for: key) }
    // Nothing else is in the directory, or beside it.
    let parent = folder.url.deletingLastPathComponent().path(percentEncoded: false)
    #expect(folder.names == keys.map(\.fileName).sorted())
    #expect(!FileManager.default.fileExists(atPath: parent + "x"))
    #expect(folder.names.allSatisfy { $0.utf8.count == 72 })
    #expect(try permissions(folder.url) == 0o700)
    #expect(try permissions(folder.file(key.fileName)) == 0o600)
    #expect(try await cache.entry(for: long)?.text == "x")
  }

  @Test(
    "Files and directory are for their user only from the beginning, whatever the process masks",
    arguments: [0, 0o22, 0o77])
  func umasks(mask: Int) async {
    await #expect(processExitsWith: .success) { [mask] in
      umask(mode_t(mask))
      let folder = TemporaryFolder()
      // Also between any two steps.
      let cache = DiskCache(directory: folder.url) { [folder] _ in
        var status = stat()
        for path in [folder.path] + folder.names.map({ folder.file($0).path }) {
          if stat(path, &status) == 0 { #expect(status.st_mode & 0o077 == 0, "\(path)") }
        }
        return 0
      }
      try await cache.store(.sample("x"), for: .sample("a"))
      var status = stat()
      try #require(stat(folder.path, &status) == 0)
      #expect(status.st_mode & 0o7777 & ~0o700 == 0)
      for name in folder.names {
        try #require(stat(folder.file(name).path, &status) == 0)
        #expect(status.st_mode & 0o7777 & ~0o600 == 0)
      }
      #expect(folder.names.count == 1)
    }
  }

  @Test("Several caches of one folder keep to the limit together")
  func severalCaches() async throws {
    let limit = 100_000
    let caches = [cache(limit), cache(limit), cache(limit)]
    let text = String(repeating: "x", count: 3_000)
    for number in 0..<150 {
      try await caches[number % 3].store(.sample(text), for: .sample("\(number)"))
    }
    let sizes = try folder.names.map {
      try FileManager.default.attributesOfItem(atPath: folder.file($0).path())[.size] as? Int ?? 0
    }
    #expect(sizes.reduce(0, +) <= limit * 3 / 2)
  }

  @Test("A folder that is open to others is closed, unless it has other files too")
  func openFolder() async throws {
    let manager = FileManager.default
    for hasOthers in [false, true] {
      let folder = TemporaryFolder()
      try manager.createDirectory(
        at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      if hasOthers { try Data("x".utf8).write(to: folder.file("notes.txt")) }
      let cache = DiskCache(directory: folder.url)
      try await cache.store(.sample("x"), for: key)
      #expect(try permissions(folder.url) == (hasOthers ? 0o755 : 0o700))
      #expect(try permissions(folder.file(key.fileName)) == 0o600)
      try await cache.removeAll()
      #expect(folder.names == (hasOthers ? ["notes.txt"] : []))
    }
  }

  @Test(
    "A folder for the files of all users, by the sticky bit, stays open to them, also through a link",
    arguments: [false, true])
  func stickyFolder(isLink: Bool) async throws {
    let manager = FileManager.default
    let parent = TemporaryFolder()
    let target = parent.file("tmp")
    try manager.createDirectory(at: target, withIntermediateDirectories: true)
    #expect(chmod(target.path(percentEncoded: false), 0o1777) == 0)
    let link = parent.file("link")
    try manager.createSymbolicLink(at: link, withDestinationURL: target)
    let cache = DiskCache(directory: isLink ? link : target)
    try await cache.store(.sample("x"), for: key)
    #expect(try await cache.entry(for: key)?.text == "x")
    var status = stat()
    #expect(stat(target.path(percentEncoded: false), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o1777)
    #expect(try permissions(target.appending(path: key.fileName)) == 0o600)
  }

  @Test("Cookies are not stored")
  func cookies() async throws {
    let headers: HTTPHeaders = ["Set-Cookie": "canary", "set-cookie2": "canary", "Vary": "x"]
    try await cache().store(.sample("x", headers: headers), for: key)
    let entry = try await cache().entry(for: key)
    #expect(entry?.response.headers.fields.map(\.name) == ["Vary", "ETag"])
    let bytes = try Data(contentsOf: folder.file(key.fileName))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
  }

  @Test(
    "A response that may not be stored removes the older one",
    arguments: ["no-store", "max-age=5, No-Store", "private, no-store=\"x\""])
  func noStore(control: String) async throws {
    let cache = cache()
    try await cache.store(.sample("one"), for: key)
    try await cache.store(.sample("secret", headers: ["Cache-Control": control]), for: key)
    #expect(try await cache.entry(for: key) == nil)
    #expect(folder.names == [])
  }

  @Test("A file with a date in the future, and one that is too large, go before all others")
  func doubtfulFiles() async throws {
    let body = Data(repeating: 0, count: 1_000)
    let size = try DiskCacheEntry(key, .sample(body)).file.count
    let keys = "abcd".map { ResourceKey.sample("\($0)") }
    for key in keys[..<3] { try await cache(9 * size).store(.sample(body), for: key) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now + 86_400],
      ofItemAtPath: folder.file(keys[2].fileName).path(percentEncoded: false))
    try await cache(3 * size).store(.sample(body), for: keys[3])
    #expect(Set(folder.names) == Set([keys[0], keys[1], keys[3]].map(\.fileName)))
    let file = try FileHandle(forWritingTo: folder.file(keys[3].fileName))
    try file.truncate(atOffset: 1 << 34)
    try file.close()
    try await cache(3 * size).store(.sample(body), for: keys[2])
    #expect(Set(folder.names) == Set(keys[..<3].map(\.fileName)))
  }

  @Test("The files that were not used for the longest time are removed first, also after a restart")
  func leastRecentlyUsed() async throws {
    let body = Data(repeating: 0, count: 1_000)
    let size = try DiskCacheEntry(key, .sample(body)).file.count
    let keys = "abcd".map { ResourceKey.sample("\($0)") }
    var cache = cache(3 * size)
    for key in keys[..<3] { try await cache.store(.sample(body), for: key) }
    _ = try await cache.entry(for: keys[0])
    cache = self.cache(3 * size)
    _ = try await cache.entry(for: keys[1])
    cache = self.cache(3 * size)
    try await cache.store(.sample(body), for: keys[3])
    #expect(folder.names == [keys[0], keys[1], keys[3]].map(\.fileName).sorted())
    // A smaller limit holds from the next write.
    cache = self.cache(size)
    try await cache.store(.sample(body), for: keys[2])
    #expect(folder.names == [keys[2].fileName])
  }

  @Test("An entry that is larger than the cache is reported, and removes the older one")
  func tooLarge() async throws {
    let cache = cache(1_000)
    try await cache.store(.sample("small"), for: key)
    let error = await #expect(throws: DiskCacheError.self) {
      try await cache.store(.sample(Data(count: 2_000)), for: key)
    }
    guard case .tooLarge(_, 1_000)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(folder.names == [])
  }

  @Test("A response that could not be read again is reported")
  func notStorable() async throws {
    let cache = cache()
    let error = await #expect(throws: DiskCacheError.self) {
      try await cache.store(.sample(Data(), date: .nan), for: key)
    }
    #expect(error?.reason == .notStorable)
    #expect(folder.names == [])
  }

  @Test("All entries are removed, also those of other caches")
  func removeAll() async throws {
    for path in ["a", "b", "c/d"] { try await cache().store(.sample(path), for: .sample(path)) }
    let cache = cache()
    try await cache.removeAll()
    #expect(folder.names == [])
    #expect(try await cache.entry(for: key) == nil)
    try await cache.store(.sample("new"), for: key)
    #expect(try await cache.entry(for: key)?.text == "new")
  }

  @Test("The entries of matching URLs are removed, with any method and however long the URL")
  func removeMatching() async throws {
    let long = String(repeating: "long", count: 5_000)
    for path in ["a", "users/1", "users/\(long)"] {
      try await cache().store(.sample(path), for: .sample(path))
    }
    let post = ResourceKey(
      method: .post, url: "https://api.test/users/2", body: Data("{}".utf8))
    try await cache().store(.sample("post"), for: post)
    let cache = cache()
    try await cache.removeAll { $0.hasPrefix("https://api.test/users/") }
    #expect(folder.names == [key.fileName])
    #expect(try await cache.entry(for: post) == nil)
    #expect(try await cache.entry(for: key)?.text == "a")
  }

  @Test("A folder that is removed is made again")
  func removedFolder() async throws {
    let cache = cache()
    try await cache.store(.sample("one"), for: key)
    try FileManager.default.removeItem(at: folder.url)
    #expect(try await cache.entry(for: key) == nil)
    try await cache.remove(key)
    try await cache.store(.sample("two"), for: key)
    #expect(try await cache.entry(for: key)?.text == "two")
    #expect(try permissions(folder.url) == 0o700)
    try FileManager.default.removeItem(at: folder.url)
    try await cache.removeAll()
    #expect(folder.names == [])
  }

  @Test("Temporary files of a process that has ended are removed, and those in use are not")
  func temporaryFiles() async throws {
    try await cache().store(.sample("x"), for: key)
    let abandoned = folder.file("0123" + DiskFolder.temporarySuffix)
    let used = folder.file("4567" + DiskFolder.temporarySuffix)
    for url in [abandoned, used] { try Data("part".utf8).write(to: url) }
    let writer = try DiskFile(
      used.path(percentEncoded: false), O_WRONLY, as: .open, faults: { _ in 0 })
    #expect(writer.lock())
    _ = try await cache().entry(for: key)
    #expect(Set(folder.names) == [key.fileName, used.lastPathComponent])
    withExtendedLifetime(writer) {}
  }

  @Test("A folder that cannot be one is reported by every call, and names what to do")
  func noFolder() async throws {
    try Data().write(to: URL(filePath: String(folder.path.dropLast())))
    let cache = cache()
    for _ in 0..<2 {
      let error = await #expect(throws: DiskCacheError.self) {
        try await cache.store(.sample("x"), for: key)
      }
      #expect(
        error?.description.contains("choose a directory") == true, "\(String(describing: error))")
      await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
    }
  }

  @Test("A URL that is not that of a file stops the program, and the message says so")
  func noFileURL() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      if let url = URL(string: "https://user:secret@api.test/cache?token=secret") {
        _ = DiskCache(directory: url)
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains(
        "Freshet: DiskCache(directory:): https://***@api.test/cache is not the URL of a file"))
    #expect(!message.contains("secret"))
  }

  @Test("The directory of the root has its path", arguments: ["/", "/a", "/a/"])
  func pathOfDirectory(path: String) {
    let cache = DiskCache(directory: URL(filePath: path, directoryHint: .isDirectory))
    #expect(cache.folder.path == (path == "/" ? "/" : "/a"))
    #expect(cache.storageIdentifier == cache.folder.path)
  }

  private func permissions(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: url.path(percentEncoded: false))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(
    "The clock may have any date",
    arguments: [
      -.infinity, -1e300, -1e18, -1e10, -9_223_372_037, -1, 0, 1e9, 9_223_372_036, 9_223_372_037,
      1e10, 1e18, 1e300, .infinity, .nan,
    ])
  func anyDate(seconds: Double) async throws {
    let folder = TemporaryFolder()
    for _ in 0..<2 {
      let cache = DiskCache(
        directory: folder.url, date: { Date(timeIntervalSince1970: seconds) }, faults: { _ in 0 })
      for name in ["a", "b"] {
        try await cache.store(.sample(name), for: .sample(name))
        #expect(try await cache.entry(for: .sample(name))?.text == name)
      }
      #expect(folder.names.count == 2)
    }
  }

  @Test("A number is the nearest that there is, whatever it was")
  func nearest() {
    let values: [Double] = [.nan, -.infinity, -1e18, -1.5, 127.4, 127.5, 1e18]
    #expect(values.map { Int8(clamping: $0) } == [0, -128, -128, -2, 127, 127, 127])
    #expect(Int64(clamping: 9_223_372_036_854_775_808.0) == .max)
  }
}
