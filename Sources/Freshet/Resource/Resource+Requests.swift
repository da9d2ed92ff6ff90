import Foundation

extension Resource {
  /// Sends a request to the URL of this resource, without changing the state of the resource.
  ///
  /// The response is read by the decoder; ``ContentDecoder/nothing`` ignores its body. To show the
  /// response in the resource, pass the request to ``load(using:)``.
  ///
  /// The configuration for that HTTP method applies. If ``Service/Configuration/responseFreshness`` is set, a
  /// successful request with an unsafe method (2xx or 3xx) invalidates the resources with that URL, even if
  /// its response cannot be read, its redirect leads to a failure, or a later attempt fails. A request that times out
  /// also does, because the server may have performed it.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory if it invalidates.
  @discardableResult
  public func request<Response: Sendable>(
    _ method: HTTPMethod, body: RequestBody? = nil, decoder: ContentDecoder<Response>
  ) -> Request<Response> {
    let exchange = exchange(method, body: body, decoder: decoder.erased)
    let invalidates = !method.isSafe && exchange.settings.value.responseFreshness != nil
    return invalidates ? beginInvalidating(exchange) : .begin(exchange, in: store.scope)
  }

  /// Begins a request whose success invalidates the resources with the URL of this one; so does that of each
  /// repetition.
  private func beginInvalidating<Response: Sendable>(_ exchange: Exchange) -> Request<Response> {
    // Without holding the resource: a new one does the same for those that exist by then.
    let (key, decoder, scope) = (key, decoder, store.scope)
    let request = Request<Response>.begin(exchange, in: scope) { [weak self, weak store = store] in
      let resource =
        exchange.unusable == nil ? self ?? store?.resource(key, decoder: decoder) : nil
      return resource?.beginInvalidating(exchange) ?? .begin(exchange, in: scope)
    }
    if !request.isCompleted { request.assign(to: InvalidatingRequest(request, of: self)) }
    return request
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

  /// Sends a request whose response body is ignored.
  @discardableResult
  public func request(
    _ method: HTTPMethod, body: RequestBody? = nil, as type: NoContent.Type
  ) -> Request<NoContent> {
    request(method, body: body, decoder: .nothing)
  }
}
