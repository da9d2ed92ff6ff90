/// The handle of one exchange with a server, and the content that it brings.
///
/// ```swift
/// profile.load()
///   .onSuccess { entity in print(entity.content) }
///   .onFailure { error in print(error.userMessage) }
///
/// let saved = try await profile.request(.put, body: .json(edited)).value()
/// ```
public final class Request<Content: Sendable>: AnyRequest {
  /// How the request ended, or nil while it is under way. After a 304, the content is what the
  /// server confirmed.
  public private(set) var result: Result<Entity<Content>, ResourceError>?
  private let again: (() -> Request)?

  /// Makes a request that is under way.
  ///
  /// - Parameter again: makes the same request anew.
  init(scope: RequestScope, again: (() -> Request)? = nil) {
    self.again = again
    super.init(scope: scope)
  }

  /// Makes a request that has already failed.
  static func failed(_ error: ResourceError, scope: RequestScope) -> Request {
    let request = Request(scope: scope)
    request.fail(with: error)
    return request
  }

  override func fail(with error: ResourceError) {
    guard !isCompleted else { return }
    result = .failure(error)
    complete(.failure(error))
  }

  /// Ends the request in success.
  func succeed(with entity: Entity<Content>, isNew: Bool) {
    guard !isCompleted else { return }
    result = .success(entity)
    complete(isNew ? .newData : .notModified)
  }

  /// Begins the same request once more and returns the handle of that.
  ///
  /// The request is sent again as it was; repeating the load of a resource is a plain request, which
  /// does not touch the resource.
  public func repeated() -> Request {
    guard let again else {
      return .failed(
        ResourceError(
          .invalidRequest, "Request.repeated(): this request was never sent; make a new one.",
          timestamp: scope.clock.date),
        scope: scope)
    }
    return again()
  }

  /// Calls the hook with the outcome, whatever it is.
  @discardableResult
  public func onCompletion(
    _ hook: @escaping (Result<Entity<Content>, ResourceError>) -> Void
  ) -> Self {
    // The request calls its hooks and is held meanwhile; holding itself would keep it for ever.
    whenEnded { [unowned self] _ in
      if let result { hook(result) }
    }
    return self
  }

  /// Calls the hook if the request ends in success, with new or with confirmed content.
  @discardableResult
  public func onSuccess(_ hook: @escaping (Entity<Content>) -> Void) -> Self {
    onCompletion { result in
      if case .success(let entity) = result { hook(entity) }
    }
  }

  /// Calls the hook if the request brings new content.
  @discardableResult
  public func onNewData(_ hook: @escaping (Entity<Content>) -> Void) -> Self {
    whenEnded { [unowned self] ending in
      if case .newData = ending, case .success(let entity) = result { hook(entity) }
    }
    return self
  }

  /// Waits for the outcome and returns the entity.
  ///
  /// When the waiting task is cancelled it throws an error of kind `.cancelled` at once, and the
  /// request goes on for whoever else waits for it; ``AnyRequest/cancel()`` ends it for all.
  public func value() async throws(ResourceError) -> Entity<Content> {
    await ended()
    guard let result else {
      throw ResourceError(
        .cancelled, "The task that waited for the request was cancelled.",
        timestamp: scope.clock.date)
    }
    return try result.get()
  }
}
