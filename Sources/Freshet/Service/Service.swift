import Foundation

/// A store of resources: it hands them out, one instance for each request and content type while it
/// is in use, and holds what they share.
///
/// ```swift
/// let service = Service(baseURL: "https://api.example.com/v1")
/// service.configure { $0.expirationTime = .seconds(60) }
/// service.configure("feed/**") { $0.headers["X-Feed"] = "compact" }
/// ```
///
/// A service, and everything that comes from it, belongs to one actor, and the compiler refuses to let it
/// out: to the main actor, or to the actor that is given as `isolation`. An actor that has a service of
/// its own makes it with `lazy var service = Service(baseURL: …, isolation: self)`.
///
/// Dropping a service ends the requests that nobody else holds. Resources that are still held go on
/// working: they hold their loads in flight, and what is sent through them from then on.
public final class Service {
  let store: Store
  private let registry: Registry
  private let running = RunningRequests()

  /// Makes a service that belongs to the main actor.
  ///
  /// It can be the value of a stored property, a `static let`, a global variable or a default argument,
  /// wherever that is isolated to the main actor.
  ///
  /// - Parameters:
  ///   - baseURL: what paths are relative to, an absolute `http` or `https` URL. With an unusable one,
  ///     every load fails with an error that says so.
  ///   - transport: what sends requests.
  ///   - clock: the time.
  ///   - limits: how much is kept of what nobody holds or observes.
  @MainActor
  public convenience init(
    baseURL: String, transport: any Transport = URLSessionTransport(),
    clock: any StoreClock = .system, limits: RetentionLimits = RetentionLimits()
  ) {
    self.init(
      baseURL: baseURL, transport: transport, clock: clock, limits: limits,
      isolation: MainActor.shared)
  }

  /// Makes a service that belongs to an actor.
  ///
  /// To be called on that actor: with `isolation: self` in a method or a `lazy var` of an actor, and with
  /// `isolation: #isolation` in a function whose actor its caller decides.
  ///
  /// - Parameters:
  ///   - baseURL: what paths are relative to, an absolute `http` or `https` URL. With an unusable one,
  ///     every load fails with an error that says so.
  ///   - transport: what sends requests.
  ///   - clock: the time.
  ///   - limits: how much is kept of what nobody holds or observes.
  ///   - isolation: the actor that the service belongs to.
  public init(
    baseURL: String, transport: any Transport = URLSessionTransport(),
    clock: any StoreClock = .system, limits: RetentionLimits = RetentionLimits(),
    isolation: isolated any Actor
  ) {
    registry = Registry(limits: limits)
    store = Store(
      base: BaseURL(baseURL), transport: transport, clock: clock,
      isolation: StoreIsolation(counter: clock as? any WorkCounter, isolation: isolation))
    store.registry = registry
    store.scope.running = running
  }

  // MARK: Resources

  /// The resource at a path below the base URL, holding `Data`, `String`, or what JSON decodes to.
  ///
  /// A leading `/` makes no difference, `..` does not leave the host, and an absolute URL is refused:
  /// the loads of that resource fail. The path may have a query, whose parameters keep their order.
  ///
  /// - Complexity: O(*u*) in the length of the URL.
  public func resource<Content: Decodable & Sendable>(
    _ path: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(path, decoder: store.standardDecoder())
  }

  /// The resource at a path below the base URL, read by a decoder.
  public func resource<Content: Sendable>(
    _ path: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(path, decoder: decoder, in: registry)
  }

  /// The resource at an absolute URL, on whatever host.
  ///
  /// Header fields and authorization of the configuration go to the origin of the base URL only.
  public func resource<Content: Decodable & Sendable>(
    absoluteURL: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    resource(absoluteURL: absoluteURL, decoder: store.standardDecoder())
  }

  /// The resource at an absolute URL, on whatever host, read by a decoder.
  public func resource<Content: Sendable>(
    absoluteURL: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(.get, try store.base.absolute(absoluteURL), decoder: decoder)
  }

