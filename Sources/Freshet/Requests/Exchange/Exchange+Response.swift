import Foundation

/// Makes content, or an error, from the response.
extension Exchange {
  /// Reads content from a response that has the right status.
  ///
  /// - Parameters:
  ///   - date: when the response arrived; its freshness lifetime is counted from then.
  ///   - delay: the time from sending the request to that arrival.
  /// - Returns: the content, and its freshness lifetime if the server says so.
  func read(
    _ received: HTTPResponse, date: Date, after delay: Duration
  ) throws(ResourceError) -> (entity: AnyEntity, lifetime: Duration?) {
    do {
      let response = try settings.value.pipeline.transform(received)
      let (headers, url) = (response.headers, responseURL(of: response))
      let lifetime = lifetime(
        of: response.headers, status: response.status, isRedirected: received.isRedirected,
        date: date, after: delay)
      var input = DecodingInput(
        response: consume response, key: key, jsonSettings: settings.value.json)
      if settings.value.log != nil {
        input.warn = { oddity, message in
          let category: Service.LogEntry.Category =
            switch oddity {
            case .mislabeledContent: .mislabeledContent
            case .presumedEnd: .presumedEnd
            case .doubtfulPage: .doubtfulPage
            }
          self.log(category, "\(self.location): \(message)")
        }
      }
      let decoded = try decoder.decode(input, date: date)
      let content = try decoder.transform(
        decoded, of: input.response, in: settings.value.pipeline)
      let entity = AnyEntity(
        content: content, headers: headers, timestamp: date, responseURL: url,
        byteCount: received.body.count, variant: variant(of: headers),
        received: changed(received.headers, to: headers))
      return (entity, lifetime)
    } catch let error as ResourceError {
      throw error
    } catch {
      throw ResourceError(
        .decoding, "\(location): a transform failed: \(Redaction.nature(of: error))",
        status: received.status,
        underlying: error, timestamp: date)
    }
  }

  /// The response before its transforms, if they have changed its header fields.
  private func changed(_ received: HTTPHeaders, to headers: HTTPHeaders) -> AnyEntity.Received? {
    // Mostly both are one array.
    guard headers != received else { return nil }
    return AnyEntity.Received(received, variant: variant(of: received))
  }

  /// Derives content that a 304 has confirmed again from the header fields, if it depends on
  /// them.
  ///
  /// - Throws: ``ContentConfirmation/BodyNeeded``, or the error of this exchange.
  func derived(
    _ content: AnyContent, confirmedBy headers: HTTPHeaders, at url: String,
    from oldHeaders: HTTPHeaders
  ) throws -> AnyContent? {
    guard let derivation = decoder.derivation else { return nil }
    let confirmation = ContentConfirmation(
      key: key, url: url, oldHeaders: oldHeaders, headers: headers)
    do {
      return try derivation(content, confirmation)
    } catch let error as ContentConfirmation.BodyNeeded {
      throw error
    } catch {
      throw ResourceError(
        .decoding,
        """
        \(location) confirmed its content (304) with header fields that it cannot have: \
        \(Redaction.nature(of: error))
        """,
        status: 304, underlying: error, timestamp: clock.date)
    }
  }

  /// The URL of the response: the text that the key has already, if it is the same.
  func responseURL(of response: HTTPResponse) -> String {
    let url = response.urlString
    return url == key.url ? key.url : url
  }

  /// Throws the error for a response whose status means that it has no content to read.
  func check(_ response: HTTPResponse) throws(ResourceError) {
    switch response.status {
    case 206 where response.isPart:
      throw failure(.badResponse, response, "sent a part (206) where the whole was asked for")
    case 200..<300: return
    case 300..<400:
      throw failure(.redirect, response, "redirects (\(response.status)) to nowhere usable")
    default: throw refusal(response)
    }
  }

  /// How long a response with these header fields stays fresh after its arrival; nil if the configuration
  /// decides.
  ///
  /// What the URL at the end of a redirect states is of that URL: the redirect may lead elsewhere sooner (RFC 9111
  /// section 4).
  func lifetime(
    of headers: HTTPHeaders, status: Int, isRedirected: Bool, date: Date, after delay: Duration
  ) -> Duration? {
    guard let limits = settings.value.responseFreshness, HTTPFreshness.isStated(in: headers)
    else { return nil }
    let freshness = HTTPFreshness(
      status: status, headers: headers, responseDate: date, responseDelay: delay,
      usesHeuristics: limits.usesHeuristics)
    let lifetime = freshness.lifetime(in: limits.minimum...limits.maximum)
    guard isRedirected else { return lifetime }
    return lifetime.map { min($0, settings.value.freshnessLifetime) }
  }

  /// How long content that another exchange has received stays fresh after its arrival, by the configuration of this
  /// one; nil if that decides without the header fields.
  func lifetime(adopting fetched: Fetched) -> Duration? {
    let limits = settings.value.responseFreshness
    guard let other = fetched.exchange, other.settings.value.responseFreshness != limits else {
      return fetched.lifetime
    }
    let entity = fetched.entity
    if limits != nil, fetched.variesByDecoration { return .zero }
    let isRedirected = entity.responseURL.map { !URIReference.isSameURL($0, as: other.key.url) }
    return lifetime(
      of: entity.headers, status: fetched.status, isRedirected: isRedirected ?? false,
      date: entity.timestamp, after: .zero)
  }

  /// Which of the representations of its URL a response is; see ``HTTPVariant``.
  ///
  /// The fields of the configuration count, and those of the identity. Those that a decoration or an
  /// authorizer adds do not: they are not known before the request is sent, and what is shown until then
  /// depends on it; see ``PreparedRequest/isVaryingResponse(_:)``.
  func variant(of response: HTTPHeaders) -> UInt64 {
    guard response.first("Vary") != nil else { return user }
    return HTTPVariant.digest(of: headers(), varyingBy: response, for: user)
  }

  /// A digest of who asks; 0 for anyone, and if the URL receives no credentials. Those of a decoration go to
  /// any origin.
  var user: UInt64 {
    guard settings.user != 0, !isOwnOrigin else { return settings.user }
    let isDecorated = !settings.value.decorations.isEmpty
    return isDecorated && settings.value.userIdentifier != nil ? settings.user : 0
  }
}
