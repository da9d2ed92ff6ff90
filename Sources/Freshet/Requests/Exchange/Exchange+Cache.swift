import Foundation

/// The persistent cache: an entry is read like a response, and written after one.
extension Exchange {
  /// The entry of the persistent cache, read like a response; nil if there is none, or it cannot be
  /// read.
  ///
  /// - Parameter change: a change of the entry that is not carried out yet.
  @concurrent
  func restore(after change: CacheChange?) async -> Restored? {
    do {
      guard let entry = try await entry(after: change),
        entry.variant == variant(of: entry.response.headers)
      else { return nil }
      let fetched = try read(entry.response, date: entry.timestamp, after: .zero)
      return Restored(
        entity: fetched.entity, age: age(of: entry.timestamp), lifetime: fetched.lifetime)
    } catch {
      log(.cacheFailure, "\(location) could not be read: \(Redaction.nature(of: error))")
      return nil
    }
  }

  /// The time since a date. A date in the future is from a clock that cannot be trusted: such
  /// content is shown, but not fresh.
  func age(of date: Date) -> Duration {
    let (age, longAgo) = (clock.date.timeIntervalSince(date), Double(1 << 40))
    return .seconds(age >= 0 && age < longAgo ? age : longAgo)
  }

  private func entry(after change: CacheChange?) async throws -> CachedEntry? {
    switch change {
    case .store(let entry): return entry
    case .remove: return nil
    case .confirm(let validators, let headers, let date):
      return try await settings.value.cache?.entry(for: key)?
        .confirmed(validators, headers, date: date)
    case nil: return try await settings.value.cache?.entry(for: key)
    }
  }

  /// Puts a response into the persistent cache, or removes the older one where the server forbids it.
  func write(_ response: HTTPResponse, date: Date) -> CacheWrites.Write? {
    guard settings.hasCache else { return nil }
    let freshness = HTTPFreshness(
      status: response.status, headers: response.headers, requestHeaders: settings.value.headers,
      responseDate: date, responseDelay: .zero)
    guard !freshness.noStore else { return forget() }
    return writing(
      .store(
        CachedEntry(response: response, timestamp: date, variant: variant(of: response.headers))))
  }

  /// Brings the entry of the persistent cache up to date after a 304.
  func confirm(
    _ validators: HTTPValidators, _ headers: HTTPHeaders, date: Date
  ) -> CacheWrites.Write? {
    writing(.confirm(validators, headers, date: date))
  }

  /// Puts content from another exchange into the persistent cache; where the decoder could not read
  /// it from there, removes the older entry.
  ///
  /// - Parameters:
  ///   - write: what the other exchange would do to its own entry.
  ///   - other: the other exchange; nil for content that was derived from it.
  func adopt(_ write: CacheWrites.Write?, of other: Exchange?) -> CacheWrites.Write? {
    guard case .store? = write?.change, let write, let other, decoder.reads(like: other.decoder),
      settings === other.settings
        || settings.value.pipeline.isEmpty && other.settings.value.pipeline.isEmpty
    else { return forget() }
    return writing(write.change)
  }

  /// Removes the entry of the persistent cache.
  func forget() -> CacheWrites.Write? {
    writing(.remove)
  }

  private func writing(_ change: CacheChange) -> CacheWrites.Write? {
    // Before anything is made for it: mostly there is no cache.
    guard settings.hasCache else { return nil }
    return CacheWrites.Write(change, of: key) { await self.write(change) }
  }

  @concurrent
  private func write(_ change: CacheChange) async {
    guard let cache = settings.value.cache else { return }
    do {
      switch change {
      case .store(let entry): try await cache.store(entry, for: key)
      case .remove: try await cache.remove(key)
      case .confirm:
        if let entry = try await entry(after: change) {
          try await cache.store(entry, for: key)
        } else {
          try await cache.remove(key)
        }
      }
    } catch {
      log(.cacheFailure, "\(location) could not be written: \(Redaction.nature(of: error))")
    }
  }
}
