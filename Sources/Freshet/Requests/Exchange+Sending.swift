/// Sending: tries, authorization, the deadline.
extension Exchange {
  /// Sends, and sends again as the retry policy says.
  func sendRepeatedly(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(ResourceError) -> HTTPResponse {
    var tries = 0
    while true {
      tries += 1
      do throws(ResourceError) {
        return try await sendAuthorized(request, progress: progress)
      } catch {
        let delay = configuration.retries.delay(
          before: tries, after: error, method: request.method, random: configuration.random())
        guard let delay, !Task.isCancelled else { throw error }
        log(.retry, "\(place) in \(delay) after \(error.description)")
        do { try await clock.sleep(for: delay) } catch _ { throw error }
      }
    }
  }

  /// Sends with authorization; once more if the server did not accept it and it could be renewed.
  private func sendAuthorized(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(ResourceError) -> HTTPResponse {
    guard isOwnOrigin, let authorizer = configuration.authorizer else {
      return try checked(await sendOnce(request, progress: progress))
    }
    let authorized = try await authorizing { try await authorizer.authorize(request) }
    let response = try await sendOnce(authorized, progress: progress)
    guard response.status == 401,
      try await authorizing({ try await authorizer.renew(after: authorized) })
    else { return try checked(response.withoutCredentials(of: authorized, for: request)) }
    let renewed = try await authorizing { try await authorizer.authorize(request) }
    return try checked(
      await sendOnce(renewed, progress: progress).withoutCredentials(of: renewed, for: request))
  }

  /// Asks the authorizer. What it throws, which may be the error of another store, is the reason of
  /// one error of this exchange.
  func authorizing<Answer>(
    _ ask: () async throws -> Answer
  ) async throws(ResourceError) -> Answer {
    do {
      return try await ask()
    } catch {
      throw failedToMake(.authorization, "could not be authorized", error)
    }
  }

  /// What was thrown by code that handles credentials: its text may hold them, so only its type is
  /// shown.
  func failedToMake(
    _ kind: ResourceError.Kind, _ what: String, _ error: any Error
  ) -> ResourceError {
    guard !Task.isCancelled else {
      return ResourceError(CancellationError(), timestamp: clock.date)
    }
    return ResourceError(
      kind, "\(place): the request \(what): \(Redaction.nature(of: error)).", underlying: error,
      timestamp: clock.date)
  }

  /// Sends once, within the deadline.
  private func sendOnce(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(ResourceError) -> HTTPResponse {
    do {
      // Whatever the transport: a line break in a value would let it write the rest of the request.
      try request.validate()
      log(.request, "\(request.method) \(place)")
      let response = try await withDeadline {
        try await transport.send(request, progress: progress)
      }
      log(.response, "\(response.status) \(place), \(response.body.count) bytes")
      return response
    } catch {
      let error = ResourceError(error, timestamp: clock.date)
      log(.response, "\(place): \(error.description)")
      throw error
    }
  }

  private func withDeadline(
    _ work: @escaping @Sendable () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await clock.sleep(for: configuration.timeout)
        return nil
      }
      defer { group.cancelAll() }
      if let response = try await group.next() ?? nil { return response }
      throw ResourceError(
        .timeout,
        """
        \(place) did not answer completely within \(configuration.timeout). Try again, or raise \
        Configuration.timeout.
        """, timestamp: clock.date)
    }
  }

  var place: String { Redaction.originAndPath(of: key.url) }

  func log(_ category: LogEntry.Category, _ message: @autoclosure () -> String) {
    guard let log = configuration.log else { return }
    log(LogEntry(category: category, message: message()))
  }
}

extension HTTPResponse {
  /// The answer as one to the request before it was authorized: credentials that went into its URL
  /// are nothing to remember, to follow links from, or to put into a cache.
  fileprivate func withoutCredentials(
    of authorized: HTTPRequest, for request: HTTPRequest
  ) -> HTTPResponse {
    guard authorized.url != request.url, url == authorized.url else { return self }
    var response = self
    response.url = request.url
    return response
  }
}
