import Foundation

/// The persistent cache: an entry is read like a response, and written after one.
extension Exchange {
  /// The entry of the persistent cache, read like a response; nil if there is none, or it cannot be
  /// read.
  ///
  /// - Parameter use: that of the load.
  @concurrent
  func restore(_ use: CacheUse) async -> Restored? {
    do {
      return try await use.entry { entry in
        guard let entry, entry.variant == variant(of: entry.response.headers) else { return nil }
        var response = entry.response
        // The entry does not say to which URL the request was sent: what a decoration rewrites counts as redirected.
        response.isRedirected = !URIReference.isSameURL(response.urlString, as: key.url)
        let (entity, lifetime) = try read(response, date: entry.timestamp, after: .zero)
        return Restored(entity: entity, age: age(of: entry.timestamp), lifetime: lifetime)
      }
    } catch is CancellationError where Task.isCancelled {
      return nil
    } catch {
      await logCacheFailure("read", error)
      return nil
    }
  }

  /// The time since a date. A date in the future is from a clock that cannot be trusted: such
  /// content is shown, but not fresh.
  func age(of date: Date) -> Duration {
    let (age, longAgo) = (clock.date.timeIntervalSince(date), Double(1 << 40))
    return .seconds(age >= 0 && age < longAgo ? age : longAgo)
  }

  /// Begins the use of the persistent cache by a load; nil if its entries would be of an unknown user, or nothing can
  /// be requested: that has the key of what it was derived from, whose entry it is.
  func beginUse(of cache: any EntityCache) -> CacheUse? {
    guard unusable == nil, !isOfUnknownUser else { return nil }
    let work = CacheWork(for: clock) { await self.logCacheFailure("written", $0) }
    return CacheUse(of: key, in: cache, work)
  }

  /// Whether an authorizer adds the credentials, and nothing says whose they are.
  private var isOfUnknownUser: Bool { settings.value.userIdentifier == nil && isAuthorized }

  private func logCacheFailure(_ operation: String, _ error: any Error) async {
    // A cache that cannot be used at all is reported once, not by each load.
    guard await context.cacheReports.isNew(error) else { return }
    log(.cacheFailure, "\(location) could not be \(operation): \(Redaction.nature(of: error))")
  }

  /// The change that puts a response into the persistent cache, or removes the older one where the server forbids it.
  ///
  /// None where it belongs to an unknown user: another one would be shown it.
  ///
  /// - Parameter request: the request that was sent.
  func cacheChange(
    storing response: HTTPResponse, requestedBy request: PreparedRequest, date: Date
  ) -> CacheChange? {
    guard !isOfUnknownUser else { return nil }
    guard mayStore(response.status, response.headers, of: request.request, date),
      request.decoration?.unattributedPart == nil, !request.isVaryingResponse(response.headers)
    else { return .remove }
    return .store(
      CachedEntry(response: response, timestamp: date, variant: variant(of: response.headers)))
  }

  /// Whether neither the response nor the request forbids to keep it.
  private func mayStore(
    _ status: Int, _ headers: HTTPHeaders, of request: HTTPRequest, _ date: Date
  ) -> Bool {
    !HTTPFreshness(
      status: status, headers: headers, requestHeaders: request.headers, responseDate: date,
      responseDelay: .zero
    ).forbidsStoring
  }

  /// The part of a request with which decorations may say who asks, if that matters and nothing else says
  /// who that is; nil for none.
  ///
  /// - Parameter plain: the request without decorations.
  func unattributedPart(of request: HTTPRequest, decorating plain: HTTPRequest) -> String? {
    guard settings.value.cache != nil, settings.value.userIdentifier == nil else { return nil }
    return request.identifyingPart(since: plain)
  }

  /// Logs that responses are not stored; once for each part and version of the configuration.
  func reportUnattributed(_ part: String) async {
    guard !isOfUnknownUser, await context.cacheReports.isNew(part, inVersion: settings.version)
    else { return }
    log(
      .cacheFailure,
      """
      \(location) is not stored in the persistent cache, and nothing like it is: a decoration changes \
      \(part), and nothing says whose responses these are. Set Service.Configuration.userIdentifier to the user; \
      to any text if they are the same for everyone.
      """)
  }

