import Foundation

/// Runs the steps of an attempt, which ``Exchange/nextStep(of:)`` names. None of them throws: every failure is an
/// outcome.
extension Exchange {
  /// Makes the request and decorates it.
  @concurrent
  func decorate(_ attempt: Attempt) async -> Step {
    do {
      return .next(Attempt(after: attempt, try await decorated(attempt)))
    } catch {
      return .ended(.failure(error))
    }
  }

  private func decorated(_ attempt: Attempt) async throws(ResourceError) -> PreparedRequest {
    // First: encoding a body may outlast the session too.
    let session = await session
    let plain = try plainRequest(of: attempt)
    var decorated = try await decorated(plain)
    let part = unattributedPart(of: decorated, decorating: plain)
    if let part { await reportUnattributed(part) }
    let fields = decorated.headers.selectingNames(since: plain.headers)
    if let known = attempt.known, known.isKnownByDate(toVaryBy: fields),
      known.validators.areConditions(of: decorated)
    {
      decorated.headers["If-Modified-Since"] = nil
    }
    let decoration = PreparedRequest.Decoration(
      undecoratedAddress: decorated.address == plain.address ? nil : plain.address,
      unattributedPart: part, fields: fields, session: session)
    return PreparedRequest(
      decorated, decoration: decoration, isUnconditional: attempt.freshness == .unconditional,
      needsAuthorization: isAuthorized)
  }

  /// Authorizes the request, or renews its authorization, so that the next step sends it.
  @concurrent
  func authorize(_ attempt: Attempt) async -> Step {
    do {
      return try await authorized(attempt)
    } catch {
      return .ended(.failure(error))
    }
  }

  private func authorized(_ attempt: Attempt) async throws(ResourceError) -> Step {
    var request = try prepared(attempt, needsAuthorization: isAuthorized).get()
    while true {
      switch request.stage {
      case .authorizing(_, let sent):
        request = request.authorized(
          try await authorize(request.request, after: sent, begunIn: request.decoration?.session))
      case .renewing(let refused, let response):
        guard try await renew(after: refused) else {
          // A 401, of which the age does not matter.
          return try step(reading: response, attempt, request, sent: agingTime)
        }
        request = request.renewed()
      case .sending, .sendingAuthorized:
        return .next(Attempt(after: attempt, request))
      }
    }
  }

  /// Sends a request that is ready, once, and reads the response.
  @concurrent
  func send(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    switch prepared(attempt, needsAuthorization: false) {
    case .success(let request):
      let sent = agingTime
      var outgoing = request.sent
      outgoing.holding = settings.value.retryPolicy.holding(after: attempt.pauses)
      let result = await sendOnce(outgoing, progress: progress)
      // The response is held here only for a report, and not while it is read.
      if request.decoration?.fields.isEmpty == false, let response = try? result.get() {
        await reportVarying(response, to: request)
      }
      return step(after: consume result, attempt, request, sent: sent)
    case .failure(let error):
      return .ended(.failure(error))
    }
  }

  /// The request of an attempt that can be made without waiting.
  private func prepared(
    _ attempt: Attempt, needsAuthorization: Bool
  ) -> Result<PreparedRequest, ResourceError> {
    if let request = attempt.request { return .success(request) }
    return Result { () throws(ResourceError) in
      PreparedRequest(
        try plainRequest(of: attempt), isUnconditional: attempt.freshness == .unconditional,
        needsAuthorization: needsAuthorization)
    }
  }
}

// MARK: - Making the request

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
      return try body.encode(settings.value.json)
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
  private func receive(_ response: consuming HTTPResponse) -> HTTPResponse {
    let (status, byteCount) = (response.status, response.body.count)
    log(.response, "\(status) \(location), \(byteCount) bytes")
    response.headers = response.headers.withoutConnectionFields
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
