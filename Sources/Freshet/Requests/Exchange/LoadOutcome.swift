/// How a load ended, from the exchange with the server to the state of the resource.
enum LoadOutcome: Sendable {
  /// The server sent new content.
  case newData(Fetched)
  /// The server confirmed content whose validators were sent; `Fetched` is that content as it is now.
  case notModified(Fetched, AnyEntity.Confirmation)
  case failure(ResourceError)

  /// The content or the error.
  var result: Result<AnyEntity, ResourceError> {
    switch self {
    case .newData(let fetched), .notModified(let fetched, _): .success(fetched.entity)
    case .failure(let error): .failure(error)
    }
  }

  /// Whether it is content of the persistent cache, which made a request unnecessary.
  var isRestored: Bool {
    if case .newData(let fetched) = self { fetched.isRestored } else { false }
  }

  /// The change of the persistent cache, if there is one.
  var cacheChange: CacheChange? {
    switch self {
    case .newData(let fetched), .notModified(let fetched, _): fetched.cacheChange
    case .failure: nil
    }
  }
}

/// Content that was just read or confirmed.
///
/// An object, because it is passed on more often than it is used. Together with ``Exchange/KnownContent``,
/// ``AnyEntity/Confirmation`` and responses that are consumed where they are read, that saves 4 % of a new page and
/// 7 % of one that the server confirms.
final class Fetched: Sendable {
  let entity: AnyEntity
  /// The status of the response; 200 for a stored one.
  let status: Int
  /// The freshness lifetime from the server, if it is used.
  let lifetime: Duration?
  /// The change of the persistent cache, if there is one.
  let cacheChange: CacheChange?
  /// The exchange that has received it; nil once another resource has adopted it.
  let exchange: Exchange?
  /// Whether the response depends on a header field that a decoration sets, so that it is not to be reused.
  let variesByDecoration: Bool
  /// Whether it comes from the persistent cache, and may be old.
  let isRestored: Bool

  init(
    entity: AnyEntity, status: Int = 200, lifetime: Duration?, cacheChange: CacheChange? = nil,
    by exchange: Exchange? = nil, variesByDecoration: Bool = false, isRestored: Bool = false
  ) {
    self.entity = entity
    self.status = status
    self.lifetime = lifetime
    self.cacheChange = cacheChange
    self.exchange = exchange
    self.variesByDecoration = variesByDecoration
    self.isRestored = isRestored
  }
}
