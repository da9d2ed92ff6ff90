import Foundation
import Freshet
import FreshetTesting

/// Many entries of a `DiskCache`: each must cost the same processor time however many there are.
func diskEntries(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for kind in DiskKind.allCases where run.wants(kind.rawValue) {
    var comparisons: [Comparison] = []
    for count in run.sizes(100, 1_000, 10_000, quick: 1_000) {
      let entries = DiskEntries(count, on: actor)
      comparisons.append(
        Comparison(
          kind.rawValue, n: count, unit: .nsPerRequest, per: count,
          ours: { iterations in
            var elapsed = Duration.zero
            for _ in 0..<iterations { elapsed += await entries.time(of: kind) }
            return elapsed
          }))
    }
    await run.compare(comparisons)
  }
}

private enum DiskKind: String, CaseIterable {
  case store = "disk.store"
  /// Where half of the entries fit.
  case trim = "disk.trim"
  case read = "disk.read"
  /// A removal by a pattern, to which no entry belongs.
  case sweep = "disk.sweep"
  case removeAll = "disk.removeAll"
}

private struct DiskEntries {
  /// In memory where there is a file system for that: waiting for a disk says nothing of growth.
  private static let parent =
    FileManager.default.fileExists(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory

  let keys: [ResourceKey]
  let entry: CachedEntry

  init(_ count: Int, on actor: isolated StoreActor) {
    let service = Service(instant: InstantTransport(), clock: TimerlessClock())
    keys = (0..<count).map { service.resource("/items/\($0)", of: Data.self).key }
    entry = CachedEntry(
      response: HTTPResponse(
        status: 200, headers: ["ETag": "\"1\""], body: Data(repeating: 0x61, count: 1_000),
        url: Self.parent),
      timestamp: Date(timeIntervalSinceReferenceDate: 0))
  }

  /// The processor time; where the system does not report it, the time.
  private static var now: Duration {
    processorTime(withoutThreads: "LoopbackServer") ?? ContinuousClock.now - start
  }

  private static let start = ContinuousClock.now

  func time(of kind: DiskKind) async -> Duration {
    let folder = Self.parent.appending(path: "disk.entries-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = DiskCache(
      directory: folder, maximumByteCount: kind == .trim ? 600 * keys.count : 100_000_000)
    do {
      let start = Self.now
      try await store(in: cache)
      let stored = Self.now
      switch kind {
      case .store, .trim: return stored - start
      case .read:
        for key in keys where try await cache.entry(for: key) == nil {
          preconditionFailure("disk.read: \(key.url) is missing")
        }
      case .sweep: try await cache.removeAll { $0.isEmpty }
      case .removeAll: try await cache.removeAll()
      }
      return Self.now - stored
    } catch {
      preconditionFailure("\(kind.rawValue): \(error)")
    }
  }

  /// As many at once as a service stores.
  private func store(in cache: DiskCache) async throws {
    for start in stride(from: 0, to: keys.count, by: 16) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in keys[start..<min(start + 16, keys.count)] {
          group.addTask { try await cache.store(entry, for: key) }
        }
        try await group.waitForAll()
      }
    }
  }
}
