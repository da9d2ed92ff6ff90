import Foundation

/// A store of resources with one base URL, configuration, transport and cache.
///
/// It returns the same ``Resource`` for the same request and content type while that resource is in
/// use.
///
/// ```swift
/// let service = Service(baseURL: "https://api.example.com/v1") {
///   $0.freshnessLifetime = .seconds(60)
/// }
/// service.configure("feed/**") { $0.headers["X-Feed"] = "compact" }
/// ```
///
/// A service and everything that it returns belong to one actor, and the compiler keeps them on it:
/// the main actor, or the actor that is passed as `isolation`. An actor with a service of its own
/// declares `lazy var service = Service(baseURL: …, isolation: self)`.
///
/// When a service is released, the requests that nothing else holds are cancelled. Resources that
/// are still held continue to work, and their requests are held until they end.
public final class Service {
  let store: Store
  private let registry: Registry
  private let running = RunningRequests()

  /// Creates a service that belongs to the main actor.
  ///
  /// The call compiles as the value of a stored property, a `static let`, a global variable or a
  /// default argument that is isolated to the main actor.
  ///
  /// - Parameters:
  ///   - baseURL: the absolute `http` or `https` URL that paths are relative to. With an unusable
  ///     one, every load fails with an error that says so.
  ///   - transport: sends the requests.
  ///   - clock: measures freshness, deadlines and waits.
  ///   - limits: how many resources are kept that are neither held nor observed.
  ///   - change: the first rule of the configuration, for all URLs, as
  ///     ``configure(_:methods:where:_:)`` adds it.
  @MainActor
  public convenience init(
    baseURL: String, transport: any Transport = SystemTransport(),
    clock: any StoreClock = .system, limits: RetentionLimits = RetentionLimits(),
    configure change: ((inout Configuration) -> Void)? = nil
  ) {
    self.init(
      baseURL: baseURL, transport: transport, clock: clock, limits: limits,
      isolation: MainActor.shared, configure: change)
  }

  /// Creates a service that belongs to an actor.
  ///
  /// Call it on that actor: with `isolation: self` in a method or a `lazy var` of an actor, and
  /// with `isolation: isolation` in a function that has a parameter `isolation: isolated any Actor`.
  /// A synchronous initializer of an actor is not on the actor yet: declare a `lazy var` instead.
  ///
  /// - Parameters:
  ///   - baseURL: the absolute `http` or `https` URL that paths are relative to. With an unusable
  ///     one, every load fails with an error that says so.
  ///   - transport: sends the requests.
  ///   - clock: measures freshness, deadlines and waits.
  ///   - limits: how many resources are kept that are neither held nor observed.
  ///   - isolation: the actor that the service belongs to.
  ///   - change: the first rule of the configuration, for all URLs, as
  ///     ``configure(_:methods:where:_:)`` adds it.
  public init(
    baseURL: String, transport: any Transport = SystemTransport(),
    clock: any StoreClock = .system, limits: RetentionLimits = RetentionLimits(),
    isolation: isolated any Actor,
    configure change: ((inout Configuration) -> Void)? = nil
  ) {
    registry = Registry(limits: limits)
    store = Store(
      base: BaseURL(baseURL), transport: transport, clock: clock,
      isolation: StoreIsolation(counter: clock.workCounter, isolation: isolation),
      registry: registry, running: running)
    if let change { configure(nil, change) }
  }

  // MARK: Resources

  /// Returns the resource at a path below the base URL, with content of type `Data` or `String`, or
  /// decoded from JSON.
  ///
  /// A leading `/` makes no difference, and `..` does not leave the host. With an absolute URL, the
  /// loads of the resource fail. The path may have a query, whose parameters keep their order.
  ///
  /// - Complexity: O(*u*) in the length of the URL.
  public func resource<Content: Decodable & Sendable>(
    _ path: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(path, decoder: store.standardDecoder())
  }

  /// Returns the resource at a path below the base URL, decoded with a decoder.
  public func resource<Content: Sendable>(
    _ path: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(path, decoder: decoder, in: registry)
  }

  /// Returns the resource at a path below the base URL with query parameters.
  ///
  /// ```swift
  /// let found = service.resource("search", query: ["q": "a & b", "page": page], of: [Hit].self)
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path, which may have a query of its own.
  ///   - query: names and values, not percent-encoded. A value replaces every parameter of that
  ///     name in the path, and nil leaves the parameter out. The parameters are sorted by name, as
  ///     by ``Resource/withParameter(_:_:)``, so their order makes no difference; an empty
  ///     dictionary leaves the path as it is.
  ///   - type: the type of the content: `Data`, `String`, or what JSON decodes to.
  public func resource<Content: Decodable & Sendable>(
    _ path: String, query: [String: String?], of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(path, query: query, decoder: store.standardDecoder())
  }

