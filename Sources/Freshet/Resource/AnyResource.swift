import Foundation

/// The base class of every ``Resource``, without its content type.
///
/// Three properties describe its state: the latest data (``Resource/latestData``), the latest error
/// (``latestError``), and whether a load is in flight (``isLoading``). A resource belongs to the
/// actor of its service.
///
/// Properties are read in O(1). A call that changes the resource delivers its events before it
/// returns; a call within a delivery, after the event that is being delivered (see
/// ``ResourceObserver``).
public class AnyResource {
  /// The key that identifies this resource: its URL, and the other parts of its request that select the content.
  public final let key: ResourceKey
  final let store: Store
  /// Reads the responses.
  final let anyDecoder: AnyDecoder
  /// Why nothing can be loaded from here, if that is so.
  final let unusable: UnusableURL?
  /// The state of the resource; see ``state``.
  private final var stored = ResourceState()
  /// What is being done with the state. This and the next three properties fill its padding.
  private final var stateUse = StateUse.none
  /// Whether the data is the response to a request with other values for the fields that `Vary` names.
  private(set) final var isOtherVariant = false
  /// Whether the resource was used lately. Noting a use is one store: with ``position`` beside it, that
  /// saves 13 % of a lookup.
  private(set) final var retention = Retention.unused
  /// The position of this resource in the registry.
  private(set) final var position: Int32 = -1
  /// The loads that the state counts, with their requests, in order.
  private(set) final var inFlight = LoadsInFlight()
  /// The observers; nil before the first, because many resources never have one.
  private(set) final var observersIfAny: ObserverList<ResourceListener>?
  private final var cachedConfiguration: ConfigurationVersion?
  private(set) final var trackedIfAny: TrackedProperties?
  /// Kept for a layer above, which alone knows what it is.
  private(set) final var attachment: ResourceAttachment?

  private enum StateUse: UInt8 {
    case none
    /// An edit is being applied, which may read the state.
    case editing
    /// The state is being changed, and must not be read.
    case changing
  }

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

  /// The URL of this resource; nil if it is unusable, in which case every load fails with an error that describes the
  /// reason.
  public final var url: URL? { unusable == nil ? URL(string: key.url) : nil }

  /// Whether the registry knows this resource: other callers that ask for its request get it.
  final var isRegistered: Bool { position >= 0 }

  /// The state of the resource, which ``decide(_:)``, ``change(_:)`` and ``changeApplyingEdits(_:)`` alone
  /// change.
  ///
  /// They take it out for that: a property that is changed by calls is checked for exclusive access each time that it
  /// is read. The check here, which finds the same, saves 13 % of an event and 2 % of a page that is confirmed.
  final var state: ResourceState {
    precondition(stateUse != .changing, "AnyResource.state: it is read while it is being changed")
    return stored
  }

  /// Notes that the resource is used, so that it is kept.
  final func noteUse() {
    if retention == .released { store.registry?.keep(self) } else { retention = .used }
  }

  /// Sets how the registry keeps the resource: only its entries do, except ``noteUse()``.
  final func setRetention(_ new: Retention, _: RegistryEntries.Access) { retention = new }

  /// Sets where the registry keeps the resource: only its entries do.
  final func setPosition(_ new: Int32, _: RegistryEntries.Access) { position = new }

  /// Attaches an object of a layer above, in place of the former one.
  final func attach(_ new: ResourceAttachment) {
    // Released after the change: a value that a style captures may be deallocated then, and run code that
    // re-enters this method.
    let old = attachment
    attachment = new
    withExtendedLifetime(old) {}
  }

  final func makeObservers() -> ObserverList<ResourceListener> {
    let made = ObserverList<ResourceListener>()
    observersIfAny = made
    return made
  }

  final func makeTracked() -> TrackedProperties {
    let made = TrackedProperties()
    trackedIfAny = made
    return made
  }

  /// Applies edits, which must not change this resource.
  final func applyEdits<Result>(_ body: () -> Result) -> Result {
    requireNoEdit()
    store.appliedEdits.begin()
    defer { store.appliedEdits.end() }
    return callEdits(body)
  }

