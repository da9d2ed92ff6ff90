import Foundation

/// How a load asks for content.
enum LoadMode {
  case usual
  /// For the content itself, not for a confirmation that it has not changed.
  case unconditional
  /// Without the persistent cache, which was read just now, and had nothing.
  case uncached
}

/// When and how the request of a load is sent.
private struct LoadTerms {
  var mode = LoadMode.usual
  /// Whether a fresh cache entry ends the load without a request.
  var endsIfFresh = false

  func freshness(isInvalidated: Bool) -> Exchange.Attempt.Freshness {
    if mode == .unconditional { return .unconditional }
    // What the server has now is asked for, and not what a cache on the way has.
    return !endsIfFresh || isInvalidated ? .reload : .any
  }
}

/// The loads of a resource, in the order of time: begin, send, receive, and perform what the state decides.
extension AnyResource {
  /// Loads the resource if its data is missing or stale.
  ///
  /// - Parameters:
  ///   - need: the loads that make another one unnecessary.
  ///   - mode: how a load that begins asks for the content.
  ///   - known: the load that the caller has begun or joined before, and not released.
  @discardableResult
  final func beginLoadIfNeeded(
    _ need: ResourceState.Need = .init(), _ mode: LoadMode = .usual,
    known: ResourceState.LoadID? = nil
  ) -> AnyRequest? {
    let settings = currentConfiguration
    var policy = policy(of: settings)
    let (now, next) = (store.clock.now, store.nextLoad)
    requireNoEdit()
    // What the state would decide for a fresh page, read without taking it out: saves 9 % of a visit.
    if !state.isLoading, state.confirmingLoad >= need.since,
      let deadline = state.freshUntil(policy), now < deadline
    {
      return nil
    }
    var demand = decide { $0.loadIfNeeded(need, policy, now: now, as: next) }
    if case .tooEarly(let user) = demand, user != exchange(settings).user {
      policy.isOtherUsersFailure = true
      demand = decide { $0.loadIfNeeded(need, policy, now: now, as: next) }
    }
    switch demand {
    case .nothing, .tooEarly: return nil
    case .join(let id) where !isOfOtherUser(id, than: settings):
      return join(id, isKnown: id == known)
    case .join: decide { $0.load(as: next) }
    case .begin: break
    }
    // An entry of the persistent cache is of no load, and so older than any that is asked for.
    return begin(next, settings, LoadTerms(mode: mode, endsIfFresh: need.since == 0))
  }

  /// Loads, in any case.
  ///
  /// - Parameter adopted: the request to load from; nil to make one.
  final func beginLoad(adopting adopted: AnyRequest? = nil) -> AnyRequest {
    // Before the state: the rules of the program run here, and may cancel loads.
    let settings = currentConfiguration
    let id = store.nextLoad
    decide { $0.load(as: id) }
    return begin(id, settings, adopting: adopted)
  }

  /// Begins a load of the state.
  ///
  /// - Parameters:
  ///   - settings: the configuration, which was read before the state has begun the load.
  ///   - terms: when and how it is sent.
  ///   - adopted: the request to load from; nil to make one.
  @discardableResult
  private func begin(
    _ id: ResourceState.LoadID, _ settings: ConfigurationVersion, _ terms: LoadTerms = LoadTerms(),
    adopting adopted: AnyRequest? = nil
  ) -> AnyRequest {
    store.countLoad()
    return store.queue.together {
      let request = adopted ?? makeRequest(exchange(settings))
      add(.init(request: request, isAdopted: adopted != nil), for: id)
      emit(.resource(.requested))
      // After `.requested`, because the request may have ended already, or end without being sent.
      if adopted == nil {
        send(request, for: id, terms)
      } else {
        setHook(follow(request, load: id, settings), of: id)
      }
      return request
    }
  }

  /// The exchange that a load of this resource with that configuration is.
  final func exchange(_ settings: ConfigurationVersion) -> Exchange {
    Exchange(
      key: key, decoder: anyDecoder, settings: settings, context: store.scope.context,
      unusable: unusable)
  }

  /// Whether a load in flight is for another user than that of these settings. A request that was made elsewhere is
  /// for any user, because the program chose it.
  final func isOfOtherUser(
    _ id: ResourceState.LoadID, than settings: ConfigurationVersion
  ) -> Bool {
    guard let made = ownExchange(of: id), made.settings !== settings else { return false }
    return made.user != exchange(settings).user
  }
}

// MARK: - Send

