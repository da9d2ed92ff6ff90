import Foundation

extension KnownContent {
  /// Whether a 304 is about the content, and about its response before transforms: one may have removed the tag,
  /// which distinguishes content of the same date.
  func isConfirmed(by notModified: HTTPHeaders) -> Bool {
    guard validators.areConfirmed(by: notModified) else { return false }
    guard validators.etag == nil, let received = entity.received else { return true }
    return HTTPValidators(received.headers).areConfirmed(by: notModified)
  }

  /// Whether a date alone identifies the content, which varies by one of these fields: with another value, the
  /// same date is that of another representation. A tag is of one alone (RFC 9111 section 4.3.1).
  func isKnownByDate(toVaryBy fields: Set<String>) -> Bool {
    !fields.isEmpty && validators.etag == nil
      && !HTTPVariant.names(in: entity.headers).isDisjoint(with: fields)
  }
}

extension Exchange {
  /// One attempt: the known content, and the request as far as it is made.
  struct Attempt: Sendable {
    /// The content whose validators make the request conditional; nil for none.
    let known: KnownContent?
    let freshness: Freshness
    /// The request; nil before it is made of key and configuration.
    let request: PreparedRequest?
    /// How often it has waited because the server has asked that of all requests.
    let pauses: Int

    /// What the request demands of caches on the way.
    enum Freshness: Sendable {
      /// Nothing.
      case any
      /// What the server has now, whatever is known.
      case reload
      /// What the server has now, and not by a confirmation of what is known.
      case unconditional
    }

    /// The first attempt.
    ///
    /// - Parameters:
    ///   - entity: the content whose validators are sent; nil for none.
    ///   - freshness: what caches on the way may respond with.
    init(confirming entity: AnyEntity? = nil, _ freshness: Freshness = .any) {
      known = entity.map { KnownContent($0) }
      self.freshness = freshness
      request = nil
      pauses = 0
    }

    /// An attempt that continues an earlier one.
    init(after earlier: Attempt, _ next: PreparedRequest) {
      self.init(after: earlier, next, pauses: earlier.pauses)
    }

    private init(after earlier: Attempt, _ next: PreparedRequest?, pauses: Int) {
      known = earlier.known
      freshness = earlier.freshness
      request = next
      self.pauses = pauses
    }

    /// The same attempt after a wait that the server has asked for: where the request was authorized, it is
    /// authorized again, for the same user only.
    var afterPause: Attempt {
      Attempt(after: self, request?.again, pauses: pauses + 1)
    }
  }
}

// MARK: - Steps

/// The steps of an attempt: which is next, and what follows each. The steps themselves run in `Exchange+Request`.
extension Exchange {
  /// Whether requests may wait for a token: they are decorated or authorized, or they wait for the persistent
  /// cache, after which another configuration may do that.
  var mayBePartOfFetch: Bool {
    settings.value.authorizer != nil || !settings.value.decorations.isEmpty
      || settings.value.cache != nil
  }

  /// A step of an attempt.
  enum NextStep {
    /// The request is made and decorated.
    case decorating
    /// The request is authorized, or its authorization is renewed; it is made first, where nothing decorates it.
    case authorizing
    /// The request is sent; it is made first, if that waits for nothing.
    case sending
  }

  /// What an attempt does next.
  ///
  /// Decorating and authorizing may wait for a person, so they are steps of their own, without a time
  /// limit, if there is any of that to do. Nothing decorates a request twice: the step that does is the first one.
  func nextStep(of attempt: Attempt) -> NextStep {
    switch attempt.request?.stage {
    case nil:
      if !settings.value.decorations.isEmpty {
        .decorating
      } else {
        isAuthorized ? .authorizing : .sending
      }
    case .authorizing, .renewing: .authorizing
    case .sending, .sendingAuthorized: .sending
    }
  }

  /// What follows a step.
  enum Step: Sendable {
    case ended(LoadOutcome)
    /// Another step is to follow at once.
    case next(Attempt)
    /// The server has refused the conditions of the request: the same without them is to follow at once.
    case refused(Attempt)
    /// The request was not sent, because the server has asked for fewer by its response to another one: the
    /// same attempt is to follow.
    case held(Attempt, ResourceError)
    /// Another attempt is to follow after a delay.
    case retry(Attempt, after: Duration, ResourceError)
  }
}

// MARK: - After sending

extension Exchange {
  /// The time of a message, for the age of a response (RFC 9111 section 4.2.3); zero if no age is needed.
  var agingTime: Duration {
    settings.value.responseFreshness != nil ? clock.now : .zero
  }

