import Foundation

extension Resource {
  /// Sends a request to the URL of this resource, which never touches its state.
  ///
  /// The response is decoded as `Response`, which is the content type of the resource unless told
  /// otherwise; `NoContent` passes over the body. To show the response in the resource, feed it with
  /// ``load(using:)``.
  ///
  /// The configuration of that HTTP method applies.
  @discardableResult
  public func request<Response: Sendable>(
    _ method: HTTPMethod, body: RequestBody? = nil, decoder: ContentDecoder<Response>
  ) -> Request<Response> {
    .begin(exchange(method, body: body, decoder: decoder.erased), in: store.scope)
  }

  /// Sends a request whose response is decoded like the content of this resource.
  @discardableResult
  public func request(_ method: HTTPMethod, body: RequestBody? = nil) -> Request<Content> {
    request(method, body: body, decoder: decoder)
  }

  /// Sends a request whose response is `Data`, `String` or JSON of a `Decodable` type.
  @discardableResult
  public func request<Response: Decodable & Sendable>(
    _ method: HTTPMethod, body: RequestBody? = nil, as type: Response.Type
  ) -> Request<Response> {
    request(method, body: body, decoder: .standard)
  }

  /// Sends a request whose response's body does not matter.
  @discardableResult
  public func request(
    _ method: HTTPMethod, body: RequestBody? = nil, as type: NoContent.Type
  ) -> Request<NoContent> {
    request(method, body: body, decoder: .nothing)
  }
}

extension AnyResource {
  /// The exchange that a load of this resource is.
  final func exchange() -> Exchange {
    Exchange(
      key: key, decoder: anyDecoder, settings: currentConfiguration,
      context: store.scope.context, unusable: unusable)
  }

  /// An exchange with the URL of this resource that has nothing to do with its content.
  final func exchange(
    _ method: HTTPMethod, body: RequestBody?, decoder: AnyDecoder
  ) -> Exchange {
    let isLoad = method == key.method && body == nil
    let configuration =
      isLoad ? currentConfiguration : store.configuration(method, key.url)
    return Exchange(
      key: isLoad ? key : ResourceKey(method: method, url: key.url, headers: key.headers),
      body: body, decoder: decoder, settings: configuration, context: store.scope.context,
      unusable: unusable)
  }
}
