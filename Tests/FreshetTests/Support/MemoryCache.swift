import Freshet

/// A persistent cache that forgets with the test.
actor MemoryCache: EntityCache {
  struct Broken: Error {}

  private var entries: [ResourceKey: CachedEntry] = [:]
  private let isBroken: Bool
  /// What was asked for, in order: `store`, `remove`.
  private(set) var writes: [String] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init(isBroken: Bool = false) {
    self.isBroken = isBroken
  }

  /// Returns when that many writes have been made.
  func writes(atLeast count: Int) async {
    if writes.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
  }

  private func note(_ write: String) {
    writes.append(write)
    let due = waiting.filter { $0.count <= writes.count }
    waiting.removeAll { $0.count <= writes.count }
    for waiter in due { waiter.continuation.resume() }
  }

  func put(_ entry: CachedEntry, for key: ResourceKey) {
    entries[key] = entry
  }

  func peek(_ key: ResourceKey) -> CachedEntry? { entries[key] }

  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry? {
    try await read(key)
  }

  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    try await write("store", entry, key)
  }

  @concurrent
  func remove(_ key: ResourceKey) async throws {
    try await write("remove", nil, key)
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