  /// Calls edits, which must not change this resource, wherever what they make is shown.
  final func callEdits<Result>(_ body: () -> Result) -> Result {
    let before = stateUse
    precondition(before != .changing, "AnyResource.state: it is read while it is being changed")
    stateUse = .editing
    defer { stateUse = before }
    return body()
  }

  /// The current configuration of this resource: the result of the service's rules.
  public final var configuration: Service.Configuration { currentConfiguration.value }

  final var currentConfiguration: ConfigurationVersion {
    if let known = cachedConfiguration, known.version == store.configurationVersion {
      return known
    }
    let current = store.configuration(key.method, key.url)
    // Released after the change: deallocating what it captures may re-enter this property.
    let old = cachedConfiguration
    cachedConfiguration = current
    if let old {
      store.queue.hold(old)
      if let data = state.data { compareVariant(of: data, with: current) }
    }
    return current
  }

  /// Compares the data with what a request with that configuration would get.
  final func compareVariant(of data: AnyEntity, with settings: ConfigurationVersion) {
    isOtherVariant = data.variant != variant(of: data.headers, in: settings)
  }

  /// Notes that the data is what a request would get now.
  final func clearOtherVariant() { isOtherVariant = false }

  /// The number of changes of the service's configuration. A value of ``freshUntil`` is valid while
  /// this number stays the same.
  final var configurationVersion: Int { store.configurationVersion }
  /// The clock of the service, which ``freshUntil`` is measured with.
  package final var clock: any StoreClock { store.clock }

  /// Whether there is content that is a collection without elements.
  var isContentEmpty: Bool { false }

  /// Makes the handle of a load, of the type of this resource.
  func makeRequest(_ exchange: Exchange) -> AnyRequest {
    preconditionFailure("AnyResource.makeRequest: only Resource is instantiated")
  }

  // MARK: Loading

  /// Loads the resource if its data is missing or stale.
  ///
  /// Joins a load in flight, unless that is of another user (see ``Service/Configuration/userIdentifier``), which the
  /// new load replaces; does nothing while the data is fresh, or within
  /// ``Service/Configuration/failureCooldown`` (or the server's `Retry-After`, or the lifetime of the
  /// error response if ``Service/Configuration/responseFreshness`` is set) after an error;
  /// otherwise loads. After an error of another user only `Retry-After` counts.
  ///
  /// The events of a load that begins are those of ``load()``, with one difference: if the data of
  /// the persistent cache is fresh, the load ends with its `.newData(.cache)`, and no request is
  /// sent. A load that is joined, or not needed, has no event of its own.
  ///
  /// - Returns: the request of the load in flight, or nil if none is needed.
  @discardableResult
  public func loadIfNeeded() -> AnyRequest? { beginLoadIfNeeded() }

  /// Loads from the network, even while the data is fresh.
  ///
  /// The request has validators if the data has them. The response to an older load never replaces
  /// the response to a newer one.
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
  /// If several loads are in flight, the response to one ends the older ones too: those have no
  /// event of step 3. `.requestCancelled` comes only when no load is left. Hooks are called in any
  /// case.
  ///
  /// If the resource was invalidated during the load, is observed and was loaded successfully,
  /// another load begins once these events are delivered; see
  /// ``Service/Configuration/reloadsWhenInvalidated``.
  ///
  /// - Returns: the request of the load.
  @discardableResult
  public func load() -> AnyRequest { beginLoad() }

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

// MARK: - Changes of the state

extension AnyResource {
  /// Passes the state an input that replaces neither content nor error, unless the caller holds what it
  /// replaces until the events of the change have been delivered.
  ///
  /// - Returns: what it has decided, which is for ``perform(_:)`` where it is an action.
  final func decide<Decision>(_ input: (inout ResourceState) -> Decision) -> Decision {
    requireNoEdit()
    stateUse = .changing
    var state = ResourceState()
    swap(&state, &stored)
    defer {
      stored = state
      stateUse = .none
    }
    return input(&state)
  }

