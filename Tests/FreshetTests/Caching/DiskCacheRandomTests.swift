import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A persistent cache in files, at random", .standardTimeLimit)
struct DiskCacheRandomTests {
  @Test("It is a dictionary that forgets what was not used for the longest time", arguments: 0..<12)
  func model(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let limit = random.pick([2_000, 6_000, 100_000])
    func open() -> DiskCache { DiskCache(directory: folder.url, maximumByteCount: limit) }
    var cache = open()
    // Least recently used first.
    var model: [(key: ResourceKey, entry: CachedEntry, byteCount: Int)] = []
    let keys = (0..<10).map { ResourceKey.sample("\($0 % 2 == 0 ? "even" : "odd")/\($0)") }
    for step in 0..<150 {
      let key = random.pick(keys)
      let place = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        await cache.reader.idle()
        cache = open()
      case 1 where random.chance(0.3):
        try await cache.removeAll()
        model = []
      case 1:
        try await cache.removeAll { $0.contains("odd") }
        model.removeAll { $0.key.url.contains("odd") }
      case 2..<5:
        try await cache.remove(key)
        if let place { model.remove(at: place) }
      case 5..<7:
        // Lost by an accident.
        try? FileManager.default.removeItem(at: folder.file(key.fileName))
        if let place { model.remove(at: place) }
      case 7..<13:
        let body = Data("\(step)".utf8) + Data(count: Int.random(in: 0..<900, using: &random))
        let entry = CachedEntry.sample(body)
        try await cache.store(entry, for: key)
        if let place { model.remove(at: place) }
        model.append((key, entry, try DiskCacheEntry(key, entry).file.count))
        // A lost file counts until its loss is noticed, so that too many may go.
        while model.reduce(0, { $0 + $1.byteCount }) > limit { model.removeFirst() }
      default:
        let entry = try await cache.entry(for: key)
        #expect(entry == place.map { model[$0].entry }, "seed \(seed), step \(step)")
        if let place { model.append(model.remove(at: place)) }
      }
      let names = model.map(\.key.fileName).sorted()
      #expect(folder.names == names, "seed \(seed), step \(step)")
      if folder.names != names { return }
    }
  }

  @Test("Two caches on one folder never return anything but what was stored", arguments: 0..<6)
  func shared(seed: UInt64) async throws {
    let folder = TemporaryFolder()
    let limit = seed % 2 == 0 ? 5_000 : 1 << 20
    // Each as in a process of its own.
    let caches = (0..<2).map { _ in
      DiskCache(directory: folder.url, maximumByteCount: limit)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          var random = SeededGenerator(seed: seed * 100 + UInt64(worker))
          for _ in 0..<80 { try await caches[worker % 2].useAtRandom(&random) }
        }
      }
      try await group.waitForAll()
    }
    #expect(folder.names.allSatisfy(DiskFolder.isName), "\(folder.names)")
    // What each has written without the other's knowledge.
    let files = try DiskFolder(path: folder.path).list()
    #expect(files.reduce(0) { $0 + $1.byteCount } <= 2 * limit)
    let last = DiskCache(directory: folder.url, maximumByteCount: 1 << 20)
    for number in 0..<8 { _ = try await last.entry(for: .sample("\(number)")) }
  }

  @Test("Files of other processes count once the directory is listed again")
  func relisted() async throws {
    let folder = TemporaryFolder()
    let body = Data(count: 100)
    let size = try DiskCacheEntry(.sample("x0000"), .sample(body)).file.count
    let cache = DiskCache(directory: folder.url, maximumByteCount: 50 * size)
    try await cache.store(.sample(body), for: .sample("own"))
    let other = DiskCache(directory: folder.url, maximumByteCount: 1 << 30)
    for number in 0..<60 {
      try await other.store(.sample(body), for: .sample("x\(1_000 + number)"))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1_200 {
        group.addTask {
          try await cache.store(.sample(body), for: .sample("y\(1_000 + number % 10)"))
        }
      }
      try await group.waitForAll()
    }
    // Stores that were replaced before they began are not written, so it may take more of them.
    for number in 0..<1_000 where folder.names.count > 50 {
      try await cache.store(.sample(body), for: .sample("y\(1_000 + number % 10)"))
    }
    #expect(folder.names.count <= 50)
  }
}
