/// A request to a server, in progress or completed, whose typed content can be awaited.
///
/// ```swift
/// profile.load()
///   .onSuccess { entity in print(entity.content) }
///   .onFailure { error in print(error.userMessage) }
///
/// let saved = try await profile.request(.put, body: .json(edited)).value()
/// ```
public final class Request<Content: Sendable>: AnyRequest {
  /// The outcome of the request; nil while it is in progress.
  ///
  /// After a 304, the content is what the server confirmed.
  public var result: Result<ResourceEntity<Content>, ResourceError>? {
    ending?.map { ResourceEntity($0.entity) }
  }
  /// Makes the same request again, if that is more than an exchange.
  private let again: (() -> Request)?

  /// Creates a request that is under way.
  init(scope: RequestScope, exchange: Exchange? = nil, again: (() -> Request)? = nil) {
    self.again = again
    super.init(scope: scope, exchange: exchange)
  }

  /// Begins a request that consists of one exchange.
  ///
  /// - Parameter again: makes the same request again; nil if that is just the exchange.
  static func begin(
    _ exchange: Exchange, in scope: RequestScope, again: (() -> Request)? = nil
  ) -> Request {
    let request = Request(scope: scope, exchange: exchange, again: again)
    scope.noteUnwanted(request)
    request.carryOut(Exchange.Attempt())
    return request
  }

  /// Makes a request that has already failed.
  static func failed(_ error: ResourceError, scope: RequestScope) -> Request {
    let request = Request(scope: scope)
    request.fail(with: error)
    return request
  }

  /// Sends the same request again and returns the handle of the new one.
  ///
  /// The request is sent as it was, and what its success invalidates is invalidated. Repeating the load of a
  /// resource makes a plain request, which does not touch the resource.
  public func sendAgain() -> Request {
    if let again { return again() }
    guard let exchange else {
      return .failed(
        ResourceError(
          .invalidRequest, "Request.sendAgain(): this request was never sent; make a new one.",
          timestamp: scope.clock.date),
        scope: scope)
    }
    return .begin(exchange, in: scope)
  }

  /// Calls the hook with the outcome, success or failure.
  @discardableResult
  public func onCompletion(
    _ hook: @escaping (Result<ResourceEntity<Content>, ResourceError>) -> Void
  ) -> Self {
    whenEnded { ending in hook(ending.map { ResourceEntity($0.entity) }) }
    return self
  }

  /// Calls the hook if the request ends in success, with new or with confirmed content.
  @discardableResult
  public func onSuccess(_ hook: @escaping (ResourceEntity<Content>) -> Void) -> Self {
    onCompletion { result in
      if case .success(let entity) = result { hook(entity) }
    }
  }

  /// Calls the hook if the request ends with new content, from the server or from a fresh entry of the persistent
  /// cache.
  @discardableResult
  public func onNewData(_ hook: @escaping (ResourceEntity<Content>) -> Void) -> Self {
    whenEnded { ending in
      if let fetched = ending.fetched, fetched.known == nil { hook(ResourceEntity(fetched.entity)) }
    }
    return self
  }

  /// Waits for the outcome and returns the content; ``entity()`` also returns header fields and date.
  ///
  /// When the waiting task is cancelled it throws an error of kind `.cancelled` at once, and the
  /// request continues for others that wait for it; ``AnyRequest/cancel()`` ends it for all.
  @discardableResult
  public func value() async throws(ResourceError) -> Content {
    try await entity().content
  }

  /// Waits for the outcome and returns the content together with its header fields and date.
  ///
  /// When the waiting task is cancelled it throws as ``value()`` does.
  @discardableResult
  public func entity() async throws(ResourceError) -> ResourceEntity<Content> {
    await completed()
    guard let result else {
      throw ResourceError(
        .cancelled, "The task that waited for the request was cancelled.",
        timestamp: scope.clock.date)
    }
    return try result.get()
  }
}
