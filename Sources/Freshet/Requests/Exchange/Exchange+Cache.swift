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
      guard let entry = try await use.entry(),
        entry.variant == variant(of: entry.response.headers)
      else { return nil }
      let fetched = try read(entry.response, date: entry.timestamp, after: .zero)
      return Restored(
        entity: fetched.entity, age: age(of: entry.timestamp), lifetime: fetched.lifetime)
    } catch {
      logCacheFailure("read", error)
      return nil
    }
  }

  /// The time since a date. A date in the future is from a clock that cannot be trusted: such
  /// content is shown, but not fresh.
  func age(of date: Date) -> Duration {
    let (age, longAgo) = (clock.date.timeIntervalSince(date), Double(1 << 40))
    return .seconds(age >= 0 && age < longAgo ? age : longAgo)
  }

  /// The use of the persistent cache by a load; nil where its entries would be of an unknown user.
  func use(of cache: any EntityCache) -> CacheUse? {
    guard !isOfUnknownUser else { return nil }
    let work = CacheWork(for: clock) { self.logCacheFailure("written", $0) }
    return CacheUse(of: key, in: cache, work)
  }

  /// Whether an authorizer adds the credentials, and nothing says whose they are.
  private var isOfUnknownUser: Bool { settings.value.account == nil && isAuthorized }

  private func logCacheFailure(_ operation: String, _ error: any Error) {
    // A cache that cannot be used at all is reported once, not by each load.
    guard (error as? DiskCacheError)?.isRepeated != true else { return }
    log(.cacheFailure, "\(location) could not be \(operation): \(Redaction.nature(of: error))")
  }

  /// Puts a response into the persistent cache, or removes the older one where the server forbids it.
  ///
  /// What belongs to an unknown user is not kept: another one would be shown it.
  ///
  /// - Parameter request: the request that was sent, before authorization.
  func write(_ response: HTTPResponse, to request: HTTPRequest, date: Date) -> CacheChange? {
    guard !isOfUnknownUser else { return nil }
    guard mayStore(response.status, response.headers, of: request, date) else { return .remove }
    guard !addsCredentials(request) else {
      log(
        .cacheFailure,
        """
        \(location) was not stored: a decoration has added credentials. Set \
        Service.Configuration.account to the user that they belong to.
        """)
      return .remove
    }
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
    ).noStore
  }

  /// Whether decorations have added credentials, cookies too, and nothing says whose they are.
  private func addsCredentials(_ request: HTTPRequest) -> Bool {
    guard settings.value.account == nil, !settings.value.decorations.isEmpty else { return false }
    let known = headers()
    return request.headers.fields.contains {
      Redaction.isSecretName($0.name) && request.headers[$0.name] != known[$0.name]
    }
  }

  /// Brings the entry of the persistent cache up to date after a 304.
  ///
  /// - Parameters:
  ///   - request: the request that was sent, before authorization.
  ///   - variant: that of the response that it has confirmed.
  func confirm(
    _ confirmation: AnyEntity.Confirmation, of request: HTTPRequest, variant: UInt64
  ) -> CacheChange {
    guard mayStore(200, confirmation.headers, of: request, confirmation.date),
      !addsCredentials(request)
    else { return .remove }
    return .confirm(
      CacheChange.Confirmation(
        validators: confirmation.validators, variant: variant, headers: confirmation.headers,
        date: confirmation.date, newVariant: confirmation.variant))
  }

  /// Puts content from another exchange into the persistent cache; where that did not keep the response
  /// for a cache, or the decoder could not read it from there, removes the older entry.
  ///
  /// - Parameters:
  ///   - write: what the other exchange would do to its own entry.
  ///   - other: the other exchange; nil for content that was derived from it.
  func adopt(_ write: CacheChange?, of other: Exchange?) -> CacheChange {
    guard case .store(var entry)? = write, let other, decoder.reads(like: other.decoder),
      settings === other.settings
        || settings.value.pipeline.isEmpty && other.settings.value.pipeline.isEmpty
    else { return .remove }
    // Of the user of this exchange, whoever requested it: so the program says.
    if entry.response.headers.first("Vary") == nil { entry.variant = user }
    return .store(entry)
  }

  /// Removes the entries of persistent caches.
  func forget(in caches: some Sequence<any EntityCache>) {
    let work = CacheWork(for: clock) { self.logCacheFailure("removed", $0) }
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
  func passOver() {
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
  /// The freshness lifetime from the server, where it is used.
  let lifetime: Duration?
}