extension AnyResource {
  /// Sends the request of a load, if the persistent cache does not make it unnecessary.
  private func send(
    _ request: AnyRequest, for id: ResourceState.LoadID, _ terms: LoadTerms
  ) {
    guard let exchange = request.exchange else {
      preconditionFailure("AnyResource.send: a request without an exchange cannot be sent")
    }
    let use = exchange.settings.value.cache.flatMap(exchange.beginUse)
    request.assign(to: ResourceLoad(id, of: self, use, version: exchange.settings.version))
    let freshness = terms.freshness(isInvalidated: state.isInvalidated)
    guard let use, state.mayBeRestored, terms.mode != .uncached else {
      return send(request, freshness)
    }
    let restoration = Restoration(of: exchange, use)
    // A cache that does not respond is no reason not to ask the server.
    request.run(within: exchange.settings.value.timeout, .readingCache(skip: restoration.skip)) {
      await restoration.entry()
    } completion: { [weak self] request, restored in
      guard let self else {
        // The resource was deallocated, and only the program holds the request: it is sent, unless the
        // configuration changed or the URL was wiped.
        let isCurrent = exchange.settings.version == request.scope.configurationVersion
        guard isCurrent, request.mayRetry else { return request.cancel() }
        return request.carryOut(Exchange.Attempt(freshness))
      }
      guard exchange.settings.version == store.configurationVersion else {
        // The entry may be another user's by now, and so would be what this exchange gets.
        let current = currentConfiguration
        // A rule may have ended the load.
        guard !request.isCompleted else { return }
        request.replaceExchange(by: self.exchange(current))
        return send(request, for: id, terms)
      }
      if let restored { received(restored, load: id, request, terms) }
      if !request.isCompleted { send(request, freshness) }
    }
  }

  private func send(_ request: AnyRequest, _ freshness: Exchange.Attempt.Freshness) {
    let isRefused = store.scope.refusesConditions && !key.method.isRead
    // What another request got is not to be confirmed by the response to this one.
    guard !isOtherVariant, !isRefused else {
      return request.carryOut(Exchange.Attempt(freshness))
    }
    // Nearly always `data`; what asks the state for more copies all of it; see ``ResourceState/hasEdits``.
    request.carryOut(
      Exchange.Attempt(confirming: state.hasEdits ? state.confirmable : state.data, freshness))
  }

  /// Loads from a request that was made elsewhere.
  ///
  /// - Parameter settings: the configuration, which was read before the state has begun the load.
  /// - Returns: the hook by which the load receives the outcome; nil if the request has ended.
  private func follow(
    _ request: AnyRequest, load id: ResourceState.LoadID, _ settings: ConfigurationVersion
  ) -> RequestListeners.HookID? {
    let hasEnded = request.isCompleted
    // The program says that it is this resource's content, whoever requested it: of the user of now, who may be
    // another one when it arrives.
    let adopter = exchange(settings)
    let use = settings.value.cache.flatMap(adopter.beginUse)
    return request.whenEnded { [weak self, unowned request] ending in
      guard let self else { return }
      let fetched: Fetched
      switch ending {
      case .success(let content): fetched = content
      case .failure(let error):
        return received(
          ending, load: id, use,
          after: hasEnded ? adopter.age(of: error.timestamp) : .zero, for: adopter)
      }
      // Not that of a confirmation: it changes an entry which is of other content here.
      let change = fetched.known == nil ? fetched.cacheChange : nil
      var entity = fetched.entity
      entity.assign(to: adopter.user)
      let current = currentConfiguration
      if state.counts(id) { compareVariant(of: entity, with: current) }
      // Dates are compared only for a response that may be old: after a clock change, new content would look
      // old.
      let isOld = hasEnded || fetched.isRestored
      if state.counts(id) { store.scope.hookCalls.noteAdoption(of: request, by: self) }
      let lifetime = adopter.lifetime(adopting: fetched)
      received(
        .success(Fetched(entity: entity, lifetime: lifetime)), load: id, use,
        after: isOld ? adopter.age(of: entity.timestamp) : .zero,
        writing: adopter.cacheChange(adopting: change, of: fetched.exchange))
    }
  }
}

// MARK: - Receive

/// A load of a resource, which it does not keep alive, as its request knows it.
private final class ResourceLoad: RequestedLoad {
  private weak var resource: AnyResource?
  private let id: ResourceState.LoadID
  private let use: CacheUse?
  /// The version of the configuration that the request was made with.
  private let version: Int

  init(_ id: ResourceState.LoadID, of resource: AnyResource, _ use: CacheUse?, version: Int) {
    self.resource = resource
    self.id = id
    self.use = use
    self.version = version
  }

  var isWanted: Bool { resource?.state.counts(id) == true }

  func received(_ outcome: LoadOutcome) {
    guard let resource else { return }
    if resource.isOtherVariant || version != resource.configurationVersion,
      let entity = outcome.fetched?.entity
    {
      let settings = resource.currentConfiguration
      if resource.state.counts(id) { resource.compareVariant(of: entity, with: settings) }
    }
    resource.received(outcome, load: id, use, writing: outcome.fetched?.cacheChange)
  }

  func cancelled() {
    resource?.cancelled(id)
  }

  func waits() {
    resource?.reportWait()
  }
}

