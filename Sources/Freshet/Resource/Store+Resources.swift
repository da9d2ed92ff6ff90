extension Store {
  /// The one resource of that path below the base URL; made if there is none.
  ///
  /// - Parameter registry: that of this store, for callers that have it.
  func resource<Content: Sendable>(
    _ path: String, decoder: ContentDecoder<Content>, in registry: Registry
  ) -> Resource<Content> {
    if !mayVary {
      let plain = base.withPlainURL(of: path) {
        resource(gettingPlainly: $0, decoder: decoder, in: registry)
      }
      if let plain { return unsafeDowncast(plain, to: Resource<Content>.self) }
    }
    return resource(.get, try base.resolve(path), decoder: decoder)
  }

  /// The one resource of an absolute URL; made if there is none.
  func resource<Content: Sendable>(
    absoluteURL: String, decoder: ContentDecoder<Content>, in registry: Registry
  ) -> Resource<Content> {
    if !mayVary {
      // Without a string of the URL, its origin and its parts: saves 63 % of a look-up.
      let plain = URIReference.withPlainURL(absoluteURL) {
        resource(gettingPlainly: $0, decoder: decoder, in: registry)
      }
      if let plain { return unsafeDowncast(plain, to: Resource<Content>.self) }
    }
    return resource(.get, try base.absolute(absoluteURL), decoder: decoder)
  }

  /// The one resource of a reference that leads to the origin of its base; nil if it is not as plain as
  /// nearly all are. Saves half of `walk.recipe`.
  func resource<Content: Sendable>(
    at reference: String, from base: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content>? {
    guard !mayVary, let registry,
      let plain = URIReference.withPlainURL(
        of: reference, against: base,
        { resource(gettingPlainly: $0, decoder: decoder, in: registry) })
    else { return nil }
    return unsafeDowncast(plain, to: Resource<Content>.self)
  }

  /// The one resource of a GET that is just this URL, of the type of its decoder's content; made if there is
  /// none. It is returned without that type, for closures that are compiled once.
  private func resource<Content: Sendable>(
    gettingPlainly url: UnsafeRawBufferPointer, decoder: ContentDecoder<Content>,
    in registry: Registry
  ) -> AnyResource {
    registry.resource(gettingPlainly: url, decoder.erased) { key in
      Resource(key: key, decoder: decoder, store: self)
    }
  }

  /// The one resource of that method, URL and content type; made if there is none.
  ///
  /// An unusable URL gives a resource whose loads fail; it is not shared.
  func resource<Content: Sendable>(
    _ method: HTTPMethod, _ url: @autoclosure () throws(UnusableURL) -> String,
    body: JSONText? = nil, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    do throws(UnusableURL) {
      return resource(key(method, try url(), body), decoder: decoder)
    } catch {
      return Resource(
        key: ResourceKey(method: method, url: error.url, body: body?.bytes),
        decoder: decoder, store: self, unusable: error)
    }
  }

  /// The one resource of that key and content type; made if there is none.
  func resource<Content: Sendable>(
    _ key: ResourceKey, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    guard let registry else { return Resource(key: key, decoder: decoder, store: self) }
    let resource = registry.resource(key, decoder.erased) {
      Resource(key: $0, decoder: decoder, store: self)
    }
    // Its decoder makes content of this type.
    return unsafeDowncast(resource, to: Resource<Content>.self)
  }

  private func key(_ method: HTTPMethod, _ url: String, _ body: JSONText?) -> ResourceKey {
    guard mayVary || body != nil || method != .get else { return ResourceKey(gettingPlainly: url) }
    return ResourceKey(
      method: method, url: url, body: body?.bytes, headers: varyingHeaders(method, url))
  }

  /// The header fields that select content for this URL: lower-case names in sorted order. To another
  /// origin only the non-credential ones go, as of all headers of the configuration.
  private func varyingHeaders(_ method: HTTPMethod, _ url: String) -> HTTPHeaders {
    guard mayVary else { return [:] }
    let configuration = configuration(method, url).value
    let headers = configuration.headers
    let sent = isOwnOrigin(url) ? headers : headers.keeping(HTTPHeaders.nonCredential)
    return ResourceKey.headers(configuration.varyingHeaders, of: sent)
  }

  /// The key of a request that has those header fields already; others that select content for it have the values
  /// of the configuration.
  ///
  /// - Parameter source: the request that it was derived from, such as that of the page whose link leads there:
  ///   fields that select content for both have the values of that one, even if it has none. Nil for none.
  func key(_ request: ResourceKey, linkedFrom source: ResourceKey? = nil) -> ResourceKey {
    guard mayVary else { return request }
    var headers = varyingHeaders(request.method, request.url)
    if let source {
      let areAllSent = isOwnOrigin(source.url)
      for name in configuration(source.method, source.url).value.varyingHeaders
      where areAllSent || HTTPHeaders.nonCredential.contains(name) {
        headers.remove(name)
      }
    }
    for field in request.headers.fields { headers[field.name] = field.value }
    return ResourceKey(
      method: request.method, url: request.url, body: request.body,
      headers: ResourceKey.headers(headers.fields.map(\.name), of: headers))
  }
}
