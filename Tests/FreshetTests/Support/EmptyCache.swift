import Freshet

/// A persistent cache that keeps nothing. A test implements only the operations that it is about.
protocol EmptyCache: EntityCache {}

extension EmptyCache {
  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry? { nil }
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws {}
  @concurrent
  func remove(_ key: ResourceKey) async throws {}
  @concurrent
  func removeAll() async throws {}
  @concurrent
  func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {}
}
