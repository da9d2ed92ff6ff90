import Foundation

/// The errors of an exchange: of a request that could not be made or was not sent.
extension Exchange {
  /// An error that the body or a decoration has thrown, as an error of this exchange.
  func unmade(_ error: any Error) -> ResourceError {
    switch error {
    case let error as ResourceError: error
    case let error as EncodingError:
      ResourceError(
        .invalidRequest,
        "\(location): the body cannot be encoded: \(Redaction.nature(of: error)).",
        underlying: error, timestamp: clock.date)
    default: failedToMake(.invalidRequest, "could not be made", error)
    }
  }

  /// An error that the authorizer has thrown, which may be one of another store, as the reason of
  /// an error of this exchange.
  func unauthorized(_ error: any Error) -> ResourceError {
    failedToMake(.authorization, "could not be authorized", error)
  }

  /// An error thrown by code that handles credentials. Its text may hold them, so only its type is
  /// shown.
  private func failedToMake(
    _ kind: ResourceError.Kind, _ what: String, _ error: any Error
  ) -> ResourceError {
    guard !Task.isCancelled else {
      return ResourceError(CancellationError(), timestamp: clock.date)
    }
    return ResourceError(
      kind, "\(location): the request \(what): \(Redaction.nature(of: error)).", underlying: error,
      timestamp: clock.date)
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

  /// The failure of a request that was not sent, because the server has asked all requests to wait longer than
  /// the policy allows.
  ///
  /// - Parameter status: the status of the response that asks for it.
  func paused(for delay: Duration, by status: Int?) -> ResourceError {
    ResourceError(
      pausedBy: status,
      """
      \(location) was not sent: the server has asked for fewer requests by its response to another one; \
      retry in \(delay).
      """, retryAfter: delay, timestamp: clock.date)
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
}

/// The errors of responses.
extension Exchange {
  /// The error for a response with an error status.
  func refusal(_ response: HTTPResponse) -> ResourceError {
    let body = decodedError(response)
    let advice = body as? any RetryAdvice
    let retryAfter =
      RetryAfter.delay(of: response, now: clock.date) ?? advice?.retryAfter
    let isLimit =
      response.isRateLimit(after: retryAfter) || advice?.asksForFewerRequests == true
    let what =
      switch response.status {
      case 503 where isLimit: "is not available now (503)"
      case 407: "is not let through by the proxy, which demands credentials (407)"
      case let status where isLimit: "asks for fewer requests (\(status))"
      case let status: "responded with status \(status)"
      }
    let error = failure(
      isLimit ? .rateLimited : .http, response, what, retryAfter: retryAfter, body: body)
    // What may pass is asked for again, and so is what depends on the credentials.
    guard !error.isTransient, ![401, 407].contains(response.status),
      let lifetime = lifetime(
        of: response.headers, status: response.status, isRedirected: response.isRedirected,
        date: error.timestamp, after: .zero)
    else { return error }
    return error.fresh(for: lifetime)
  }

  /// The error for a response, which says what the server has done. After a redirect it names the URL that responded
  /// too.
  ///
  /// - Parameter what: words that follow the location.
  func failure(
    _ kind: ResourceError.Kind, _ response: HTTPResponse, _ what: String,
    retryAfter: Duration? = nil, body: (any Sendable)? = nil
  ) -> ResourceError {
    let retryAfter = retryAfter ?? RetryAfter.delay(of: response, now: clock.date)
    let wait = retryAfter.flatMap { $0 > .zero ? "; retry in \($0)" : nil } ?? ""
    let (location, url) = (location, responseURL(of: response))
    let end = response.isRedirected ? Redaction.serverLocation(url) : location
    let place = end == location ? location : "\(location), redirected to \(end),"
    return ResourceError(
      kind, "\(place) \(what)\(wait).", status: response.status, retryAfter: retryAfter,
      decodedBody: body, timestamp: clock.date, url: url, isRedirected: response.isRedirected)
  }

  /// The body of an error response, if there is a decoder for that.
  private func decodedError(_ received: HTTPResponse) -> (any Sendable)? {
    guard received.status >= 400, !received.body.isEmpty,
      let decode = settings.value.errorDecoder ?? decoder.errorDecoder
    else { return nil }
    do {
      let response = try settings.value.pipeline.transform(received)
      return try decode(
        DecodingInput(response: response, key: key, jsonSettings: settings.value.json))
    } catch {
      log(.errorBody, "\(location): \(Redaction.nature(of: error))")
      return nil
    }
  }
}

extension UnusableURL {
  /// The error of every load. User name, password and query of the URL stay out of the message.
  func error(at date: Date) -> ResourceError {
    ResourceError(
      .invalidRequest,
      "The URL \"\(Redaction.originAndPath(of: url))\" cannot be used: \(reason).", timestamp: date)
  }
}
