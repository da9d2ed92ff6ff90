/// Content that was just read or confirmed.
struct Fetched: Sendable {
  let entity: AnyEntity
  /// The freshness lifetime from the server, where it is used.
  private(set) var lifetime: Duration?
  /// The change of the persistent cache, if there is one.
  var write: CacheChange?
  /// Whether it comes from the persistent cache, and may be old.
  let isRestored: Bool

  init(
    entity: AnyEntity, lifetime: Duration?, write: CacheChange? = nil,
    isRestored: Bool = false
  ) {
    self.entity = entity
    self.lifetime = lifetime
    self.write = write
    self.isRestored = isRestored
  }

  /// Reduces the lifetime by the time that has passed.
  mutating func age(by duration: Duration) {
    lifetime = lifetime.map { max($0 - duration, .zero) }
  }
}
