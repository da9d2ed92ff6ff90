import Foundation

/// The persistent cache: an entry is read like an answer, and written behind one.
extension Exchange {
  /// The entry of the persistent cache, read like an answer; nil where there is none that can be read.
  @concurrent
  func restore() async -> Restored? {
    guard let cache = settings.value.cache else { return nil }
    do {
      guard let entry = try await cache.entry(for: key) else { return nil }
      let fetched = try read(entry.response, date: entry.timestamp, after: .zero)
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
  func write(_ response: HTTPResponse, date: Date) -> CacheWrites.Write? {
    guard settings.hasCache else { return nil }
    let freshness = HTTPFreshness(
      status: response.status, headers: response.headers, responseDate: date,
      responseDelay: .zero)
    guard !freshness.noStore else { return forget() }
    let entry = CachedEntry(response: response, timestamp: date)
    return writing { cache, key in try await cache.store(entry, for: key) }
  }

  /// Brings the entry of the persistent cache up to date after a 304.
  func confirm(_ headers: HTTPHeaders, date: Date) -> CacheWrites.Write? {
    // Before anything is made for it: mostly there is none.
    guard settings.hasCache else { return nil }
    return writing { cache, key in
      guard var entry = try await cache.entry(for: key) else { return }
      entry.response.headers = headers
      entry.timestamp = date
      try await cache.store(entry, for: key)
    }
  }

  /// Removes the entry of the persistent cache.
  func forget() -> CacheWrites.Write? {
    writing { cache, key in try await cache.remove(key) }
  }

  private func writing(
    _ change: @escaping @Sendable (any EntityCache, ResourceKey) async throws -> Void
  ) -> CacheWrites.Write? {
    guard let cache = settings.value.cache else { return nil }
    return {
      do {
        try await change(cache, self.key)
      } catch {
        self.log(
          .cacheFailure, "\(self.place) could not be written: \(Redaction.nature(of: error))")
      }
    }
  }
}
