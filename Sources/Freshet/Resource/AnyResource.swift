import Foundation

/// The base class of every ``Resource``: a resource whose content type is not known.
///
/// Three properties describe its state: the latest data (``Resource/latestData``), the latest error
/// (``latestError``), and whether a load is in flight (``isLoading``). A resource belongs to the
/// actor of its service.
///
/// Properties are read in O(1). A call that changes the resource delivers its events before it
/// returns; a call within a delivery, after the event that is being delivered (see
/// ``ResourceObserver``).
public class AnyResource {
  /// The key that identifies this resource: its URL, and whatever else of a request selects the content.
  public final let key: ResourceKey
  final let store: Store
  /// Reads the responses.
  final let anyDecoder: AnyDecoder
  /// Why nothing can be loaded from here, if that is so.
  final let unusable: UnusableURL?
  /// The state of the resource. The actions that its methods return are for ``perform(_:)``.
  final var state = ResourceState()
  /// Whether an edit is being applied. Here, because the state leaves room for it, as for `position`.
  private(set) final var isEditing = false
  /// Whether the data is the response to a request with other values for what `Vary` names. Here for the
  /// same reason.
  private(set) final var isOtherVariant = false
  /// Whether it was used lately. Here for the same reason, and so that noting a use is one store.
  final var retention = Retention.unused
  /// The position of this resource in the registry. Here for the same reason.
  final var position: Int32 = -1
  /// The loads that the state counts, with their requests, in order.
  final var inFlight = LoadsInFlight()
  /// The observers; nil before the first, because many resources never have one.
  final var observersIfAny: ObserverList<ResourceListener>?
  private final var cachedConfiguration: ConfigurationVersion?
  final var trackedIfAny: TrackedProperties?
  /// Kept for a layer above, which alone knows what it is.
  private(set) final var attachment: ResourceAttachment?

  /// The state that decides whether the registry still keeps a resource.
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

  /// The URL of this resource; nil where it is unusable, and then every load fails with an error
  /// that says why.
  public final var url: URL? { unusable == nil ? URL(string: key.url) : nil }

  /// Whether the registry knows this resource: other callers that ask for its request get it.
  final var isRegistered: Bool { position >= 0 }

  /// Notes that the resource is used, so that it is kept.
  final func noteUse() {
    if retention == .released { store.registry?.keep(self) } else { retention = .used }
  }

  /// Attaches an object of a layer above, in place of the former one.
  final func attach(_ new: ResourceAttachment) {
    // Released after the change: a value that a style captures may be deallocated then, and run code that
    // comes back here.
    let old = attachment
    attachment = new
    withExtendedLifetime(old) {}
  }

  /// Applies edits, which must not change this resource.
  final func applyEdits<Result>(_ body: () -> Result) -> Result {
    isEditing = true
    store.appliedEdits.begin()
    defer {
      store.appliedEdits.end()
      isEditing = false
    }
    return body()
  }

  /// The current configuration of this resource: the result of the service's rules.
  public final var configuration: Service.Configuration { currentConfiguration.value }

  final var currentConfiguration: ConfigurationVersion {
    if let known = cachedConfiguration, known.version == store.configurationVersion {
      return known
    }
    let current = store.configuration(key.method, key.url)
    // Released after the change: what it captures may end and come back here.
    let old = cachedConfiguration
    cachedConfiguration = current
    if let old {
      store.queue.hold(old)
      if let data = state.data { noteVariant(of: data, in: current) }
    }
    return current
  }

  /// Compares the data with what a request with that configuration would get.
  final func noteVariant(of data: AnyEntity, in settings: ConfigurationVersion) {
    isOtherVariant = data.variant != variant(of: data.headers, in: settings)
  }

  /// Which representation a response with these header fields is for this resource; see ``HTTPVariant``.
  final func variant(of headers: HTTPHeaders, in settings: ConfigurationVersion) -> UInt64 {
    // Before an exchange is made for it: mostly there is nothing to compare.
    guard settings.user != 0 || headers.first("Vary") != nil else { return 0 }
    return exchange(settings).variant(of: headers)
  }

  /// Notes that the data is what a request would get now.
  final func noteOwnVariant() { isOtherVariant = false }

  /// The number of changes of the service's configuration. A value of ``freshUntil`` is valid while
  /// this number stays the same.
  final var configurationVersion: Int { store.configurationVersion }
  /// The clock of the service, which ``freshUntil`` is measured with.
  package final var clock: any StoreClock { store.clock }

  // MARK: State

