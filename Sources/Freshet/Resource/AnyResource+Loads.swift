import Foundation

/// The loads of a resource, in the order of time: begin, send, receive, perform.
extension AnyResource {
  /// Loads the resource if its data is missing or stale.
  ///
  /// - Parameters:
  ///   - load: what loads before this one brought counts as stale.
  ///   - enough: what loads from this one on brought needs no other load, whatever its age.
  ///   - known: the load that the caller has begun or joined before, and not released.
  @discardableResult
  final func beginLoadIfNeeded(
    since load: ResourceState.LoadID = 0, enough: ResourceState.LoadID = .max,
    known: ResourceState.LoadID? = nil
  ) -> AnyRequest? {
    requireNoEdit()
    let policy = policy
    let action = state.loadIfNeeded(
      policy, now: store.clock.now, since: load, enough: enough, as: store.nextLoad)
    switch action {
    case .join(let id): return inFlight.join(id, isKnown: id == known)
    // An entry of the persistent cache is of no load, and so older than any that is asked for.
    case .begin(let id): return begin(id, unlessFresh: load > 0 ? nil : policy)
    default: return nil
    }
  }

  /// Loads, in any case.
  ///
  /// - Parameter adopted: the request to load from; nil to make one.
  final func beginLoad(adopting adopted: AnyRequest? = nil) -> AnyRequest {
    requireNoEdit()
    guard case .begin(let id) = state.load(as: store.nextLoad) else {
      preconditionFailure("AnyResource.load(): the state \(state) did not begin a load")
    }
    return begin(id, adopting: adopted)
  }

  /// Begins a load of the state.
  ///
  /// - Parameters:
  ///   - policy: for a load that a fresh entry of the persistent cache makes unnecessary.
  ///   - adopted: the request to load from; nil to make one.
  @discardableResult
  private func begin(
    _ id: ResourceState.LoadID, unlessFresh policy: ResourceState.Policy? = nil,
    adopting adopted: AnyRequest? = nil
  ) -> AnyRequest {
    store.nextLoad = id + 1
    return store.queue.together {
      let request = adopted ?? makeRequest(exchange())
      inFlight.insert(.init(request: request, isAdopted: adopted != nil), for: id)
      emit(.resource(.requested))
      // After `.requested`, because the request may have ended already, or end without being sent.
      if adopted == nil {
        send(request, for: id, unlessFresh: policy)
      } else {
        follow(request, load: id)
      }
      return request
    }
  }
}

// MARK: - Send

extension AnyResource {
  /// The exchange that a load of this resource is.
  final func exchange() -> Exchange {
    Exchange(
      key: key, decoder: anyDecoder, settings: currentConfiguration,
      context: store.scope.context, unusable: unusable)
  }

  /// Sends the request of a load, where the persistent cache does not make it unnecessary.
  private func send(
    _ request: AnyRequest, for id: ResourceState.LoadID,
    unlessFresh policy: ResourceState.Policy?
  ) {
    guard let exchange = request.exchange else {
      preconditionFailure("AnyResource.send: a request without an exchange cannot be sent")
    }
    let use = exchange.settings.value.cache.flatMap(exchange.use)
    request.load = ResourceLoad(id, of: self, use, version: exchange.settings.version)
    // What the server has now is asked for, and not what a cache on the way has.
    let isReload = policy == nil || state.isInvalidated
    guard let use, state.mayBeRestored else { return send(request, isReload: isReload) }
    let restoration = Restoration(of: exchange, use)
    // A cache that does not respond is no reason not to ask the server.
    request.run(within: exchange.settings.value.timeout, .overdue(restoration.passOver)) {
      await restoration.entry()
    } completion: { [weak self] request, restored in
      if let restored { self?.received(restored, load: id, request, unlessFresh: policy) }
      if !request.isCompleted { self?.send(request, isReload: isReload) ?? request.cancel() }
    }
  }

  private func send(_ request: AnyRequest, isReload: Bool) {
    // Nearly always `data`; what asks the state for more copies all of it. What another request got is
    // not to be confirmed by the response to this one.
    let confirmable = state.edits == nil ? state.data : state.confirmable
    request.carryOut(
      Exchange.Attempt(confirming: isOtherVariant ? nil : confirmable, isReload: isReload))
  }

