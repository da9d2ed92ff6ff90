/// How a load ended, from the exchange with the server to the state of the resource.
///
/// Indirect where it is large, because it is passed on more often than it is used.
enum LoadOutcome: Sendable {
  /// The server sent new content.
  indirect case newData(Fetched)
  /// The server confirmed content whose validators were sent; `Fetched` is that content as it is now.
  indirect case notModified(Fetched, AnyEntity.Confirmation)
  case failure(ResourceError)

  /// The content or the error.
  var result: Result<AnyEntity, ResourceError> {
    switch self {
    case .newData(let fetched), .notModified(let fetched, _): .success(fetched.entity)
    case .failure(let error): .failure(error)
    }
  }

  /// The change of the persistent cache, if there is one.
  var write: CacheChange? {
    switch self {
    case .newData(let fetched), .notModified(let fetched, _): fetched.write
    case .failure: nil
    }
  }
}

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