  /// Whether a load is in flight.
  public final var isLoading: Bool {
    access(.isLoading)
    return state.isLoading
  }
  /// The error of the newest completed load; nil after a success.
  ///
  /// The data of earlier loads stays. A cancelled load leaves the error as it is.
  public final var latestError: ResourceError? {
    access(.latestError)
    return state.error
  }
  /// Whether there is data.
  final var hasData: Bool { state.data != nil }
  /// The date at which the data was received, confirmed or written; nil without data.
  public final var timestamp: Date? {
    access(.details)
    return state.data?.timestamp
  }
  /// The URL that responded last, after redirects.
  final var responseURL: String? { state.data?.responseURL }
  /// When the data expires, on the service's monotonic clock; nil without data and after an
  /// invalidation.
  package final var freshUntil: Duration? {
    // First, or all of the state would be copied while the policy is looked up.
    let policy = policy(of: currentConfiguration)
    return state.freshUntil(policy)
  }

  /// Whether there is data and it is fresh: neither invalidated nor expired, and the response to a
  /// request of the same user with the same values for the fields that its `Vary` names.
  ///
  /// Stale data is not up to date while it is confirmed, whatever the server allows; see
  /// ``mayUseStaleData``. A view that tracks it is notified of loads and invalidations, not when time passes.
  public final var isUpToDate: Bool {
    access(.freshness)
    return isFresh
  }

  /// The same, for the library itself.
  final var isFresh: Bool {
    guard let freshUntil else { return false }
    return store.clock.now < freshUntil
  }

  /// Whether the data is stale, and the server allows its use nevertheless by `stale-while-revalidate` or
  /// `stale-if-error`, RFC 5861.
  ///
  /// The first is for the time of a load, the second for the time after a load that failed because the
  /// server could not be reached or responded with 500, 502, 503 or 504.
  ///
  /// A resource shows stale data in any case, loads when ``loadIfNeeded()`` is called, and keeps data and
  /// error side by side after a failure: these directives change none of that. So this is for a program
  /// that marks or hides stale data, or that proceeds only with what may be used. It is false for
  /// invalidated data, and where ``Service/Configuration/responseFreshness`` is nil.
  ///
  /// - Complexity: O(*f*) in the fields of the response.
  public final var mayUseStaleData: Bool {
    access(.freshness)
    access(.isLoading)
    access(.latestError)
    guard currentConfiguration.value.responseFreshness != nil, let freshUntil,
      let data = state.data
    else { return false }
    let staleTime = store.clock.now - freshUntil
    guard staleTime >= .zero else { return false }
    let freshness = HTTPFreshness(
      status: 200, headers: data.headers, responseDate: data.timestamp, responseDelay: .zero)
    return freshness.mayBeUsed(
      staleFor: staleTime, isConfirming: state.isLoading,
      hasFailed: state.error?.isFailureOfServer == true)
  }

  final func policy(of settings: ConfigurationVersion) -> ResourceState.Policy {
    .init(
      freshnessLifetime: settings.value.freshnessLifetime,
      failureCooldown: settings.value.failureCooldown, isOtherVariant: isOtherVariant)
  }

  /// Whether there is content that is a collection without elements.
  var isContentEmpty: Bool { false }

  /// Makes the handle of a load, of the type of this resource.
  func makeRequest(_ exchange: Exchange) -> AnyRequest {
    preconditionFailure("AnyResource.makeRequest: only Resource is instantiated")
  }

  // MARK: Loading

  /// Loads the resource if its data is missing or stale.
  ///
  /// Joins a load in flight; does nothing while the data is fresh, or within
  /// ``Service/Configuration/failureCooldown`` (or the server's `Retry-After`, or the lifetime of the
  /// error response where ``Service/Configuration/responseFreshness`` is set) after an error; else
  /// loads.
  ///
  /// The events of a load that begins are those of ``load()``, with one difference: where the data
  /// of the persistent cache is fresh, the load ends with its `.newData(.cache)`, and no request is
  /// sent. A load that is joined, or not needed, has no event of its own.
  ///
  /// - Returns: the request of the load in flight, or nil where none is needed.
  @discardableResult
  public func loadIfNeeded() -> AnyRequest? { beginLoadIfNeeded() }