  /// Logs that a response is not stored because it varies by what a decoration changes; once for each field and
  /// version of the configuration.
  func reportVarying(_ response: HTTPResponse, to request: PreparedRequest) async {
    guard !isOfUnknownUser, settings.value.cache != nil,
      request.decoration?.unattributedPart == nil,
      response.status == 200 || response.status == 304,
      let field = request.varyingField(of: response.headers),
      mayStore(200, response.headers, of: request.request, clock.date),
      await context.cacheReports.isNew(field, inVersion: settings.version)
    else { return }
    log(
      .cacheFailure,
      """
      \(location) is not stored in the persistent cache, and nothing like it is: a decoration changes \
      \(field), by which the response varies. Set it in Service.Configuration.headers.
      """)
  }

  /// The change that brings the entry of the persistent cache up to date after a 304.
  ///
  /// The entry has the response as it was received, so none of its transforms counts here.
  ///
  /// - Parameters:
  ///   - known: the content that it has confirmed.
  ///   - confirmed: that content as it is now.
  ///   - request: the request that was sent.
  func cacheChange(
    confirming known: KnownContent, as confirmed: AnyEntity, requestedBy request: PreparedRequest
  ) -> CacheChange {
    let headers = confirmed.receivedHeaders
    guard mayStore(200, headers, of: request.request, confirmed.timestamp),
      request.decoration?.unattributedPart == nil, !request.isVaryingResponse(headers)
    else { return .remove }
    return .confirm(
      CacheChange.Confirmation(
        validators: known.entity.received.map { HTTPValidators($0.headers) } ?? known.validators,
        variant: known.entity.receivedVariant, headers: headers, date: confirmed.timestamp,
        newVariant: confirmed.receivedVariant))
  }

  /// The change that puts content from another exchange into the persistent cache; if that did not keep the
  /// response for a cache, or the decoder could not read it from there, it removes the older entry.
  ///
  /// - Parameters:
  ///   - change: the change that the other exchange would make to its own entry.
  ///   - other: the other exchange; nil for content that no response has brought.
  func cacheChange(adopting change: CacheChange?, of other: Exchange?) -> CacheChange {
    guard case .store(var entry)? = change, let other, decoder.reads(like: other.decoder),
      settings === other.settings
        || settings.value.pipeline.isEmpty && other.settings.value.pipeline.isEmpty
    else { return .remove }
    // Of the user of this exchange, whoever requested it: so the program says.
    if entry.response.headers.first("Vary") == nil { entry.variant = user }
    return .store(entry)
  }

  /// Removes the entries of persistent caches, if there can be any.
  func forget(in caches: some Sequence<any EntityCache>) {
    guard unusable == nil else { return }
    let work = CacheWork(for: clock) { await self.logCacheFailure("removed", $0) }
    for cache in caches { CacheQueue.shared.remove(key, from: cache, work) }
  }
}

// MARK: - Restoring

/// One read from the persistent cache, which can be skipped even if the cache ignores cancellation.
///
/// The caller continues in the task that began the read, with its task-local values.
struct Restoration: Sendable {
  private let exchange: Exchange
  private let use: CacheUse
  private let entries: AsyncStream<Restored>
  private let found: AsyncStream<Restored>.Continuation

  init(of exchange: Exchange, _ use: CacheUse) {
    self.exchange = exchange
    self.use = use
    (entries, found) = AsyncStream.makeStream()
  }

  /// The entry; nil if there is none that can be read, or the read was skipped.
  @concurrent
  func entry() async -> Restored? {
    let reading = Task {
      if let entry = await exchange.restore(use) { found.yield(entry) }
      found.finish()
    }
    defer { reading.cancel() }
    for await entry in entries { return entry }
    return nil
  }

  /// Makes the caller of ``entry()`` continue without the entry, and logs that.
  func skip() {
    found.finish()
    exchange.log(
      .cacheFailure,
      "\(exchange.location) could not be read within \(exchange.settings.value.timeout)")
  }
}

/// Content from the persistent cache.
struct Restored: Sendable {
  let entity: AnyEntity
  /// How long ago the server sent or confirmed it.
  let age: Duration
  /// The freshness lifetime from the server, if it is used.
  let lifetime: Duration?
}
