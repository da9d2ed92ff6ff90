import Foundation

/// A change of one entry of the persistent cache.
enum CacheChange: Sendable {
  case store(CachedEntry)
  case remove
  /// A 304 has confirmed a response, whose entry is updated. An entry of another response is removed.
  case confirm(Confirmation)

  /// The change of an entry by a response of status 304.
  struct Confirmation: Sendable {
    /// The validators, and the ``CachedEntry/variant``, of the response that it is about.
    var validators: HTTPValidators
    var variant: UInt64 = 0
    let headers: HTTPHeaders
    let date: Date
    /// The variant by the new header fields: they may name others in `Vary` than the old ones.
    var newVariant: UInt64 = 0
  }

  /// The same change if an older one has not been carried out yet; nil for none.
  func following(_ older: CacheChange?) -> CacheChange {
    guard case .confirm(let confirmation) = self, let older else { return self }
    let isAbout =
      switch older {
      case .store(let entry): confirmation.isAbout(entry.response.headers, entry.variant)
      case .remove: false
      // The older one may change the validators of the entry that this one is about.
      case .confirm(let older): confirmation.isAbout(older.headers, older.newVariant)
      }
    return isAbout ? older.updated(by: confirmation) : .remove
  }

  /// This change and a confirmation of what it leaves, in one.
  func updated(by confirmation: Confirmation) -> CacheChange {
    switch self {
    case .store(let entry): return .store(entry.updated(by: confirmation))
    case .remove: return .remove
    case .confirm(let older):
      var confirmation = confirmation
      (confirmation.validators, confirmation.variant) = (older.validators, older.variant)
      return .confirm(confirmation)
    }
  }

  /// About how many bytes it holds.
  var byteCount: Int {
    switch self {
    case .store(let entry): entry.response.body.count + entry.response.headers.byteCount
    case .remove: 0
    case .confirm(let confirmation): confirmation.headers.byteCount
    }
  }

  /// The entry after this change; nil for none.
  func applied(to entry: CachedEntry?) -> CachedEntry? {
    switch self {
    case .store(let entry): entry
    case .remove: nil
    case .confirm(let confirmation): entry?.confirmed(by: confirmation)
    }
  }
}

extension CacheChange.Confirmation {
  /// Whether the 304 is about the response with these header fields and this variant.
  fileprivate func isAbout(_ headers: HTTPHeaders, _ variant: UInt64) -> Bool {
    HTTPValidators(headers) == validators && variant == self.variant
      // One that has been confirmed by this 304 already may have got other validators from it.
      || headers == self.headers && variant == newVariant
  }
}

extension CachedEntry {
  /// The entry after a 304; nil if that is about another response.
  func confirmed(by confirmation: CacheChange.Confirmation) -> CachedEntry? {
    confirmation.isAbout(response.headers, variant) ? updated(by: confirmation) : nil
  }

  fileprivate func updated(by confirmation: CacheChange.Confirmation) -> CachedEntry {
    var entry = self
    entry.response.headers = confirmation.headers
    entry.timestamp = confirmation.date
    entry.variant = confirmation.newVariant
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

extension ResourceKey {
  /// About how many bytes it holds, and what waits with it for its turn.
  var byteCount: Int { 1024 + url.utf8.count + 2 * (body?.count ?? 0) + headers.byteCount }
}

extension HTTPHeaders {
  fileprivate var byteCount: Int {
    fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }
}