extension AnyResource {
  /// Passes the entry of the persistent cache to the state.
  private func received(
    _ restored: Restored, load id: ResourceState.LoadID, _ request: AnyRequest, _ terms: LoadTerms
  ) {
    let settings = currentConfiguration
    // Otherwise the state refuses it, and the data is still that of another load.
    guard state.counts(id), state.mayBeRestored else { return }
    store.queue.together {
      show(restored, for: id, settings, endsIfFresh: terms.endsIfFresh)
      guard !state.counts(id) else { return }
      request.complete(
        .success(
          Fetched(
            entity: restored.entity, lifetime: restored.lifetime, by: request.exchange,
            isRestored: true)))
    }
  }

  /// Passes to the state what was read from the persistent cache.
  ///
  /// - Parameters:
  ///   - id: the load that has read it; nil for none.
  ///   - endsIfFresh: whether fresh content ends that load.
  final func show(
    _ restored: Restored, for id: ResourceState.LoadID?, _ settings: ConfigurationVersion,
    endsIfFresh: Bool = false
  ) {
    let now = store.clock.now
    compareVariant(of: restored.entity, with: settings)
    // After that, because what was shown before may be of another user.
    let policy = endsIfFresh ? policy(of: settings) : nil
    change { $0.restored(restored, for: id, policy, now: now) }
  }

  /// Passes to the state how a load has ended.
  ///
  /// - Parameters:
  ///   - use: that of the persistent cache by the load; nil without a cache.
  ///   - age: how long ago that was.
  ///   - adopter: the exchange for whose user it counts, if the request was made elsewhere.
  ///   - write: what to do to the persistent cache, if the load still counts. It is asked for first: an
  ///     observer of the outcome may wipe, which has to come after.
  final func received(
    _ outcome: LoadOutcome, load id: ResourceState.LoadID, _ use: CacheUse?,
    after age: Duration = .zero, for adopter: Exchange? = nil, writing write: CacheChange? = nil
  ) {
    if let use, let write, state.counts(id) { use.append(write) }
    let now = store.clock.now - age
    let user: UInt64 =
      if case .failure = outcome { (adopter ?? ownExchange(of: id))?.user ?? 0 } else { 0 }
    change { $0.received(outcome, of: id, now: now, for: user) }
    // One that was invalidated while this load was under way; a failure is not repeated.
    if state.isInvalidated, state.error == nil { reloadIfInvalidated() }
  }

  /// Passes to the state that a load was cancelled.
  final func cancelled(_ id: ResourceState.LoadID) {
    perform(decide { $0.cancel(id) })
  }
}

// MARK: - Perform

extension AnyResource {
  /// Holds what a change has replaced until the events of the change have been delivered.
  final func hold<Replaced>(_ replaced: Replaced) {
    if !store.queue.isIdle { store.queue.post { withExtendedLifetime(replaced) {} } }
  }

  /// Does what the state has decided.
  final func perform(_ action: ResourceState.Action) {
    switch action {
    case .nothing: break
    case .notify(.invalidated): notify(.resource(.invalidated))
    case .notify(let event): notifyEnd(.resource(event))
    case .notifyDerived: notifyEnd(.derived)
    case .cancel(let cancellation): perform(cancellation)
    }
  }

  /// Emits the event of a change that may have ended loads: of any but an invalidation.
  private func notifyEnd(_ event: Notice.Event) {
    let ended = removeEndedLoads()
    notify(event)
    if ended.mayEndOthers { release(ended) }
  }

  /// Releases loads that have ended, perhaps before their requests.
  private func release(_ ended: LoadsInFlight) {
    for request in ended.all where !request.isCompleted {
      store.scope.noteUnwanted(request)
      request.endUnawaited(for: self)
    }
    hold((ended, ended.removeHooks()))
  }

  private func perform(_ cancellation: ResourceState.Cancellation) {
    // Together, so that observers are notified of all of a change before anything that they do about it,
    // and the entry is removed before what is cancelled can end anything of the program.
    store.queue.together {
      if cancellation.removesEntry { forgetEntries() }
      if cancellation.isLast { emit(.resource(.requestCancelled)) }
      if let event = cancellation.event { notify(.resource(event)) }
      if cancellation.loads.isEmpty { return }
      let cancelled = removeLoads(cancellation.loads)
      cancelled.cancel()
      release(cancelled)
    }
  }

  /// Emits the event of a change.
  private func notify(_ event: Notice.Event) {
    if let attachment { notify(event, attachment) } else { emit(event) }
    guard case .resource(.newData) = event else { return }
    // After the event, because counting may evict others, and deallocating them may run user code.
    store.queue.post(self)
  }

  /// Emits the event of a change together with what that changes elsewhere: where else the content is shown, it has
  /// changed before the first observer is notified.
  private func notify(_ event: Notice.Event, _ attachment: ResourceAttachment) {
    store.queue.together {
      emit(event)
      switch event {
      case .resource(.newData), .resource(.notModified), .derived: attachment.contentChanged()
      case .resource, .list: break
      }
    }
  }
}

extension AnyResource: PostedWork {
  /// Counts the bytes of the content.
  final func performPosted() {
    store.registry?.setBytes(state.data?.byteCount ?? 0, of: self)
  }
}
