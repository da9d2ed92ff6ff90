import Foundation
import FreshetTesting

@testable import Freshet

/// A persistent cache whose operations a test can hold; they ignore cancellation.
actor HeldCache: EntityCache {
  enum Operation: Sendable {
    case entry, store, remove, removeAll
  }

  nonisolated let maximumConcurrentChangeCount: Int
  private(set) var entries: [ResourceKey: CachedEntry] = [:]
  /// The writes and removals that were made, in order.
  private(set) var operations: [Operation] = []
  private var stored: [(key: ResourceKey, text: String)] = []
  private var held: Set<Operation> = []
  private var stopped: [CheckedContinuation<Void, Never>] = []
  private let begun = AsyncStream<Operation>.makeStream()
  private let written = AsyncStream<ResourceKey>.makeStream()
  private let emptied = AsyncStream<Void>.makeStream()

  init(maximumConcurrentChangeCount: Int = 1) {
    self.maximumConcurrentChangeCount = maximumConcurrentChangeCount
  }

  /// How many held operations there are.
  var stoppedCount: Int { stopped.count }

  func put(_ entry: CachedEntry?, for key: ResourceKey) { entries[key] = entry }

  func text(of key: ResourceKey) -> String? {
    entries[key].map { String(decoding: $0.response.body, as: UTF8.self) }
  }

  /// The texts that were ever stored for that key.
  func texts(stored key: ResourceKey) -> [String] {
    stored.filter { $0.key == key }.map(\.text)
  }

  /// Holds operations of these kinds from now on.
  func hold(_ operations: Operation...) { held.formUnion(operations) }

  /// Releases all held operations, and lets later ones pass.
  func release() {
    held = []
    for continuation in stopped { continuation.resume() }
    stopped = []
  }

  /// Returns once an operation of that kind has begun, since the last call.
  nonisolated func begun(_ operation: Operation) async {
    for await other in begun.stream where other == operation { return }
  }

  /// Returns once that entry has been written or removed, since the last call.
  nonisolated func written(_ key: ResourceKey) async {
    for await other in written.stream where other == key { return }
  }

  /// Returns once all entries have been removed, since the last call.
  nonisolated func emptied() async {
    for await _ in emptied.stream { return }
  }

  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry? {
    await pass(.entry)
    return await entries[key]
  }

  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    await write(.store, entry, key)
  }

  @concurrent
  func remove(_ key: ResourceKey) async throws {
    await write(.remove, nil, key)
  }

  @concurrent
  func removeAll() async throws {
    await empty { _ in true }
  }

  @concurrent
  func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
    await empty(matches)
  }

  private func empty(_ matches: (String) -> Bool) async {
    await pass(.removeAll)
    entries = entries.filter { !matches($0.key.url) }
    operations.append(.removeAll)
    emptied.continuation.yield()
  }

  private func write(_ operation: Operation, _ entry: CachedEntry?, _ key: ResourceKey) async {
    await pass(operation)
    entries[key] = entry
    operations.append(operation)
    if let entry { stored.append((key, String(decoding: entry.response.body, as: UTF8.self))) }
    written.continuation.yield(key)
  }

  private func pass(_ operation: Operation) async {
    begun.continuation.yield(operation)
    if held.contains(operation) { await withCheckedContinuation { stopped.append($0) } }
  }
}

extension CachedEntry {
  /// An entry with this text, which is that many seconds old: of the path `a` of a fixture.
  static func text(_ text: String, age: Double, _ clock: ManualClock) -> CachedEntry {
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
      body: Data(text.utf8), url: URL(string: "https://api.test/a") ?? URL(filePath: "/a"))
    return CachedEntry(response: response, timestamp: clock.date - age)
  }
}

extension CacheUse {
  /// The entry with all changes that were asked for by now; nil for none.
  @concurrent
  func entry() async throws -> CachedEntry? { try await entry { $0 } }
}
