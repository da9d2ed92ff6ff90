/// A load that the state counts.
struct LoadInFlight {
  let id: ResourceState.LoadID
  let request: AnyRequest
  /// Whether the request was made elsewhere, so that giving up the load leaves it alone.
  let isAdopted: Bool
}

/// A load of a resource, which it does not keep alive, as its request knows it.
private final class ResourceLoad: RequestedLoad {
  private weak var resource: AnyResource?
  private let id: ResourceState.LoadID

  init(_ id: ResourceState.LoadID, of resource: AnyResource) {
    self.resource = resource
    self.id = id
  }

  func received(_ outcome: LoadOutcome) {
    resource?.received(outcome, load: id, writing: outcome.write)
  }

  func cancelled() {
    resource?.giveUp(id)
  }
}

/// Performing what the state decides.
extension AnyResource {
  /// Loads, unless that is not needed.
  ///
  /// - Parameter load: what loads before this one brought counts as stale.
  @discardableResult
  final func beginLoadIfNeeded(since load: ResourceState.LoadID = 0) -> AnyRequest? {
    requireNoEdit()
    let policy = policy
    let reaction = state.loadIfNeeded(
      policy, now: store.clock.now, since: load, as: store.nextLoad)
    switch reaction {
    case .join(let id): return inFlight.last { $0.id == id }?.request
    case .begin(let id): return start(id, freshEnough: policy)
    default: return nil
    }
  }

  final func beginLoad(adopting adopted: AnyRequest? = nil) -> AnyRequest {
    requireNoEdit()
    guard case .begin(let id) = state.load(as: store.nextLoad) else {
      preconditionFailure("AnyResource.load(): the state \(state) did not begin a load")
    }
    return start(id, adopting: adopted)
  }

  /// Changes the state, and does what follows from that.
  ///
  /// What the change replaces is released after its events have been delivered: the end of content or of
  /// an error may run code of the program, which would come back to a state that is being changed, and
  /// what that code sets off comes after these events.
  ///
  /// - Parameter callsEdits: whether the change may call an optimistic edit. Then it is made on a copy,
  ///   because an edit may read this resource.
  final func change(
    callsEdits: Bool = false, _ change: (inout ResourceState) -> ResourceState.Reaction
  ) {
    requireNoEdit()
    if callsEdits || state.edits != nil { return changeCopy(change) }
    let (content, error) = (state.data?.content, state.error)
    perform(change(&state))
    if let content, content !== state.data?.content { store.queue.hold(content) }
    if let error { hold(error) }
  }