  /// Loads from a request that was made elsewhere.
  private func follow(_ request: AnyRequest, load id: ResourceState.LoadID) {
    let (other, hasEnded) = (request.exchange, request.isCompleted)
    let use = currentConfiguration.value.cache.flatMap { exchange().use(of: $0) }
    request.whenEnded { [weak self] ending in
      guard let self else { return }
      var fetched: Fetched
      switch ending {
      case .newData(let new): fetched = new
      case .notModified(let confirmed, _):
        // Without its write: that changes an entry which is of other content here.
        fetched = Fetched(entity: confirmed.entity, lifetime: confirmed.lifetime)
      case .failure(let error):
        return received(
          ending, load: id, use,
          after: hasEnded ? exchange().age(of: error.timestamp) : .zero)
      }
      let exchange = exchange()
      // The program says that it is this resource's content, whoever requested it.
      if fetched.entity.headers.first("Vary") == nil { fetched.entity.variant = exchange.user }
      if state.counts(id) { noteVariant(of: fetched.entity) }
      // By date only where it may be old: a date that was set back meanwhile makes content ancient.
      let isOld = hasEnded || fetched.isRestored
      received(
        .newData(fetched), load: id, use,
        after: isOld ? exchange.age(of: fetched.entity.timestamp) : .zero,
        writing: exchange.adopt(fetched.write, of: other))
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

  func received(_ outcome: LoadOutcome) {
    guard let resource else { return }
    if resource.isOtherVariant || version != resource.configurationVersion,
      resource.state.counts(id), case .success(let entity) = outcome.result
    {
      resource.noteVariant(of: entity)
    }
    resource.received(outcome, load: id, use, writing: outcome.write)
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
    _ restored: Restored, load id: ResourceState.LoadID, _ request: AnyRequest,
    unlessFresh policy: ResourceState.Policy?
  ) {
    guard state.counts(id) else { return }
    store.queue.together {
      let now = store.clock.now
      noteVariant(of: restored.entity)
      change { $0.restored(restored, for: id, policy, now: now) }
      guard !state.counts(id) else { return }
      request.complete(
        .newData(
          Fetched(entity: restored.entity, lifetime: restored.lifetime, isRestored: true)))
    }
  }

  /// Passes to the state how a load has ended.
  ///
  /// - Parameters:
  ///   - use: that of the persistent cache by the load; nil without a cache.
  ///   - age: how long ago that was.
  ///   - write: what to do to the persistent cache, if the load still counts. It is asked for first: an
  ///     observer of the outcome may wipe, which has to come after.
  final func received(
    _ outcome: LoadOutcome, load id: ResourceState.LoadID, _ use: CacheUse?,
    after age: Duration = .zero, writing write: CacheChange? = nil
  ) {
    if let use, let write, state.counts(id) { use.append(write) }
    let now = store.clock.now - age
    change { $0.received(outcome, of: id, now: now) }
    // One that was invalidated while this load was under way; a failure is not repeated.
    if state.isInvalidated, state.error == nil { reloadIfInvalidated() }
  }

  /// Releases a load that the caller has begun or joined with ``loadIfNeeded()``: it is cancelled
  /// if no other user wants it.
  final func releaseLoad(_ id: ResourceState.LoadID) {
    if inFlight.release(id) { cancelled(id) }
  }

  /// Passes to the state that a load was cancelled.
  final func cancelled(_ id: ResourceState.LoadID) {
    requireNoEdit()
    perform(state.cancel(id))
  }
}

// MARK: - Perform

extension AnyResource {
  /// Changes the state, and performs what it returns.
  ///
  /// What the change replaces is released after its events have been delivered: the end of content or of
  /// an error may run code of the program, which would come back to a state that is being changed, and
  /// what that code sets off comes after these events.
  ///
  /// - Parameter callsEdits: whether the change may call an optimistic edit. Then it is made on a copy,
  ///   because an edit may read this resource.
  final func change(
    callsEdits: Bool = false, _ change: (inout ResourceState) -> ResourceState.Action
  ) {
    requireNoEdit()
    if callsEdits || state.edits != nil { return changeCopy(change) }
    let (content, error) = (state.data?.content, state.error)
    attachment?.dataWillChange()
    perform(change(&state))
    if let content, content !== state.data?.content { store.queue.hold(content) }
    if let error { hold(error) }
  }

  private func changeCopy(_ change: (inout ResourceState) -> ResourceState.Action) {
    let old = state
    var next = old
    let earlier = store.edited.count
    let action = applyEdits { change(&next) }
    attachment?.dataWillChange()
    state = next
    var edited: [AnyContent] = []
    if store.edited.count > earlier {
      edited = Array(store.edited[earlier...])
      store.edited.removeLast(edited.count)
    }
    perform(action)
    hold((old, edited))
  }

  /// Holds what a change has replaced until the events of the change have been delivered.
  private func hold<Replaced>(_ replaced: Replaced) {
    if !store.queue.isIdle { store.queue.post { withExtendedLifetime(replaced) {} } }
  }

  /// Stops the program in an edit of this resource: what that changed would be lost, because the edit
  /// works on a copy of the state.
  @inline(__always)
  final func requireNoEdit() {
    require(
      !isEditing,
      """
      an edit of \(self) changes that resource; an edit may read it and change nothing but the \
      content that it is given
      """)
  }

  /// Does what the state has decided.
  final func perform(_ action: ResourceState.Action) {
    switch action {
    case .nothing, .join: break
    case .begin(let id): begin(id)
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
    if ended.mayEndOthers { hold(ended) }
  }

  private func perform(_ cancellation: ResourceState.Cancellation) {
    // Together, so that observers are notified of all of a change before anything that they do about it,
    // and the entry is removed before what is cancelled can end anything of the program.
    store.queue.together {
      if cancellation.removesEntry { forgetEntries() }
      if cancellation.isLast { emit(.resource(.requestCancelled)) }
      if let event = cancellation.event { notify(.resource(event)) }
      if !cancellation.loads.isEmpty { cancel(cancellation.loads) }
    }
  }

  /// Emits the event of a change.
  private func notify(_ event: Notice.Event) {
    emit(event)
    switch event {
    case .resource(.newData), .resource(.notModified), .derived: attachment?.contentChanged()
    case .resource, .list: break
    }
    guard case .resource(.newData) = event else { return }
    // After the event, because counting may evict others, whose end may have consequences.
    store.queue.post(self)
  }

  private func cancel(_ ids: [ResourceState.LoadID]) {
    let cancelled = state.isLoading ? inFlight.remove(ids) : inFlight.take()
    cancelled.cancel()
    hold(cancelled)
  }

  /// Removes the loads that an outcome has ended: the oldest ones.
  ///
  /// - Returns: these, to be released after the events of the change: an adopted request may end, and its
  ///   hooks come back here.
  private func removeEndedLoads() -> LoadsInFlight {
    state.isLoading ? inFlight.removeEnded { !state.counts($0) } : inFlight.take()
  }
}

extension AnyResource: PostedWork {
  /// Counts the bytes of the content.
  final func performPosted() {
    store.registry?.setBytes(state.data?.byteCount ?? 0, of: self)
  }
}
