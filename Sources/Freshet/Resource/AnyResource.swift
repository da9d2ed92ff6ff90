import Foundation

/// A resource whose content type is not known: what can be asked and done whatever it holds.
///
/// Three questions, each a plain property: what is the latest data (``Resource/latestData``), what was
/// the last error, is a load under way. A resource belongs to the actor of its service.
///
/// Reads are O(1); calls that change something deliver their events before they return, or after the
/// event that is just being delivered (see ``ResourceObserver``).
public class AnyResource {
  /// What this resource is: everything that is sent and selects content.
  public final let key: ResourceKey
  final let store: Store
  /// Reads the responses.
  final let anyDecoder: AnyDecoder
  /// Why nothing can be loaded from here, if that is so.
  final let unusable: UnusableURL?
  /// What its methods return is for ``perform(_:)``.
  final var state = ResourceState()
  /// Whether an edit is being applied. Here, because the state leaves room for it, as for `place`.
  final var isEditing = false
  /// Whether it was used lately. Here for the same reason, and so that noting a use is one store.
  final var retention = Retention.unused
  /// Where the registry keeps this resource. Here for the same reason.
  final var place: Int32 = -1
  /// The loads that the state counts, with their requests, in order.
  final var inFlight = LoadsInFlight()
  /// The observers; nil before the first, because many resources never have one.
  final var observersIfAny: ObserverList<ResourceListener>?
  private final var cachedConfiguration: ConfigurationVersion?
  /// Kept for a layer above, which alone knows what it is.
  final var attachment: AnyObject?

  /// What decides whether the registry goes on keeping a resource.
  enum Retention: UInt8 {
    /// Not used since the registry looked at it last.
    case unused
    /// Used since then.
    case used
    /// Beyond the limits: it lives while something else holds it.
    case released
  }

  init(key: ResourceKey, decoder: AnyDecoder, store: Store, unusable: UnusableURL?) {
    self.key = key
    self.store = store
    anyDecoder = decoder
    self.unusable = unusable
  }

  /// The URL, or nil where it cannot be used; then every load fails and says why.
  public final var url: URL? { unusable == nil ? URL(string: key.url) : nil }

  /// Whether the registry knows this resource: other callers that ask for its request get it.
  final var isRegistered: Bool { place >= 0 }

  /// Notes that the resource is used, so that it is kept.
  final func noteUse() {
    if retention == .released { store.registry?.keep(self) } else { retention = .used }
  }

  /// The configuration that applies now.
  public final var configuration: Configuration { currentConfiguration.value }

  final var currentConfiguration: ConfigurationVersion {
    if let known = cachedConfiguration, known.version == store.configurationVersion {
      return known
    }
    let current = store.configuration(key.method, key.url)
    // Released after the change: what it captures may end and come back here.
    let old = cachedConfiguration
    cachedConfiguration = current
    if let old { store.queue.hold(old) }
    return current
  }

  /// Counts the changes of the service's configuration: what was read off ``freshUntil`` holds while
  /// this stays the same.
  public final var configurationVersion: Int { store.configurationVersion }
  /// The clock that ``freshUntil`` is measured with.
  public final var clock: any StoreClock { store.clock }

  // MARK: State

  /// Whether a load is under way.
  public final var isLoading: Bool { state.isLoading }
  /// Why the newest finished load failed; nil after a success. The data of earlier loads stays.
  public final var latestError: ResourceError? { state.error }
  /// Whether there is data.
  final var hasData: Bool { state.data != nil }
  /// When the data was received, confirmed or written; nil without data.
  public final var timestamp: Date? { state.data?.timestamp }
  /// The URL that responded last, after redirects.
  final var responseURL: String? { state.data?.responseURL }
  /// Until when the data is fresh, in the monotonic time of the service's clock; nil without data
  /// and after an invalidation.
  public final var freshUntil: Duration? {
    // First, or all of the state would be copied while the policy is looked up.
    let policy = policy
    return state.freshUntil(policy)
  }

  /// Whether there is data and it is fresh: not invalidated, and not older than the configuration
  /// allows.
  public final var isUpToDate: Bool {
    guard let freshUntil else { return false }
    return store.clock.now < freshUntil
  }

  final var policy: ResourceState.Policy {
    let configuration = currentConfiguration
    return .init(
      expirationTime: configuration.value.expirationTime, retryTime: configuration.value.retryTime)
  }

  /// Makes the handle of a load, of the type of this resource.
  func makeRequest(_ exchange: Exchange) -> AnyRequest {
    preconditionFailure("AnyResource.makeRequest: only Resource is instantiated")
  }

  // MARK: Loading

  /// Loads, unless that is not needed.
  ///
  /// Joins a load in flight; does nothing while the data is fresh, or within
  /// ``Configuration/retryTime`` (or the server's `Retry-After`) after an error; else ``load()``.
  ///
  /// - Returns: the load that is under way, or nil where none is needed.
  @discardableResult
  public func loadIfNeeded() -> AnyRequest? { beginLoadIfNeeded() }

  /// Asks the network, also while the data is fresh; with validators where the data has them.
  ///
  /// The response to an older load never replaces the response to a newer one.
  @discardableResult
  public func load() -> AnyRequest { beginLoad() }

  /// Cancels every load in flight: ``isLoading`` is false and `.requestCancelled` delivered at once,
  /// and a new load may begin in the same turn. Without a load it does nothing.
  public final func cancelLoad() {
    requireNoEdit()
    perform(state.cancelAll())
  }

  /// Declares the data stale, keeping it and its timestamp, and notifies the observers.
  ///
  /// Only the response to a load that begins later makes it fresh again. Where something observes the
  /// resource, such a load begins by itself once the observers are notified; see
  /// ``Configuration/reloadsWhenInvalidated``.
  public final func invalidate() {
    requireNoEdit()
    perform(state.invalidate())
    reloadIfInvalidated()
  }

  /// Removes data, error and the persistent entry, and cancels every load in flight; late responses
  /// are ignored.
  public final func wipe() { change { $0.wipe() } }

  // MARK: Observing

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner is deallocated or the token is removed.
  ///
  /// The owner is held weakly, the closure strongly.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject, _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add(owner: owner) { body($0.subject(), $0.resourceEvent) }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public func observe(
    _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add { body($0.subject(), $0.resourceEvent) }
  }
}

extension AnyResource: CustomStringConvertible {
  /// Method, origin and path; no secrets.
  public var description: String {
    "\(key.method) \(Redaction.originAndPath(of: key.url))"
  }
}

extension AnyResource: Identifiable {
  /// The identity of this object.
  public final var id: ObjectIdentifier { ObjectIdentifier(self) }
}
