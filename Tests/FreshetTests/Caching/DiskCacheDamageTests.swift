import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Damaged files of a cache", .standardTimeLimit)
struct DiskCacheDamageTests {
  /// What may be in place of an entry.
  enum Damage: String, CaseIterable, Sendable {
    case truncated, empty, flipped, foreignVersion, text, otherEntry, directory, fullDirectory, link
    case deadLink, pipe, socket, gigabytes

    func inflict(on file: URL, in folder: TemporaryFolder, other: [UInt8]) throws {
      let manager = FileManager.default
      let path = file.path(percentEncoded: false)
      var bytes = try Data(contentsOf: file)
      func replace() throws { try manager.removeItem(at: file) }
      switch self {
      case .truncated: try bytes.dropLast(3).write(to: file)
      case .empty: try Data().write(to: file)
      case .flipped:
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: file)
      case .foreignVersion:
        bytes[11] = 9
        try bytes.write(to: file)
      case .text:
        try Data("not an entry of a cache, and longer than a preamble".utf8).write(to: file)
      case .otherEntry: try Data(other).write(to: file)
      case .directory:
        try replace()
        try manager.createDirectory(at: file, withIntermediateDirectories: false)
      case .fullDirectory:
        try replace()
        try manager.createDirectory(
          at: file.appending(path: "a/b"), withIntermediateDirectories: true)
      case .link:
        let kept = folder.file("kept")
        try manager.moveItem(at: file, to: kept)
        try manager.createSymbolicLink(at: file, withDestinationURL: kept)
      case .deadLink:
        try replace()
        try manager.createSymbolicLink(at: file, withDestinationURL: folder.file("nothing"))
      case .pipe:
        try replace()
        #expect(mkfifo(path, 0o600) == 0)
      case .socket:
        // A path of a socket may have 108 bytes only, so one is made elsewhere and moved here.
        try replace()
        let short = "/tmp/f\(UInt32.random(in: .min ... .max))"
        try makeSocket(short)
        try manager.moveItem(atPath: short, toPath: path)
      case .gigabytes: #expect(truncate(path, 5 << 30) == 0)
      }
    }

