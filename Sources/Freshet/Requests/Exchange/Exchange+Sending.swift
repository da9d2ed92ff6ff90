/// Sends the request: authorization, transport, deadline.
extension Exchange {
  /// Whether requests to this server are authorized.
  var isAuthorized: Bool { settings.hasAuthorizer && isOwnOrigin }

  /// The request with its authorization.
  ///
  /// - Parameter sent: the same request as it was sent before; nil for the first attempt.
  func authorize(
    _ request: HTTPRequest, after sent: HTTPRequest?
  ) async throws(ResourceError) -> HTTPRequest {
    guard let authorizer = settings.value.authorizer else { return request }
    do {
      if let sent { return try await authorizer.authorize(request, after: sent) }
      return try await authorizer.authorize(request)
    } catch {
      throw unauthorized(error)
    }
  }

  /// Renews the authorization; returns whether to send the request once more.
  func renew(after refused: HTTPRequest) async throws(ResourceError) -> Bool {
    do {
      return try await settings.value.authorizer?.renew(after: refused) ?? false
    } catch {
      throw unauthorized(error)
    }
  }

  /// An error that the authorizer has thrown, which may be one of another store, as the reason of
  /// an error of this exchange.
  private func unauthorized(_ error: any Error) -> ResourceError {
    failedToMake(.authorization, "could not be authorized", error)
  }

  /// An error thrown by code that handles credentials. Its text may hold them, so only its type is
  /// shown.
  func failedToMake(
    _ kind: ResourceError.Kind, _ what: String, _ error: any Error
  ) -> ResourceError {
    guard !Task.isCancelled else {
      return ResourceError(CancellationError(), timestamp: clock.date)
    }
    return ResourceError(
      kind, "\(location): the request \(what): \(Redaction.nature(of: error)).", underlying: error,
      timestamp: clock.date)
  }

  /// Sends the request once.
  func sendOnce(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Result<HTTPResponse, ResourceError> {
    do {
      try announce(request)
      let response = try await context.transport.send(request, progress: progress)
      return .success(noting(response))
    } catch {
      return .failure(noting(error))
    }
  }

  private func announce(_ request: HTTPRequest) throws(TransportError) {
    // For every transport: a line break in a value would let it inject the rest of the request.
    try request.validate()
    log(.request, "\(request.method) \(location)")
  }

  private func noting(_ response: HTTPResponse) -> HTTPResponse {
    log(.response, "\(response.status) \(location), \(response.body.count) bytes")
    var response = response
    response.headers = response.headers.withoutConnectionFields
    return response
  }

  private func noting(_ error: any Error) -> ResourceError {
    let error = ResourceError(error, timestamp: clock.date)
    log(.response, "\(location): \(error.description)")
    return error
  }

  /// The failure of an attempt that has reached its deadline.
  func timedOut() -> ResourceError {
    let error = ResourceError(
      .timeout,
      """
      \(location) did not respond completely within \(settings.value.timeout). Retry, or raise \
      Service.Configuration.timeout.
      """, timestamp: clock.date)
    log(.response, "\(location): \(error.description)")
    return error
  }

  /// The failure of a request that was not sent, because the configuration has changed while it waited.
  func outdated() -> ResourceError {
    ResourceError(
      .rateLimited,
      """
      \(location) was not sent: the server has asked all requests to wait, and the configuration of the \
      service has changed meanwhile. Retry.
      """, timestamp: clock.date)
  }

  var location: String { Redaction.originAndPath(of: key.url) }

  func log(
    _ category: Service.LogEntry.Category, _ message: @autoclosure () -> String,
    wait: @autoclosure () -> RequestWait? = nil
  ) {
    guard let log = settings.value.log else { return }
    log(Service.LogEntry(category: category, message: message(), wait: wait()))
  }
}
