import Freshet

/// A persistent cache in memory, which outlives the services of a test.
///
/// Entries are kept until they are removed, however many there are.
public actor MemoryCache: EntityCache {
  /// The error of each operation while `isBroken` is set.
  private struct Broken: Error {}

  private var entries: [ResourceKey: CachedEntry] = [:]
  private let broken: Locked<Bool>
  /// The operations that change entries.
  package enum Write: Sendable { case store, remove, removeAll }
  /// The calls of these operations, in order.
  package private(set) var writes: [Write] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Creates an empty cache.
  public init(isBroken: Bool = false) {
    broken = Locked(isBroken)
  }

  /// Whether each operation throws from now on, as if the disk were full. The entries stay.
  public nonisolated var isBroken: Bool {
    get { broken.withLock { $0 } }
    set { broken.withLock { $0 = newValue } }
  }

  /// Returns when that many writes have been made.
  package func writes(atLeast count: Int) async {
    if writes.count < count { await withCheckedContinuation { waiting.append((count, $0)) } }
  }

  private func note(_ write: Write) {
    writes.append(write)
    let due = waiting.filter { $0.count <= writes.count }
    waiting.removeAll { $0.count <= writes.count }
    for waiter in due { waiter.continuation.resume() }
  }

  package func put(_ entry: CachedEntry, for key: ResourceKey) {
    entries[key] = entry
  }

  package func peek(_ key: ResourceKey) -> CachedEntry? { entries[key] }

  /// Returns the entry of a resource, or nil for none.
  @concurrent
  public func entry(for key: ResourceKey) async throws -> CachedEntry? {
    try await read(key)
  }

  /// Stores the entry of a resource, and replaces an older one.
  @concurrent
  public func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    try await write(.store, entry, for: key)
  }

  /// Removes the entry of a resource, if it has one.
  @concurrent
  public func remove(_ key: ResourceKey) async throws {
    try await write(.remove, nil, for: key)
  }

  /// Removes all entries.
  @concurrent
  public func removeAll() async throws {
    try await sweep { _ in true }
  }

  /// Removes the entries of all resources whose URL matches.
  @concurrent
  public func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
    try await sweep(matches)
  }

  private func sweep(_ matches: (String) -> Bool) throws {
    defer { note(.removeAll) }
    if isBroken { throw Broken() }
    entries = entries.filter { !matches($0.key.url) }
  }

  private func read(_ key: ResourceKey) throws -> CachedEntry? {
    if isBroken { throw Broken() }
    return entries[key]
  }

  private func write(_ write: Write, _ entry: CachedEntry?, for key: ResourceKey) throws {
    defer { note(write) }
    if isBroken { throw Broken() }
    entries[key] = entry
  }
}
