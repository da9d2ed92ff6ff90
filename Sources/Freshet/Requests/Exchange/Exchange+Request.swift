import Foundation

/// Makes the request from key and configuration.
extension Exchange {
  /// The request to send, before authorization.
  ///
  /// - Parameter plain: the request without decorations.
  func decorated(_ plain: HTTPRequest) async throws(ResourceError) -> HTTPRequest {
    var request = plain
    do {
      for decorate in settings.value.decorations { request = try await decorate(request) }
    } catch {
      throw unmade(error)
    }
    return request
  }

  /// The request without decorations.
  func plainRequest(of attempt: Attempt) throws(ResourceError) -> HTTPRequest {
    if let unusable { throw unusable.error(at: clock.date) }
    guard let address = URLText(key.url) else {
      throw UnusableURL(key.url, "it is not a valid URL").error(at: clock.date)
    }
    return HTTPRequest(
      method: key.method, address: address, headers: headers(of: attempt), body: try encodedBody(),
      maximumResponseSize: settings.value.maximumResponseSize)
  }

  private func encodedBody() throws(ResourceError) -> Data? {
    guard let body else { return key.body }
    do {
      return try body.encode()
    } catch {
      throw unmade(error)
    }
  }

  private func headers(of attempt: Attempt) -> HTTPHeaders {
    var headers = headers()
    if attempt.freshness == .reload, settings.value.responseFreshness != nil,
      headers.first("Cache-Control") == nil
    {
      headers.append("max-age=0", for: "Cache-Control")
    }
    guard let known = attempt.known, !known.validators.isEmpty else { return headers }
    return known.validators.conditioning(headers, of: key.method)
  }

  /// The fields that the request has whatever content is known.
  func headers() -> HTTPHeaders {
    var headers = settings.value.headers
    if !headers.fields.isEmpty {
      if !isOwnOrigin { headers = headers.keeping(HTTPHeaders.nonCredential) }
      // Those that the identity does not have are not sent.
      for name in settings.value.varyingHeaders where key.headers.first(name) == nil {
        headers.remove(name)
      }
    }
    if let accept = decoder.accept, headers["Accept"] == nil { headers.append(accept) }
    for field in key.headers.fields { headers[field.name] = field.value }
    if let body {
      headers["Content-Type"] = body.contentType
    } else if key.body != nil, headers["Content-Type"] == nil {
      headers["Content-Type"] = "application/json"
    }
    return headers
  }
}

// MARK: - Sending

/// Sends the request: authorization, transport, deadline.
extension Exchange {
  /// Whether requests to this server are authorized.
  var isAuthorized: Bool { settings.value.authorizer != nil && isOwnOrigin }

  /// The request with its authorization.
  ///
  /// - Parameters:
  ///   - sent: the same request as it was sent before; nil for the first attempt.
  ///   - session: the ``session`` in which it began.
  func authorize(
    _ request: HTTPRequest, after sent: HTTPRequest?, begunIn session: Int?
  ) async throws(ResourceError) -> HTTPRequest {
    guard let authorizer = settings.value.authorizer else { return request }
    do {
      if let sent { return try await authorizer.authorize(request, after: sent) }
      if let session, let tokens = authorizer as? TokenAuthorizer {
        return try await tokens.authorize(request, begunIn: session)
      }
      return try await authorizer.authorize(request)
    } catch {
      throw unauthorized(error)
    }
  }

  /// The session of the user in which a request begins now, which its decorations may outlast; nil if that
  /// does not matter.
  var session: Int? {
    get async {
      guard isAuthorized else { return nil }
      return await (settings.value.authorizer as? TokenAuthorizer)?.session
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

  /// Sends the request once, unless it was cancelled before.
  func sendOnce(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Result<HTTPResponse, ResourceError> {
    guard !Task.isCancelled else {
      return .failure(ResourceError(CancellationError(), timestamp: clock.date))
    }
    do {
      // For every transport: a line break in a value would let it inject the rest of the request.
      try request.validate()
      log(.request, "\(request.method) \(location)")
      return .success(receive(try await context.transport.send(request, progress: progress)))
    } catch {
      let error = ResourceError(error, timestamp: clock.date)
      log(.response, "\(location): \(error.description)")
      return .failure(error)
    }
  }

  /// Logs a response, and removes the header fields that are of the connection alone.
  private func receive(_ received: HTTPResponse) -> HTTPResponse {
    log(.response, "\(received.status) \(location), \(received.body.count) bytes")
    // Mostly there are none, and no copy is made.
    guard received.headers.hasConnectionFields else { return received }
    var response = received
    response.headers = received.headers.withoutConnectionFields
    return response
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