  /// The resource that a request of another kind than a plain GET brings: a search by POST, or a
  /// GraphQL query.
  ///
  /// Method and body are part of the resource's identity; bodies that differ only in white space
  /// between tokens are the same. The body is sent byte for byte as it was first given. Every load sends the request again, so it should be one
  /// that changes nothing.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - absoluteURL: the URL, on whatever host.
  ///   - body: the JSON body; nil for none.
  ///   - decoder: reads the responses.
  public func resource<Content: Sendable>(
    _ method: HTTPMethod, absoluteURL: String, body: JSONText? = nil,
    decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(
      method, try store.base.absolute(absoluteURL), body: body, decoder: decoder)
  }

  /// The same for a path below the base URL.
  package func resource<Content: Sendable>(
    _ method: HTTPMethod, _ path: String, body: JSONText?, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(method, try store.base.resolve(path), body: body, decoder: decoder)
  }

  /// The resources in memory whose URL the pattern covers.
  ///
  /// In a pattern, `*` stands for any run of characters but `/`, `**` for any run at all, and `?` for
  /// one character but `/`. It is relative to the base URL unless it begins with a scheme; queries do
  /// not take part. The order is no particular one.
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

  /// Invalidates every resource in memory that the pattern covers, or all of them, other hosts
  /// included, for nil; see ``AnyResource/invalidate()``.
  ///
  /// The events are delivered when all have changed, so no observer sees one changed and another not
  /// yet.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory.
  public func invalidate(matching pattern: String? = nil) {
    changeEach(matching: pattern) { $0.invalidate() }
  }

  /// Wipes every resource in memory that the pattern covers, or all of them, other hosts included, for
  /// nil; see ``AnyResource/wipe()``.
  ///
  /// The events are delivered when all have changed. For a log-out, wipe all, and empty the persistent
  /// cache as well where one is configured: it may hold responses of resources that are not in memory,
  /// which this does not reach.
  ///
  /// - Complexity: O(*n*) in the number of resources in memory.
  public func wipe(matching pattern: String? = nil) {
    changeEach(matching: pattern) { $0.wipe() }
  }

  private func changeEach(matching pattern: String?, _ change: (AnyResource) -> Void) {
    let covered = pattern.map(resources(matching:)) ?? resources
    store.queue.together {
      for resource in covered { change(resource) }
    }
  }

  // MARK: Configuration

  /// Adds a rule for the configuration of resources and requests.
  ///
  /// Rules are applied in the order in which they were added, and reach living resources too: the
  /// next time each is asked or loaded. A rule may be applied at any time; it should depend on
  /// nothing that changes without a call of ``configurationChanged()``.
  ///
  /// - Parameters:
  ///   - pattern: what URLs the rule is for; nil for all, other hosts included.
  ///   - methods: what methods it is for; nil for all.
  ///   - predicate: a further condition.
  ///   - change: changes the configuration.
  /// - Returns: what removes the rule.
  @discardableResult
  public func configure(
    _ pattern: String? = nil, methods: Set<HTTPMethod>? = nil,
    where predicate: ((_ method: HTTPMethod, _ url: URL) -> Bool)? = nil,
    _ change: @escaping (inout Configuration) -> Void
  ) -> AddedRule {
    let rule = ConfigurationRule(
      pattern: pattern.map { URLPattern($0, base: store.base.text) }, methods: methods,
      predicate: predicate, change: change)
    store.add(rule)
    return AddedRule(rule, store)
  }

  /// A rule that was added to the configuration of a service. The rule stays when this is released.
  public struct AddedRule {
    private let rule: ConfigurationRule
    private weak var store: Store?

    fileprivate init(_ rule: ConfigurationRule, _ store: Store) {
      self.rule = rule
      self.store = store
    }

    /// Removes the rule and applies the others anew; does nothing the second time, and without the
    /// service.
    public func remove() {
      store?.remove(rule)
    }
  }

  /// Applies all rules anew, after something that they depend on has changed.
  public func configurationChanged() {
    store.configurationChanged()
  }
}