  /// Returns the resource at a path below the base URL with query parameters, decoded with a decoder.
  public func resource<Content: Sendable>(
    _ path: String, query: [String: String?], decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    guard !query.isEmpty else { return resource(path, decoder: decoder) }
    return store.resource(
      .get, URIQuery.setting(query, in: try store.base.resolve(path)), decoder: decoder)
  }

  /// Returns the resource at an absolute URL, on any host.
  ///
  /// Header fields and authorization of the configuration are sent to the origin of the base URL
  /// only; see ``Service/Configuration/headers``.
  public func resource<Content: Decodable & Sendable>(
    absoluteURL: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(absoluteURL: absoluteURL, decoder: store.standardDecoder())
  }

  /// Returns the resource at an absolute URL, on any host, decoded with a decoder.
  public func resource<Content: Sendable>(
    absoluteURL: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(absoluteURL: absoluteURL, decoder: decoder, in: registry)
  }

  // MARK: Resources with a method or a body

  /// Returns the resource loaded by a request with another method or with a body, such as a search by POST or a
  /// GraphQL query.
  ///
  /// ```swift
  /// let body = try JSONText(encoding: ["query": "{ viewer { login } }"])
  /// let viewer = service.resource(.post, "graphql", body: body, of: ViewerResponse.self)
  /// ```
  ///
  /// Method and body are part of the resource's identity; bodies that differ only in white space
  /// between tokens are the same. The body is sent byte for byte as it was first given. Every load
  /// sends the request again, so the request should change nothing on the server. A load by POST that
  /// fails is not retried without an `Idempotency-Key`; see ``RetryPolicy``.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: the path, as for ``resource(_:of:)``.
  ///   - query: further query parameters, as for ``resource(_:query:of:)``.
  ///   - body: the JSON body; nil for none. ``JSONText/init(encoding:configure:)`` makes one from a value.
  ///   - type: the type of the content: `Data`, `String`, or what JSON decodes to.
  public func resource<Content: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: JSONText? = nil,
    of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(method, path, query: query, body: body, decoder: store.standardDecoder())
  }

  /// Returns the resource loaded by a request with another method or with a body, decoded with a decoder.
  public func resource<Content: Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: JSONText? = nil,
    decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(
      method, URIQuery.setting(query, in: try store.base.resolve(path)), body: body,
      decoder: decoder)
  }

  /// Returns the resource loaded by a request to an absolute URL, with another method or with a body.
  public func resource<Content: Decodable & Sendable>(
    _ method: HTTPMethod, absoluteURL: String, body: JSONText? = nil,
    of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(method, absoluteURL: absoluteURL, body: body, decoder: store.standardDecoder())
  }

  /// Returns the resource loaded by a request to an absolute URL, with another method or with a body, decoded with a
  /// decoder.
  public func resource<Content: Sendable>(
    _ method: HTTPMethod, absoluteURL: String, body: JSONText? = nil,
    decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(
      method, try store.base.absolute(absoluteURL), body: body, decoder: decoder)
  }

  // MARK: Resources in memory

  /// Returns the resources in memory whose URL matches a pattern, in no particular order.
  ///
  /// In a pattern, `*` matches any characters except `/`, `**` any characters, and `?` one
  /// character except `/`. The pattern is relative to the base URL unless it begins with a scheme.
  /// The queries of URLs are not compared.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory.
  public func resources(matching pattern: String) -> [AnyResource] {
    let pattern = URLPattern(pattern, base: store.base.text)
    return registry.all.filter { pattern.matches($0.key.url) }
  }

  /// All resources in memory, in no particular order.
  ///
  /// - Complexity: O(*n*) in their number.
  public var resources: [AnyResource] { registry.all }

  /// Evicts all resources that are neither held nor observed, regardless of the ``RetentionLimits``.
  ///
  /// Use it when memory is short, such as after a memory warning of the system. Resources that are observed
  /// or held are not affected. An evicted resource is made again when it is requested from the service, and
  /// loads from the persistent cache, if there is one, or from the server.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  public func evictUnused() { registry.evictUnused() }

  /// Invalidates the resources in memory whose URL matches a pattern; see
  /// ``AnyResource/invalidate()``.
  ///
  /// The events are delivered when all resources have changed, so that no observer finds one
  /// changed and another not.
  ///
  /// - Parameter pattern: as for ``resources(matching:)``; nil for all resources, of other hosts
  ///   too.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory.
  public func invalidate(matching pattern: String? = nil) {
    let invalidated = pattern.map(resources(matching:)) ?? resources
    store.queue.together {
      for resource in invalidated { resource.invalidate() }
    }
  }

  /// Wipes the resources in memory whose URL matches a pattern; see ``AnyResource/wipe()``.
  ///
  /// The events are delivered when all resources have changed. When a user signs out, wipe without a pattern.
  /// The persistent caches that rules of the configuration set, or once set for a resource, lose their
  /// matching entries too, including those of resources that are not in memory and of other services that use
  /// the same cache. Requests whose URL matches are not retried, even if they belong to no resource. A
  /// resource whose URL cannot be requested is not registered with the service: wipe it if the program
  /// holds it.
  ///
  /// - Parameter pattern: as for ``resources(matching:)``; nil for all resources, of other hosts
  ///   too.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory.
  public func wipe(matching pattern: String? = nil) {
    store.queue.together {
      // First, because deallocating what a wipe removes may run user code.
      let pattern = pattern.map { URLPattern($0, base: store.base.text) }
      store.emptyCaches(where: pattern.map { pattern in { @Sendable in pattern.matches($0) } })
      let wiped = registry.all.filter { pattern?.matches($0.key.url) ?? true }
      for resource in wiped { resource.wipe(removesEntry: false) }
      store.scope.endRetries { pattern?.matches($0) ?? true }
    }
  }

  // MARK: Configuration

  /// Adds a rule for the configuration of resources and requests.
  ///
  /// Rules are applied in the order in which they were added, to existing resources too. The
  /// closures may be called at any time; when something that they depend on has changed, call
  /// ``reapplyConfiguration()``.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the rule is for, as for ``resources(matching:)``; nil for all, of
  ///     other hosts too.
  ///   - methods: the methods that the rule is for; nil for all.
  ///   - predicate: a further condition.
  ///   - change: changes the configuration.
  /// - Returns: the rule, to remove it again; it can be discarded.
  @discardableResult
  public func configure(
    _ pattern: String? = nil, methods: Set<HTTPMethod>? = nil,
    where predicate: ((_ method: HTTPMethod, _ url: URL) -> Bool)? = nil,
    _ change: @escaping (inout Configuration) -> Void
  ) -> Rule {
    let rule = ConfigurationRule(
      pattern: pattern.map { URLPattern($0, base: store.base.text) }, methods: methods,
      predicate: predicate, change: change)
    store.add(rule)
    return Rule(rule, store)
  }

  /// Applies all rules of the configuration again, after something that they depend on has changed.
  ///
  /// It applies to existing resources too. A request that was sent keeps the configuration that it was sent with, and
  /// is not retried. A load that is still reading the persistent cache is sent with the new one; a request that waits
  /// for its next attempt, or because the server has asked all requests to wait, fails.
  public func reapplyConfiguration() {
    store.configurationChanged()
  }
}

extension Service: SecretHolding {}

extension Service {
  /// A rule of a service's configuration, which can be removed again.
  ///
  /// ``Service/configure(_:methods:where:_:)`` returns it. Releasing it does not remove the rule; ``remove()`` does.
  public struct Rule {
    private let rule: ConfigurationRule
    private weak var store: Store?

    init(_ rule: ConfigurationRule, _ store: Store) {
      self.rule = rule
      self.store = store
    }

    /// Removes the rule, and applies the other rules again.
    ///
    /// Further calls do nothing. After the service was deallocated, the rule is removed for the resources that are
    /// held.
    public func remove() {
      store?.remove(rule)
    }
  }
}

extension Service.Rule: SecretHolding {}

extension Service {
  /// Waits until the persistent caches have stored and removed everything that was requested so
  /// far.
  ///
  /// Responses are written after they are shown. A program that ends right after a load calls this
  /// first; one that signs a user out knows afterwards that what was wiped is removed. What could
  /// not be written is in the ``Configuration/log``.
  ///
  /// It waits for as long as the caches take, without a limit; it returns early when the waiting task is
  /// cancelled, and the caches continue.
  public func flushCache() async {
    for (cache, _) in store.caches { await CacheQueue.shared.flush(cache) }
  }
}