  /// What follows the result of sending a request, as ``PreparedRequest`` decides.
  ///
  /// - Parameter sent: when that was, by ``agingTime``.
  func step(
    after result: consuming Result<HTTPResponse, ResourceError>, _ attempt: Attempt,
    _ request: PreparedRequest, sent: Duration
  ) -> Step {
    do throws(ResourceError) {
      let response: HTTPResponse
      switch consume result {
      case .success(let received): response = request.response(received)
      case .failure(let error):
        if let held = error.underlying as? HeldRequest {
          return step(heldBy: held.response, Attempt(after: attempt, request))
        }
        return try step(retryingAfter: error, attempt, request)
      }
      switch request.received(response, about: attempt.known, at: clock.date) {
      case .next(let next): return .next(Attempt(after: attempt, next))
      case .refused(let next): return .refused(Attempt(after: attempt, next))
      case .read: return try step(reading: response, attempt, request, sent: sent)
      case .confirm(let known):
        return try step(confirming: known, by: response, attempt, request, sent: sent)
      case .contradict(let what):
        throw failure(.notModifiedWithoutContent, response, what)
      }
    } catch {
      return .ended(.failure(error))
    }
  }

  /// What follows if a response to another request holds this one: one that names no time does so only as often as
  /// one that does.
  private func step(heldBy response: HTTPResponse, _ attempt: Attempt) -> Step {
    let error = refusal(response)
    let namesTime = error.retryAfter.map { $0 > .zero } ?? false
    return .held(namesTime ? attempt : attempt.afterPause, error)
  }

  /// What follows a response that brings content, or is an error.
  func step(
    reading response: HTTPResponse, _ attempt: Attempt, _ request: PreparedRequest, sent: Duration
  ) throws(ResourceError) -> Step {
    do throws(ResourceError) {
      try check(response)
    } catch {
      return try step(retryingAfter: error, attempt, request)
    }
    let (date, arrival) = (clock.date, agingTime)
    let (entity, stated) = try read(response, date: date, after: arrival - sent)
    let varies = request.isVaryingResponse(entity.headers)
    let lifetime = usableLifetime(stated, variesByDecoration: varies)
    // The content is a little older by the time it has been read.
    let age = agingTime - arrival
    let cacheChange =
      settings.value.cache != nil
      ? cacheChange(storing: response, requestedBy: request, date: date) : nil
    let fetched = Fetched(
      entity: entity, status: response.status, lifetime: lifetime.map { max($0 - age, .zero) },
      cacheChange: cacheChange, by: self, variesByDecoration: varies)
    return .ended(.success(fetched))
  }

  /// What follows a response that confirms the known content: the same request without conditions, if its new
  /// header fields may change the content, and only a body shows how.
  private func step(
    confirming known: KnownContent, by response: HTTPResponse, _ attempt: Attempt,
    _ request: PreparedRequest, sent: Duration
  ) throws(ResourceError) -> Step {
    let entity = known.entity
    let (date, arrival) = (clock.date, agingTime)
    let (headers, received) = updated(entity, by: response.headers)
    // Not a response with these fields, which nothing else needs: with the others that look at values where they are,
    // saves 2.5 % of a page that is confirmed.
    let url = responseURL(of: response)
    let derived: AnyContent?
    do {
      derived = try self.derived(
        entity.content, confirmedBy: headers, at: url, from: entity.headers)
    } catch let error as ResourceError {
      throw error
    } catch {
      return .next(Attempt(after: attempt, request.unconditional))
    }
    let confirmed = AnyEntity(
      content: derived ?? entity.content, headers: headers, timestamp: date, responseURL: url,
      byteCount: entity.byteCount, variant: variant(of: headers), received: received)
    let cacheChange =
      settings.value.cache != nil
      ? cacheChange(confirming: known, as: confirmed, requestedBy: request) : nil
    let stated = lifetime(
      of: headers, status: 200, isRedirected: response.isRedirected, date: date,
      after: arrival - sent)
    let varies = request.isVaryingResponse(headers)
    let lifetime = usableLifetime(stated, variesByDecoration: varies)
    let fetched = Fetched(
      entity: confirmed, confirming: known, lifetime: lifetime, cacheChange: cacheChange, by: self,
      variesByDecoration: varies)
    return .ended(.success(fetched))
  }

  /// The header fields of content after a 304; and those of its response, if transforms have changed them.
  private func updated(
    _ entity: AnyEntity, by notModified: HTTPHeaders
  ) -> (headers: HTTPHeaders, received: AnyEntity.Received?) {
    guard let received = entity.received else {
      return (entity.headers.merging(notModified: notModified), nil)
    }
    let changes = notModified.changes(since: received.headers)
    let headers = received.headers.merging(notModified: notModified)
    return (
      entity.headers.merging(notModified: changes),
      AnyEntity.Received(headers, variant: variant(of: headers))
    )
  }

  /// The freshness lifetime that a response states; zero if it is not to be reused.
  private func usableLifetime(
    _ stated: Duration?, variesByDecoration: Bool
  ) -> Duration? {
    settings.value.responseFreshness != nil && variesByDecoration ? .zero : stated
  }

  /// What follows a failed attempt; throws the error if nothing does.
  private func step(
    retryingAfter error: ResourceError, _ attempt: Attempt, _ request: PreparedRequest
  ) throws(ResourceError) -> Step {
    let retry = request.failed(
      error, retries: settings.value.retryPolicy, timeout: settings.value.timeout,
      random: settings.value.random())
    guard let retry, !Task.isCancelled else { throw error }
    return .retry(Attempt(after: attempt, retry.next), after: retry.delay, error)
  }
}
