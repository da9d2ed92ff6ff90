import Freshet

/// A persistent cache in memory, for one test.
package actor MemoryCache: EntityCache {
  package struct Broken: Error {}

  private var entries: [ResourceKey: CachedEntry] = [:]
  private let isBroken: Bool
  /// The operations that were called, in order: `store`, `remove`, `removeAll`.
  package private(set) var writes: [String] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init(isBroken: Bool = false) {
    self.isBroken = isBroken
  }

  /// Returns when that many writes have been made.
  package func writes(atLeast count: Int) async {
    if writes.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
  }

  private func note(_ write: String) {
    writes.append(write)
    let due = waiting.filter { $0.count <= writes.count }
    waiting.removeAll { $0.count <= writes.count }
    for waiter in due { waiter.continuation.resume() }
  }

  package func put(_ entry: CachedEntry, for key: ResourceKey) {
    entries[key] = entry
  }

  package func peek(_ key: ResourceKey) -> CachedEntry? { entries[key] }

  @concurrent
  package func entry(for key: ResourceKey) async throws -> CachedEntry? {
    try await read(key)
  }

  @concurrent
  package func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    try await write("store", entry, key)
  }

  @concurrent
  package func remove(_ key: ResourceKey) async throws {
    try await write("remove", nil, key)
  }

  @concurrent
  package func removeAll() async throws {
    try await sweep { _ in true }
  }

  @concurrent
  package func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
    try await sweep(matches)
  }

  private func sweep(_ matches: (String) -> Bool) throws {
    defer { note("removeAll") }
    if isBroken { throw Broken() }
    entries = entries.filter { !matches($0.key.url) }
  }

  private func read(_ key: ResourceKey) throws -> CachedEntry? {
    if isBroken { throw Broken() }
    return entries[key]
  }

  private func write(_ name: String, _ entry: CachedEntry?, _ key: ResourceKey) throws {
    defer { note(name) }
    if isBroken { throw Broken() }
    entries[key] = entry
  }
}
