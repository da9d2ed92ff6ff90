import Foundation

/// One exchange with the server and all that belongs to it, off the store's actor: decoration,
/// authorization, the deadline, retries, status, transforms, decoding.
///
/// A `Sendable` value in, a `Sendable` value out.
struct Exchange<Content: Sendable>: Sendable {
  let key: ResourceKey
  let body: RequestBody?
  let decoder: ContentDecoder<Content>
  let configuration: Configuration
  let transport: any Transport
  let clock: any StoreClock
  /// Whether the URL belongs to the service, so that its credentials may go there.
  let isOwnOrigin: Bool
  /// Why nothing can be sent, if that is so.
  let unusable: UnusableURL?

  /// What came of it.
  enum Outcome: Sendable {
    case newData(Fetched<Content>)
    /// `headers` are the stored ones, brought up to date by the 304.
    case notModified(HTTPHeaders, date: Date, lifetime: Duration?)
    case failure(ResourceError)
  }

  /// Sends the request and reads the answer. It never throws: every failure is an outcome.
  ///
  /// - Parameter stored: the headers of the content that is there, whose validators make the request
  ///   conditional; empty for none.
  @concurrent
  func run(
    stored: HTTPHeaders, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Outcome {
    do {
      let started = clock.now
      let validators = HTTPValidators(stored)
      let request = try await makeRequest(validators: validators)
      var response = try await sendRepeatedly(request, progress: progress)
      if response.status == 304 {
        if !validators.isEmpty {
          let headers = stored.merging(notModified: response.headers)
          let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
          return .notModified(
            headers, date: clock.date,
            lifetime: lifetime(of: confirmed, date: clock.date, delay: clock.now - started))
        }
        // What may have changed something is not sent a second time.
        if request.method.isSafe {
          response = try await sendRepeatedly(unconditional(request), progress: progress)
        }
        if response.status == 304 {
          throw failure(
            .notModifiedWithoutContent, response,
            "answers \"not modified\" (304) to an unconditional request")
        }
      }
      return .newData(
        try read(response, date: clock.date, delay: clock.now - started))
    } catch {
      return .failure(ResourceError(error, timestamp: clock.date))
    }
  }
}

/// Content from the persistent cache.
struct Restored<Content: Sendable>: Sendable {
  let entity: Entity<Content>
  /// How long ago the server sent or confirmed it.
  let age: Duration
  /// How long the server said that it stays fresh, where that counts.
  let lifetime: Duration?
}

/// Content that has just been read, and what is needed to keep it.
struct Fetched<Content: Sendable>: Sendable {
  let entity: Entity<Content>
  /// How long the server says that it stays fresh, where that counts.
  let lifetime: Duration?
  /// What to put into the persistent cache, where there is one and the server allows it.
  let entry: CachedEntry?
}

// MARK: - The persistent cache

extension Exchange {
  /// The entry of the persistent cache, read like an answer; nil where there is none that can be read.
  @concurrent
  func restore() async -> Restored<Content>? {
    guard let cache = configuration.cache else { return nil }
    do {
      guard let entry = try await cache.entry(for: key) else { return nil }
      let fetched = try read(entry.response, date: entry.timestamp, delay: .zero)
      let age = clock.date.timeIntervalSince(entry.timestamp)
      // An entry from the future is from a clock that cannot be trusted: shown, but not fresh.
      let longAgo = Double(1 << 40)
      return Restored(
        entity: fetched.entity, age: .seconds(age >= 0 && age < longAgo ? age : longAgo),
        lifetime: fetched.lifetime)
    } catch {
      log(.cacheFailure, "\(place) could not be read: \(Redaction.nature(of: error))")
      return nil
    }
  }

  /// Puts an answer into the persistent cache, or removes the older one where the server forbids it.
  func write(_ entry: CachedEntry?) -> (@Sendable () async -> Void)? {
    writing { cache, key in
      if let entry { try await cache.store(entry, for: key) } else { try await cache.remove(key) }
    }
  }

  /// Brings the entry of the persistent cache up to date after a 304.
  func confirm(_ headers: HTTPHeaders, date: Date) -> (@Sendable () async -> Void)? {
    writing { cache, key in
      guard var entry = try await cache.entry(for: key) else { return }
      entry.response.headers = headers
      entry.timestamp = date
      try await cache.store(entry, for: key)
    }
  }

  /// Removes the entry of the persistent cache.
  func forget() -> (@Sendable () async -> Void)? {
    writing { cache, key in try await cache.remove(key) }
  }

  private func writing(
    _ change: @escaping @Sendable (any EntityCache, ResourceKey) async throws -> Void
  ) -> (@Sendable () async -> Void)? {
    guard let cache = configuration.cache else { return nil }
    return {
      do {
        try await change(cache, key)
      } catch {
        log(.cacheFailure, "\(place) could not be written: \(Redaction.nature(of: error))")
      }
    }
  }
}

// MARK: - Sending

extension Exchange {
  /// Sends, and sends again as the retry policy says.
  private func sendRepeatedly(
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
    else { return try checked(response) }
    let renewed = try await authorizing { try await authorizer.authorize(request) }
    return try checked(await sendOnce(renewed, progress: progress))
  }