  /// Loads from the network, also while the data is fresh.
  ///
  /// The request has validators where the data has them. The response to an older load never
  /// replaces the response to a newer one.
  ///
  /// A load has these events, in this order:
  ///
  /// 1. `.requested`. Outside a delivery, observers receive it before this call returns.
  /// 2. `.newData(.cache)`, if the resource has no data and ``Service/Configuration/cache`` has an
  ///    entry that can be read. The load continues.
  /// 3. One of `.newData(.network)`, `.notModified`, `.error` and `.requestCancelled`.
  ///    ``isLoading`` is false by then, unless a newer load is in flight.
  /// 4. After that event, the hooks of the request: ``AnyRequest/onProgress(_:)`` with 1, then the
  ///    others in the order in which they were added. Then tasks that wait for the request resume.
  ///
  /// Where several loads are in flight, the response to one ends the older ones too: those have no
  /// event of step 3. `.requestCancelled` comes only when no load is left. Hooks are called in any
  /// case.
  ///
  /// If the resource was invalidated during the load, is observed and was loaded with success,
  /// another load begins once these events were delivered; see
  /// ``Service/Configuration/reloadsWhenInvalidated``.
  ///
  /// - Returns: the request of the load.
  @discardableResult
  public func load() -> AnyRequest { beginLoad() }

  /// Loads again what failed, without waiting; does nothing if the last load did not fail, or while
  /// one is in flight.
  ///
  /// The events are those of ``load()``. The date that a `Retry-After` of the server names does not delay
  /// it: see ``ResourceError/retryDate``.
  public final func retry() {
    if state.error != nil, !state.isLoading { _ = beginLoad() }
  }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  ///
  /// For one load, wait for its request: ``AnyRequest/completed()``.
  public final func settled() async {
    while let request = inFlight.newestRequest, !request.isCompleted, !Task.isCancelled {
      await request.completed()
    }
  }

  /// Cancels every load in flight.
  ///
  /// ``isLoading`` is false at once, and a new load may begin before this call returns. Observers
  /// receive `.requestCancelled`, once for all loads; then the hooks of the requests are called,
  /// with an error of kind `.cancelled`. The data and the error stay. Without a load it does
  /// nothing.
  ///
  /// A request that was made elsewhere, see ``Resource/load(using:)``, is not cancelled; its
  /// outcome does not reach this resource.
  public final func cancelLoad() {
    requireNoEdit()
    perform(state.cancelAll())
  }

  /// Marks the data as stale, and keeps it and its timestamp.
  ///
  /// Only the response to a load that begins later, or an override of the content, makes the data fresh again;
  /// a load in flight continues. An earlier failure no longer holds back ``loadIfNeeded()``, unless the server
  /// named a time.
  ///
  /// Observers receive `.invalidated`. Then, if the resource has data and is observed, a load
  /// begins, with the events of ``load()``; if one is in flight, when that has succeeded. See
  /// ``Service/Configuration/reloadsWhenInvalidated``.
  public final func invalidate() {
    requireNoEdit()
    perform(state.invalidate())
    reloadIfInvalidated()
  }

  /// Removes the data, the error and the entry of the persistent cache, and cancels every load in
  /// flight.
  ///
  /// Late responses are ignored. Observers receive `.requestCancelled` if a load was in flight, and
  /// then `.newData(.wipe)`, also where there was no data; by both events the data is removed. Then
  /// the hooks of the cancelled requests are called.
  public final func wipe() { wipe(removesEntry: true) }

  final func wipe(removesEntry: Bool) {
    // Before the state, as for a load: what removes the entry asks for it.
    if removesEntry { _ = currentConfiguration }
    let next = store.nextLoad
    change { $0.wipe(before: next, removesEntry: removesEntry) }
  }

  // MARK: Observing

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner is deallocated or the returned token is cancelled.
  ///
  /// The owner is held weakly, the closure strongly. Releasing the token does not end the
  /// observation. The closure is not called after the owner was deallocated;
  /// ``Service/RetentionLimits`` describes when it is released.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject, _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add(owner: owner) { body($0.subject(), $0.resourceEvent) }
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later
  /// event, for as long as the returned token is held.
  ///
  /// The observation ends when the token is released, and with ``ObservationToken/cancel()``. The
  /// token holds the closure.
  ///
  /// - Returns: the token, to be kept for as long as events are wanted.
  /// - Complexity: amortized O(1).
  public func observe(
    _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add { body($0.subject(), $0.resourceEvent) }
  }
}

extension AnyResource: CustomStringConvertible, CustomReflectable {
  /// Empty: the content and the request may hold secrets.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }

  /// Method, origin and path; no secrets.
  public var description: String {
    "\(key.method) \(Redaction.originAndPath(of: key.url))"
  }
}

extension AnyResource: Identifiable {
  /// The identity of this object.
  public final var id: ObjectIdentifier { ObjectIdentifier(self) }
}
