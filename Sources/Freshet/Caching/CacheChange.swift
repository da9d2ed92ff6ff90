import Foundation

/// A change of one entry of the persistent cache.
enum CacheChange: Sendable {
  case store(CachedEntry)
  case remove
  /// A 304 has confirmed the response with these validators: its entry gets these header fields and this
  /// timestamp. An entry of another response is removed.
  case confirm(HTTPValidators, HTTPHeaders, date: Date)

  /// The same change where an older one has not been carried out yet; nil for none.
  func following(_ older: CacheChange?) -> CacheChange {
    guard case .confirm(let validators, let headers, let date) = self else { return self }
    switch older {
    case nil: return self
    case .store(let entry):
      return entry.confirmed(validators, headers, date: date).map(CacheChange.store) ?? .remove
    case .remove: return .remove
    case .confirm(let old, let oldHeaders, _):
      // The older one may change the validators of the entry that this one is about.
      return HTTPValidators(oldHeaders) == validators || oldHeaders == headers
        ? .confirm(old, headers, date: date) : .remove
    }
  }

  /// What becomes of an entry.
  func applied(to entry: CachedEntry?) -> CachedEntry? {
    switch self {
    case .store(let entry): entry
    case .remove: nil
    case .confirm(let validators, let headers, let date):
      entry?.confirmed(validators, headers, date: date)
    }
  }
}

extension CachedEntry {
  /// The entry after a 304 to a request with these validators; nil where the entry has others, so that the
  /// 304 is about another response.
  func confirmed(
    _ validators: HTTPValidators, _ headers: HTTPHeaders, date: Date
  ) -> CachedEntry? {
    // One that has been confirmed by this 304 already may have got other validators from it.
    guard HTTPValidators(response.headers) == validators || response.headers == headers else {
      return nil
    }
    var entry = self
    entry.response.headers = headers
    entry.timestamp = date
    return entry
  }
}

extension EntityCache {
  /// Makes a change of one entry.
  @concurrent
  func make(_ change: CacheChange, of key: ResourceKey) async throws {
    var change = change
    if case .confirm = change {
      change = change.applied(to: try await entry(for: key)).map(CacheChange.store) ?? .remove
    }
    if case .store(let entry) = change {
      try await store(entry, for: key)
    } else {
      try await remove(key)
    }
  }
}
