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
