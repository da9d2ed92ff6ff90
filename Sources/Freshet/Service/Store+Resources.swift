extension Store {
  /// The decoder that a resource of this type has when none is named, made once.
  func standardDecoder<Content: Decodable & Sendable>() -> ContentDecoder<Content> {
    let type = ObjectIdentifier(Content.self)
    if let known = standardDecoders[type] { return ContentDecoder(known) }
    let made = ContentDecoder<Content>.standard
    standardDecoders[type] = made.erased
    return made
  }

  /// The one resource of that method, URL and content type; made if there is none.
  ///
  /// An unusable URL gives a resource whose loads fail; it is not shared.
  func resource<Content: Sendable>(
    _ method: HTTPMethod, _ url: @autoclosure () throws(UnusableURL) -> String,
    body: JSONText? = nil, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    let body = body?.canonical.bytes
    do throws(UnusableURL) {
      let url = try url()
      return resource(
        ResourceKey(method: method, url: url, body: body, headers: varyingHeaders(method, url)),
        decoder: decoder)
    } catch {
      return Resource(
        key: ResourceKey(method: method, url: error.url, body: body), decoder: decoder,
        store: self, unusable: error)
    }
  }

  /// The one resource of that key and content type; made if there is none.
  func resource<Content: Sendable>(
    _ key: ResourceKey, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    let identity = Registry.Identity(
      key: key, type: ObjectIdentifier(Resource<Content>.self), decoder: decoder.name)
    if let known = registry?.resource(identity) {
      return unsafeDowncast(known, to: Resource<Content>.self)
    }
    let made = Resource(key: key, decoder: decoder, store: self)
    registry?.insert(made, as: identity)
    return made
  }

  /// The header fields that select content for this URL: lower-case names in sorted order. Another
  /// origin gets the harmless ones, as it does of all headers of the configuration.
  private func varyingHeaders(_ method: HTTPMethod, _ url: String) -> HTTPHeaders {
    guard mayVary else { return [:] }
    let configuration = configuration(method, url).value
    let headers = configuration.headers
    let sent = isOwnOrigin(url) ? headers : headers.keeping(HTTPHeaders.harmless)
    let fields = Set(configuration.varyingHeaders.map(\.asciiLowercased)).sorted()
      .compactMap { name in sent[name].map { HTTPHeaders.Field(name: name, value: $0) } }
    return HTTPHeaders(fields)
  }
}