  /// Asks the authorizer. What it throws, which may be the error of another store, is the reason of
  /// one error of this exchange.
  private func authorizing<Answer>(
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
  private func failedToMake(
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
      let response = try await withDeadline { [transport] in
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
      group.addTask { [clock, timeout = configuration.timeout] in
        try await clock.sleep(for: timeout)
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

  private var place: String { Redaction.originAndPath(of: key.url) }

  private func log(_ category: LogEntry.Category, _ message: @autoclosure () -> String) {
    guard let log = configuration.log else { return }
    log(LogEntry(category: category, message: message()))
  }
}

// MARK: - The request

extension Exchange {
  private func makeRequest(validators: HTTPValidators) async throws(ResourceError) -> HTTPRequest {
    if let unusable { throw unusable.error(at: clock.date) }
    guard let url = URL(string: key.url) else {
      throw UnusableURL(key.url, "it is not a valid URL").error(at: clock.date)
    }
    let headers = configuration.headers
    var request = HTTPRequest(
      method: key.method, url: url,
      headers: isOwnOrigin ? headers : headers.keeping(HTTPHeaders.harmless),
      maximumResponseSize: configuration.maximumResponseSize)
    if request.headers["Accept"] == nil, !decoder.mediaTypes.isEmpty {
      request.headers["Accept"] = decoder.mediaTypes.joined(separator: ", ")
    }
    for field in key.headers.fields { request.headers[field.name] = field.value }
    request.headers = validators.conditioning(request.headers)
    do {
      if let body {
        request.body = try body.encode()
        request.headers["Content-Type"] = body.contentType
      } else if let body = key.body {
        request.body = body
        request.headers["Content-Type"] = request.headers["Content-Type"] ?? "application/json"
      }
      for decorate in configuration.decorations { request = try await decorate(request) }
    } catch let error as ResourceError {
      throw error
    } catch let error as EncodingError {
      throw ResourceError(
        .invalidRequest, "\(place): the body cannot be encoded: \(error).", underlying: error,
        timestamp: clock.date)
    } catch {
      throw failedToMake(.invalidRequest, "could not be made", error)
    }
    return request
  }

  /// The same request, asking caches on the way not to answer it with another 304.
  private func unconditional(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers = request.headers.removing(["If-None-Match", "If-Modified-Since"])
    request.headers["Cache-Control"] = "no-cache"
    return request
  }
}

// MARK: - The answer

extension Exchange {
  /// Reads content from an answer that has the right status.
  private func read(
    _ received: HTTPResponse, date: Date, delay: Duration
  ) throws(ResourceError) -> Fetched<Content> {
    do {
      let response = try configuration.pipeline.transform(received)
      let input = DecodingInput(response: response, key: key, json: configuration.json)
      let decoded = try decoder.decode(input, date: date)
      let content = try configuration.pipeline.transform(decoded, of: response)
      let entity = Entity(
        content, headers: response.headers, timestamp: date, url: response.url,
        byteCount: received.body.count)
      return Fetched(
        entity: entity, lifetime: lifetime(of: response, date: date, delay: delay),
        entry: entry(of: received, date: date))
    } catch let error as ResourceError {
      throw error
    } catch {
      throw ResourceError(
        .decoding, "\(place): a transform failed: \(error)", status: received.status,
        underlying: error, timestamp: date)
    }
  }

  /// The answer, if its status brings content; otherwise the error that it is.
  private func checked(_ response: HTTPResponse) throws(ResourceError) -> HTTPResponse {
    switch response.status {
    case 206:
      throw failure(.badResponse, response, "sent a part (206) where the whole was asked for")
    case 200..<300, 304: return response
    case 300..<400:
      throw failure(.redirect, response, "redirects (\(response.status)) to nowhere usable")
    case 429: throw failure(.rateLimited, response, "asks for fewer requests (429)")
    case 503 where retryAfter(response) != nil:
      throw failure(.rateLimited, response, "is not available now (503)")
    default: throw failure(.http, response, "answered with status \(response.status)")
    }
  }

  private func failure(
    _ kind: ResourceError.Kind, _ response: HTTPResponse, _ what: String
  ) -> ResourceError {
    let retryAfter = retryAfter(response)
    let wait = retryAfter.map { "; try again in \($0)" } ?? ""
    return ResourceError(
      kind, "\(place) \(what)\(wait).", status: response.status, retryAfter: retryAfter,
      decodedBody: decodedError(response), timestamp: clock.date)
  }

  private func retryAfter(_ response: HTTPResponse) -> Duration? {
    response.headers["Retry-After"].flatMap { RetryAfter.delay($0, now: clock.date) }
  }

  private func decodedError(_ received: HTTPResponse) -> (any Sendable)? {
    guard received.status >= 400, !received.body.isEmpty,
      let decode = configuration.errorDecoder
    else { return nil }
    do {
      let response = try configuration.pipeline.transform(received)
      return try decode(DecodingInput(response: response, key: key, json: configuration.json))
    } catch {
      log(.errorBody, "\(place): \(Redaction.nature(of: error))")
      return nil
    }
  }

  private func lifetime(of response: HTTPResponse, date: Date, delay: Duration) -> Duration? {
    guard configuration.usesServerFreshness else { return nil }
    let freshness = HTTPFreshness(
      status: response.status, headers: response.headers, responseDate: date,
      responseDelay: delay)
    // Where the server says nothing, the configured expiration counts.
    if freshness.lifetime == nil, !freshness.noCache { return nil }
    return freshness.remainingLifetime(after: .zero) ?? .zero
  }

  private func entry(of response: HTTPResponse, date: Date) -> CachedEntry? {
    guard configuration.cache != nil else { return nil }
    let freshness = HTTPFreshness(
      status: response.status, headers: response.headers, responseDate: date,
      responseDelay: .zero)
    guard !freshness.noStore else { return nil }
    return CachedEntry(response: response, timestamp: date)
  }
}
