/// The exchanges of a resource, and whose they are.
extension AnyResource {
  /// The exchange that a load of this resource with that configuration is.
  final func exchange(_ settings: ConfigurationVersion) -> Exchange {
    Exchange(
      key: key, decoder: anyDecoder, settings: settings, context: store.scope.context,
      unusable: unusable)
  }

  /// An exchange with the URL of this resource that has nothing to do with its content.
  final func exchange(
    _ method: HTTPMethod, body: RequestBody?, decoder: AnyDecoder
  ) -> Exchange {
    let isLoad = method == key.method && body == nil
    let configuration =
      isLoad ? currentConfiguration : store.configuration(method, key.url)
    return Exchange(
      key: isLoad
        ? key : store.key(ResourceKey(method: method, url: key.url, headers: key.headers)),
      body: body, decoder: decoder, settings: configuration, context: store.scope.context,
      unusable: unusable)
  }

  /// Whether a load in flight is for another user than that of these settings. A request that was made elsewhere is
  /// for any user, because the program chose it.
  final func isOfOtherUser(
    _ id: ResourceState.LoadID, than settings: ConfigurationVersion
  ) -> Bool {
    guard let made = ownExchange(of: id), made.settings !== settings else { return false }
    return made.user != exchange(settings).user
  }

  /// Which representation a response with these header fields is for this resource; see ``HTTPVariant``.
  final func variant(of headers: HTTPHeaders, in settings: ConfigurationVersion) -> UInt64 {
    // Before an exchange is made for it: mostly there is nothing to compare.
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
