extension Resource {
  /// The same resource with a query parameter set to one value, or without it for nil.
  ///
  /// Parameters stand sorted by name, so the order of calls makes no difference; what was there keeps
  /// its percent-encoding.
  public func withParam(_ name: String, _ value: String?) -> Resource<Content> {
    withParams([name: value.map { [$0] } ?? []])
  }

  /// The same resource with query parameters set, each to any number of values; none removes it.
  public func withParams(_ params: [String: [String]]) -> Resource<Content> {
    var query = URIQuery(url: key.url)
    for (name, values) in params { query.set(name, to: values) }
    query.sortByName()
    if let unusable {
      return Resource(key: key, decoder: decoder, store: store, unusable: unusable)
    }
    let key = ResourceKey(
      method: key.method, url: query.url, body: key.body, headers: key.headers)
    return store.resource(key, decoder: decoder)
  }
}
