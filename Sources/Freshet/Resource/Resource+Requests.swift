import Foundation

extension Resource {
  /// Sends a request to the URL of this resource, without changing the state of the resource.
  ///
  /// The response is read by the decoder; ``ContentDecoder/noContent`` ignores its body. To show the
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
    request(method, body: body, decoder: .noContent)
  }
}

/// A request with an unsafe method. Its success, by the status of a first response, makes what is stored of that
/// URL invalid, RFC 9111 section 4.4, except for resources that adopt its content.
final class InvalidatingRequest: RequestedLoad {
  private weak var request: AnyRequest?
  private weak var resource: AnyResource?
  /// Holds the resource, which the program need not, while the request does not end; if there is no
  /// service any more, only the program does.
  private let held: AnyResource?
  /// Whether an earlier attempt has succeeded so, though not as a whole.
  private var hasSucceeded = false

  init(_ request: AnyRequest, of resource: AnyResource) {
    self.request = request
    self.resource = resource
    held = resource.isKnownToService ? resource : nil
  }

  var isWanted: Bool { false }

  func retries(after error: ResourceError) {
    hasSucceeded = hasSucceeded || LoadOutcome.failure(error).isSuccessOfServer
  }

  func received(_ outcome: LoadOutcome) {
    guard hasSucceeded || outcome.isSuccessOfServer else { return }
    invalidate(isContent: outcome.fetched != nil)
  }

  func cancelled() {
    if hasSucceeded { invalidate(isContent: false) }
  }

  func waits() {}

  /// - Parameter isContent: whether the outcome is content, which the resources that load from the request adopt.
  private func invalidate(isContent: Bool) {
    guard let request, let resource else { return }
    let store = resource.store
    var all = store.registry?.all.filter { $0.key.url == resource.key.url } ?? []
    if !resource.isKnownToService { all.append(resource) }
    let adopters = isContent ? all.filter { $0.isLoading(from: request) } : []
    let others = all.filter { other in
      other.key.method.isSafe && !adopters.contains { $0 === other }
    }
    // Resources of other types have the same entries: these are replaced, and not by an older response to a load
    // of those.
    let replaced = adopters.map(\.key).filter { key in
      !others.contains { $0.key == key && $0.state.isLoading }
    }
    store.queue.together {
      for other in others {
        if !replaced.contains(other.key) { other.forgetEntries() }
        other.invalidate()
      }
    }
  }
}

extension LoadOutcome {
  /// Whether the server may have carried out the request, even if its response cannot be read: a
  /// redirect is a success, wherever it leads. One that keeps the method (307, 308) only asks for another request, but
  /// which kind it was is not known here, and invalidating too much costs one load at most. So it is with a timeout.
  fileprivate var isSuccessOfServer: Bool {
    switch self {
    case .success: true
    case .failure(let error):
      error.kind == .redirect || error.kind == .timeout || error.isRedirected
        || error.status.map((200..<400).contains) == true
    }
  }
}

extension AnyResource {
  /// An exchange with the URL of this resource that has nothing to do with its content.
  fileprivate final func exchange(
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

  /// Whether there is a service that finds this resource.
  fileprivate final var isKnownToService: Bool { isRegistered && store.registry != nil }
}