  private func changeCopy(_ change: (inout ResourceState) -> ResourceState.Reaction) {
    let old = state
    var next = old
    let earlier = store.edited.count
    isEditing = true
    let reaction = change(&next)
    isEditing = false
    state = next
    var edited: [AnyContent] = []
    if store.edited.count > earlier {
      edited = Array(store.edited[earlier...])
      store.edited.removeLast(edited.count)
    }
    perform(reaction)
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

  /// Does what the state has answered.
  final func perform(_ reaction: ResourceState.Reaction) {
    switch reaction {
    case .nothing, .join: break
    case .begin(let id): start(id)
    case .tell(let event):
      forgetEndedLoads()
      tell(event)
    case .abandon(let abandoning): perform(abandoning)
    }
  }

  private func perform(_ abandoning: ResourceState.Abandoning) {
    // Together, so that observers hear all of a change before anything that they do about it.
    store.queue.together {
      if abandoning.isLast { emit(.requestCancelled) }
      if !abandoning.loads.isEmpty { abandon(abandoning.loads) }
      if abandoning.forgets, let write = exchange().forget() { store.cacheWrites.append(write) }
      if let event = abandoning.event { tell(event) }
    }
  }

  /// Begins a load.
  ///
  /// - Parameters:
  ///   - freshEnough: for a load that a fresh entry of the persistent cache makes unnecessary.
  ///   - adopted: the request to load from; nil to make one.
  @discardableResult
  private func start(
    _ id: ResourceState.LoadID, freshEnough: ResourceState.Policy? = nil,
    adopting adopted: AnyRequest? = nil
  ) -> AnyRequest {
    store.nextLoad = id + 1
    return store.queue.together {
      let request = adopted ?? begin(id, freshEnough)
      // In order, also where making the request has begun a newer load.
      let place = inFlight.lastIndex { $0.id < id }.map { $0 + 1 } ?? 0
      inFlight.insert(
        LoadInFlight(id: id, request: request, isAdopted: adopted != nil), at: place)
      emit(.requested)
      // Behind `.requested`, because the request may have ended already.
      if let adopted { follow(adopted, load: id) }
      return request
    }
  }

  /// Emits the event of a change.
  private func tell(_ event: ResourceEvent) {
    guard case .newData = event else { return emit(event) }
    // Together, because counting may evict others, whose end may have consequences.
    store.queue.together {
      store.registry?.setBytes(state.data?.byteCount ?? 0, of: self)
      emit(event)
    }
  }

  private func abandon(_ ids: [ResourceState.LoadID]) {
    let given = inFlight(of: ids)
    forgetEndedLoads()
    for load in given where !load.isAdopted { load.request.cancel() }
  }

  /// Keeps the loads that the state counts.
  private func forgetEndedLoads() {
    // Released after the change: an adopted request may end, and its hooks come back here.
    let all = inFlight
    // The memory for them goes with the last: most resources are not loading.
    inFlight = state.isLoading ? inFlight(of: state.loads) : []
    withExtendedLifetime(all) {}
  }

  /// The loads in flight with these numbers, which are in order as the loads are.
  private func inFlight(of ids: [ResourceState.LoadID]) -> [LoadInFlight] {
    var index = 0
    return inFlight.filter { load in
      while index < ids.count, ids[index] < load.id { index += 1 }
      return index < ids.count && ids[index] == load.id
    }
  }

  private func begin(
    _ id: ResourceState.LoadID, _ freshEnough: ResourceState.Policy?
  ) -> AnyRequest {
    let exchange = exchange()
    let request = makeRequest(exchange)
    request.load = ResourceLoad(id, of: self)
    guard exchange.settings.hasCache, state.data == nil else {
      send(request)
      return request
    }
    let pending = store.cacheWrites.pendingChange(of: key)
    // A cache that does not respond is no reason not to ask the server.
    let passOver = { [weak self] (request: AnyRequest) in
      exchange.restoringTimedOut()
      self?.send(request) ?? request.cancel()
    }
    request.run(within: exchange.settings.value.timeout, overdue: passOver) {
      await exchange.restore(after: pending)
    } back: { [weak self] request, restored in
      if let restored { self?.take(restored, load: id, request, freshEnough) }
      if !request.isCompleted { self?.send(request) ?? request.cancel() }
    }
    return request
  }

  private func send(_ request: AnyRequest) {
    // Nearly always `data`; what asks the state for more copies all of it.
    let confirmable = state.edits == nil ? state.data : state.confirmable
    request.carryOut(Exchange.Attempt(confirming: confirmable))
  }

  private func follow(_ request: AnyRequest, load id: ResourceState.LoadID) {
    let (decoder, hasEnded) = (request.exchange?.decoder, request.isCompleted)
    request.whenEnded { [weak self] ending in
      guard let self else { return }
      let fetched: Fetched
      switch ending {
      case .newData(let new): fetched = new
      case .notModified(let confirmed, _):
        // Without its write: that changes an entry which is of other content here.
        fetched = Fetched(entity: confirmed.entity, lifetime: confirmed.lifetime)
      case .failure: return received(ending, load: id)
      }
      let exchange = exchange()
      received(
        .newData(fetched), load: id,
        after: hasEnded ? exchange.age(of: fetched.entity.timestamp) : .zero,
        writing: exchange.adopt(fetched.write, readBy: decoder))
    }
  }

  private func take(
    _ restored: Restored, load id: ResourceState.LoadID, _ request: AnyRequest,
    _ freshEnough: ResourceState.Policy?
  ) {
    guard state.counts(id) else { return }
    store.queue.together {
      let now = store.clock.now
      change { $0.restore(restored, for: id, freshEnough, now: now) }
      guard !state.counts(id) else { return }
      request.complete(
        .newData(Fetched(entity: restored.entity, lifetime: restored.lifetime)))
    }
  }

  /// Loads what was invalidated, after the events that are waiting, if it is shown to somebody.
  final func reloadIfInvalidated() {
    guard state.isInvalidated, state.data != nil, observersIfAny?.isEmpty == false,
      currentConfiguration.value.reloadsWhenInvalidated
    else { return }
    store.queue.post { [self] in
      if state.isInvalidated, state.data != nil, isObservedByProgram { _ = beginLoadIfNeeded() }
    }
  }

  /// Tells the state that a load will bring nothing.
  final func giveUp(_ id: ResourceState.LoadID) {
    requireNoEdit()
    perform(state.cancel(id))
  }

  /// Tells the state what a load brought.
  ///
  /// - Parameters:
  ///   - age: how long ago that came.
  ///   - write: what to do to the persistent cache, if the load still counts. It is asked for first: an
  ///     observer of the outcome may wipe, which has to come behind.
  final func received(
    _ outcome: LoadOutcome, load id: ResourceState.LoadID, after age: Duration = .zero,
    writing write: CacheWrites.Write? = nil
  ) {
    if let write, state.counts(id) { store.cacheWrites.append(write) }
    let now = store.clock.now - age
    change { $0.take(outcome, of: id, now: now) }
    // One that was invalidated while this load was under way; a failure is not repeated.
    if state.isInvalidated, state.error == nil { reloadIfInvalidated() }
  }
}
