/// Content from the persistent cache.
struct Restored: Sendable {
  let entity: AnyEntity
  /// How long ago the server sent or confirmed it.
  let age: Duration
  /// The freshness lifetime from the server, where it is used.
  let lifetime: Duration?
}
