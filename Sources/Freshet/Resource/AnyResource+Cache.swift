/// What the persistent cache has of a resource, without a load.
extension AnyResource {
  /// Shows the entry of the persistent cache as `.newData(.cache)`, however old it is, without a load.
  ///
  /// - Parameters:
  ///   - isWanted: asked once the entry is read; otherwise it is not shown.
  ///   - onEnd: called after that event, or where nothing is shown, with whether the configuration has changed
  ///     meanwhile: then there may be another entry to show.
  /// - Returns: the read, to be held while its end is wanted, and cancelled after that. Nil without a cache, where
  ///   there is content, or while a load is in flight, which reads the cache.
  final func restore(
    ifWanted isWanted: @escaping (_ reading: AnyRequest) -> Bool,
    onEnd: @escaping (_ isOutdated: Bool) -> Void
  ) -> AnyRequest? {
    guard state.mayBeRestored, !state.isLoading else { return nil }
    let settings = currentConfiguration
    guard let cache = settings.value.cache else { return nil }
    let exchange = exchange(settings)
    guard let use = exchange.beginUse(of: cache) else { return nil }
    let restoration = Restoration(of: exchange, use)
    let wipe = state.confirmingLoad
    let reading = AnyRequest(scope: store.scope, exchange: exchange)
    reading.run(within: settings.value.timeout, .readingCache(skip: restoration.skip)) {
      await restoration.entry()
    } completion: { [weak self] reading, restored in
      guard let self else { return reading.cancel() }
      // Otherwise another user may ask by now.
      let isOutdated = settings.version != store.configurationVersion
      if let restored, !isOutdated, isWanted(reading), state.mayBeRestored, !state.isLoading,
        state.confirmingLoad == wipe
      {
        show(restored, for: nil, settings)
      }
      reading.cancel()
      onEnd(isOutdated)
    }
    return reading
  }

  /// Which representation a response with these header fields is for this resource; see ``HTTPVariant``.
  final func variant(of headers: HTTPHeaders, in settings: ConfigurationVersion) -> UInt64 {
    // Mostly there is nothing to compare. Not making an exchange for it saves 3 % of a change by the program.
    guard settings.user != 0 || headers.first("Vary") != nil else { return 0 }
    return exchange(settings).variant(of: headers)
  }

  /// Removes the entries of this resource from all persistent caches that resources of the store have had,
  /// even if the configuration names another one by now.
  final func forgetEntries() {
    // First: the configuration may name a cache that no resource has had yet.
    let exchange = exchange(currentConfiguration)
    exchange.forget(in: store.usedCaches.values)
  }
}