    private func makeSocket(_ path: String) throws {
      #if os(Linux)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
      #endif
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(result == 0)
    }
  }

  @Test(
    "Each is a miss, is removed and reported, and the next response is stored",
    arguments: Damage.allCases)
  func damage(_ damage: Damage) async throws {
    let folder = TemporaryFolder()
    let (key, other) = (ResourceKey.sample("a"), ResourceKey.sample("b"))
    let cache = DiskCache(directory: folder.url, maximumByteCount: 1 << 20)
    try await cache.store(.sample("old"), for: key)
    let file = folder.file(key.fileName)
    try damage.inflict(
      on: file, in: folder, other: DiskCacheEntry(other, .sample("other")).file)
    // As a new process sees it.
    let error = await #expect(throws: DiskCacheError.self) {
      try await DiskCache(directory: folder.url, maximumByteCount: 1 << 20).entry(for: key)
    }
    guard case .damaged? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("it was removed") == true)
    #expect(!folder.names.contains(key.fileName))
    #expect(try await cache.entry(for: key) == nil)
    try await cache.store(.sample("new"), for: key)
    #expect(try await cache.entry(for: key)?.text == "new")
    if damage == .link { #expect(folder.names.contains("kept"), "What a link leads to stays") }
  }

  @Test("A sparse file of any size counts as one of the largest size, of which no sum overflows")
  func sparse() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.file(ResourceKey.sample("a").fileName).path(percentEncoded: false)
    try #require(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(truncate(file, 2 << 40) == 0)
    #expect(try DiskFolder(path: folder.path).list().map(\.byteCount) == [1 << 40])
  }

  @Test("A file that others may write is an entry, as where a file system has no modes")
  func writable() async throws {
    let folder = TemporaryFolder()
    let key = ResourceKey.sample("a")
    try await DiskCache(directory: folder.url).store(.sample("old"), for: key)
    #expect(chmod(folder.file(key.fileName).path(percentEncoded: false), 0o777) == 0)
    #expect(try await DiskCache(directory: folder.url).entry(for: key)?.text == "old")
  }

  @Test(
    "A file of another user is no entry, whatever is in it", .enabled(if: geteuid() == 0))
  func otherOwner() async throws {
    let folder = TemporaryFolder()
    let key = ResourceKey.sample("a")
    try await DiskCache(directory: folder.url).store(.sample("old"), for: key)
    #expect(chown(folder.file(key.fileName).path(percentEncoded: false), 12_345, 12_345) == 0)
    let cache = DiskCache(directory: folder.url)
    let error = await #expect(throws: DiskCacheError.self) { try await cache.entry(for: key) }
    #expect(error?.description.contains("belongs to another user") == true)
    #expect(folder.names == [])
    try await cache.store(.sample("new"), for: key)
    #expect(try await cache.entry(for: key)?.text == "new")
  }

  @Test("A directory of another user is not used, except one of root and by root")
  func otherDirectory() {
    for (owner, user, isUsed) in [
      (1, 1, true), (0, 1, true), (2, 1, false), (1, 0, true), (0, 0, true),
    ] as [(uid_t, uid_t, Bool)] {
      #expect(DiskFolder.mayUse(directoryOf: owner, as: user) == isUsed)
    }
  }

  @Test(
    "Nor is one that another user puts in its place, or a link to it, while the cache is in use",
    .enabled(if: geteuid() == 0), arguments: [false, true])
  func replacedDirectory(isLink: Bool) async {
    await #expect(processExitsWith: .success) { [isLink] in
      let manager = FileManager.default
      let key = ResourceKey.sample("a")
      // The temporary directory of this user may be one that others cannot enter.
      let folder = URL(filePath: "/tmp/freshet-\(UUID())", directoryHint: .isDirectory)
      let used = folder.appending(component: "used")
      let other = folder.appending(component: isLink ? "other" : "used")
      try manager.createDirectory(at: folder, withIntermediateDirectories: false)
      try #require(chmod(folder.path(percentEncoded: false), 0o777) == 0 && seteuid(12_345) == 0)
      let cache = DiskCache(directory: used)
      try await cache.store(.sample("old"), for: key)
      try #require(seteuid(0) == 0)
      try manager.removeItem(at: used)
      try manager.createDirectory(at: other, withIntermediateDirectories: false)
      let path = other.path(percentEncoded: false)
      try #require(chmod(path, 0o777) == 0 && chown(path, 54_321, 54_321) == 0)
      if isLink { try manager.createSymbolicLink(at: used, withDestinationURL: other) }
      try #require(seteuid(12_345) == 0)
      for _ in 0..<2 {
        let error = await #expect(throws: DiskCacheError.self) {
          try await cache.store(.sample("new"), for: key)
        }
        #expect(error?.description.contains("belongs to this user") == true)
      }
      #expect(try manager.contentsOfDirectory(atPath: path) == [])
      try #require(seteuid(0) == 0)
      try manager.removeItem(at: folder)
    }
  }

  @Test("Root uses a directory of another user", .enabled(if: geteuid() == 0))
  func otherDirectoryOfRoot() async throws {
    let folder = TemporaryFolder()
    let key = ResourceKey.sample("a")
    try await DiskCache(directory: folder.url).store(.sample("old"), for: key)
    #expect(chown(folder.path, 12_345, 12_345) == 0)
    let cache = DiskCache(directory: folder.url)
    #expect(try await cache.entry(for: key)?.text == "old")
    try await cache.store(.sample("new"), for: key)
    #expect(try await cache.entry(for: key)?.text == "new")
  }

  @Test(
    "A file that has grown is no entry, whatever all files may have", arguments: [26, 32, 43])
  func grown(exponent: Int) async throws {
    let folder = TemporaryFolder()
    let key = ResourceKey.sample("a")
    func cache() -> DiskCache { DiskCache(directory: folder.url, maximumByteCount: .max) }
    try await cache().store(.sample("old"), for: key)
    let path = folder.file(key.fileName).path(percentEncoded: false)
    guard truncate(path, 1 << exponent) == 0 else { return }
    await #expect(throws: DiskCacheError.self) { try await cache().entry(for: key) }
    #expect(!folder.names.contains(key.fileName))
    #expect(try await cache().entry(for: key) == nil)
  }

  @Test("Each is replaced by a store, and removed by every removal", arguments: Damage.allCases)
  func replaced(_ damage: Damage) async throws {
    let folder = TemporaryFolder()
    let (key, other) = (ResourceKey.sample("a"), ResourceKey.sample("b"))
    let otherFile = try DiskCacheEntry(other, .sample("other")).file
    func inflict() throws {
      try damage.inflict(on: folder.file(key.fileName), in: folder, other: otherFile)
    }
    let cache = DiskCache(directory: folder.url, maximumByteCount: 1 << 20)
    try await cache.store(.sample("old"), for: key)
    try inflict()
    try await cache.store(.sample("new"), for: key)
    #expect(try await cache.entry(for: key)?.text == "new")
    try? FileManager.default.removeItem(at: folder.file("kept"))
    try inflict()
    try await cache.remove(key)
    #expect(!folder.names.contains(key.fileName))
    try? FileManager.default.removeItem(at: folder.file("kept"))
    try await cache.store(.sample("new"), for: key)
    try inflict()
    try await cache.removeAll()
    #expect(!folder.names.contains(key.fileName))
    try? FileManager.default.removeItem(at: folder.file("kept"))
    try await cache.store(.sample("new"), for: key)
    try inflict()
    try await cache.removeAll { _ in false }
    #expect(!folder.names.contains(key.fileName))
  }

  @Test(
    "A request is sent as without a cache, and the log receives an entry",
    arguments: Damage.allCases)
  @MainActor
  func request(_ damage: Damage) async throws {
    let folder = TemporaryFolder()
    let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
    let cache = DiskCache(directory: folder.url, maximumByteCount: 1 << 20)
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.log = { if $0.category == .cacheFailure { continuation.yield($0) } }
    }
    let resource = fixture.text("a")
    try await cache.store(.text("old", age: 5, fixture.clock), for: resource.key)
    try damage.inflict(
      on: folder.file(resource.key.fileName), in: folder,
      other: DiskCacheEntry(.sample("b"), .sample("other")).file)
    fixture.stub.on(.get, "/a", .text("new"))
    let recorder = fixture.record(resource)
    _ = try await #require(resource.loadIfNeeded()).value()
    #expect(recorder.events == [.requested, .newData(.network)])
    await fixture.service.flushCache()
    #expect(try await cache.entry(for: resource.key)?.text == "new")
    for await entry in entries {
      #expect(entry.message.contains("could not be read") && entry.message.contains("removed"))
      break
    }
  }

  @Test("A good file that has replaced a damaged one stays")
  func replacedMeanwhile() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let files = DiskFolder(path: folder.path)
    let key = ResourceKey.sample("a")
    let identity = DiskCacheEntry.Identity(key)
    try Data("damaged, and long enough to have a preamble".utf8).write(
      to: folder.file(key.fileName))
    do {
      _ = try files.entry(of: identity, limit: 1 << 20, date: 0)
      Issue.record("it is damaged")
    } catch {
      guard case .damaged(_, let damaged) = error else {
        Issue.record("\(error)")
        return
      }
      let entry = DiskCacheEntry(key, .sample("new"))
      try files.write(
        head: entry.encodedHead(), body: entry.entry.response.body, as: key.fileName,
        limit: 1 << 20, date: 0)
      try files.discard(key.fileName, damaged)
      #expect(try files.entry(of: identity, limit: 1 << 20, date: 0)?.entry.text == "new")
    }
  }
}