  /// Changes the state, and performs what it returns.
  ///
  /// What the change replaces is released after its events have been delivered: deallocating content or an
  /// error may run user code, which would re-enter a state that is being changed, and whose effects must come
  /// after these events.
  final func change(_ change: (inout ResourceState) -> ResourceState.Action) {
    if state.hasEdits { return changeApplyingEdits(change) }
    let (content, error) = (state.data?.content, state.error)
    attachment?.dataWillChange()
    perform(decide(change))
    if let content, content !== state.data?.content { store.queue.hold(content) }
    if let error { hold(error) }
  }

  /// The same for a change that may call optimistic edits: it is made on a copy, because an edit may read this
  /// resource.
  final func changeApplyingEdits(_ change: (inout ResourceState) -> ResourceState.Action) {
    let old = state
    var next = old
    let earlier = store.appliedEdits.results.count
    let action = applyEdits { change(&next) }
    attachment?.dataWillChange()
    stored = next
    let edited = store.appliedEdits.takeResults(after: earlier)
    perform(action)
    hold((old, edited))
  }

  /// Stops the program in an edit of this resource: what that changed would be lost, because the edit
  /// works on a copy of the state.
  final func requireNoEdit() {
    precondition(
      stateUse != .changing, "AnyResource.state: it is changed while it is being changed")
    require(
      stateUse == .none,
      """
      an edit of \(self) changes that resource; an edit may read it and change nothing but the \
      content that it is given
      """)
  }
}

// MARK: - Loads in flight

extension AnyResource {
  /// Joins a load.
  ///
  /// - Parameter isKnown: whether the user has begun or joined it before.
  /// - Returns: its request.
  final func join(_ id: ResourceState.LoadID, isKnown: Bool) -> AnyRequest? {
    inFlight.join(id, isKnown: isKnown)
  }

  /// The exchange of a load; nil if its request was made elsewhere.
  final func ownExchange(of id: ResourceState.LoadID) -> Exchange? { inFlight.ownExchange(of: id) }

  /// Adds a load that the state has begun.
  final func add(_ load: LoadsInFlight.Load, for id: ResourceState.LoadID) {
    inFlight.insert(load, for: id)
  }

  /// Notes the hook of an adopted request by which a load receives its outcome.
  final func setHook(_ hook: RequestListeners.HookID?, of id: ResourceState.LoadID) {
    inFlight.setHook(hook, of: id)
  }

  /// Releases a load that the caller has begun or joined with ``loadIfNeeded()``: it is cancelled
  /// if no other user wants it.
  final func releaseLoad(_ id: ResourceState.LoadID) {
    if inFlight.release(id) { cancelled(id) }
  }

  /// The loads whose outcome nothing but the resource receives.
  final func unawaitedLoads() -> [ResourceState.LoadID] { inFlight.unawaited() }

  /// A stream that ends when nothing is loading.
  final func rest() -> AsyncStream<Void> { inFlight.makeWaiter() }

  /// Whether a load receives what this request brings.
  final func isLoading(from request: AnyRequest) -> Bool { inFlight.contains(request) }

  /// Removes loads that were cancelled.
  ///
  /// - Returns: these, to be released after the events of the change.
  final func removeLoads(_ ids: [ResourceState.LoadID]) -> LoadsInFlight {
    state.isLoading ? inFlight.remove(ids) : inFlight.take()
  }

  /// Removes the loads that an outcome has ended: the oldest ones.
  ///
  /// - Returns: these, to be released after the events of the change: an adopted request may end, and its
  ///   hooks re-enter this method.
  final func removeEndedLoads() -> LoadsInFlight {
    state.isLoading ? inFlight.removeEnded { !state.counts($0) } : inFlight.take()
  }
}

extension AnyResource: CustomStringConvertible, SecretHolding {
  /// Method, origin and path; no secrets.
  public var description: String {
    "\(key.method) \(Redaction.originAndPath(of: key.url))"
  }
}

extension AnyResource: Identifiable {
  /// The identity of this object.
  public final var id: ObjectIdentifier { ObjectIdentifier(self) }
}

extension AnyResource {
  /// Stops the program if an invariant does not hold. For tests, between events; O(*n*).
  func checkInvariants() {
    state.checkInvariants()
    inFlight.checkInvariants()
    observersIfAny?.checkInvariants()
    precondition(inFlight.ids == state.loads, "the requests are not those of the loads")
    precondition(stateUse == .none, "an edit or a change has not ended")
  }
}
