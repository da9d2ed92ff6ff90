/// A load that the state counts.
struct LoadInFlight {
  let id: ResourceState.LoadID
  let request: AnyRequest
  /// Whether the request was made elsewhere, so that giving up the load leaves it alone.
  let isAdopted: Bool
}

/// Performing what the state decides.
extension AnyResource {
  final func beginLoadIfNeeded() -> AnyRequest? {
    let policy = policy
    return perform(.loadIfNeeded(policy, now: store.clock.now), freshEnough: policy)
  }

  final func beginLoad() -> AnyRequest {
    guard let request = perform(.load) else {
      preconditionFailure("AnyResource.load(): the state \(state) did not begin a load")
    }
    return request
  }

  /// Gives the state an input, and performs what it answers.
  ///
  /// - Parameters:
  ///   - freshEnough: for a load that a fresh entry of the persistent cache makes unnecessary.
  ///   - adopted: the request to load from; nil to make one.
  /// - Returns: the request of the load that was begun or joined.
  @discardableResult
  final func perform(
    _ input: ResourceState.Input, freshEnough: ResourceState.Policy? = nil,
    adopting adopted: AnyRequest? = nil
  ) -> AnyRequest? {
    perform(handle(input), freshEnough: freshEnough, adopting: adopted)
  }

  /// Gives the state an input.
  private func handle(_ input: ResourceState.Input) -> ResourceState.Reaction {
    guard state.callsEdits(for: input) else { return state.handle(input) }
    // On a copy: an optimistic edit is the program's closure and may read this resource, which it
    // could not while the state is being changed in place.
    var next = state
    let reaction = next.handle(input)
    state = next
    return reaction
  }

  @discardableResult
  private func perform(
    _ reaction: ResourceState.Reaction, freshEnough: ResourceState.Policy?,
    adopting adopted: AnyRequest?
  ) -> AnyRequest? {
    if let id = reaction.joined { return inFlight.first { $0.id == id }?.request }
    if reaction.isAtMostAnEvent {
      if let event = reaction.event { tell(event) }
      return nil
    }
    var request: AnyRequest?
    // Together, so that observers hear all of a change before anything that they do about it.
    store.queue.together {
      if let id = reaction.begun {
        let begun = adopted ?? begin(id, freshEnough)
        inFlight.append(LoadInFlight(id: id, request: begun, isAdopted: adopted != nil))
        request = begun
      }
      if reaction.isGivenUp { emit(.requestCancelled) }
      if !reaction.abandoned.isEmpty { abandon(reaction.abandoned) }
      if reaction.forgets, let write = exchange().forget() { store.cacheWrites.append(write) }
      if let event = reaction.event { tell(event) }
      // Behind `.requested`, because the request may have ended already.
      if let adopted, let id = reaction.begun { follow(adopted, load: id) }
    }
    return request
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
    let given = inFlight.filter { ids.contains($0.id) }
    forgetEndedLoads()
    for load in given where !load.isAdopted { load.request.cancel() }
  }

  /// Keeps the loads that the state counts.
  private func forgetEndedLoads() {
    inFlight.removeAll { !state.loads.contains($0.id) }
    // The memory for them goes with the last: most resources are not loading.
    if inFlight.isEmpty { inFlight = [] }
  }

  private func begin(
    _ id: ResourceState.LoadID, _ freshEnough: ResourceState.Policy?
  ) -> AnyRequest {
    let exchange = exchange()
    let request = makeRequest(exchange)
    request.load = AnyRequest.Load(resource: self, id: id)
    guard exchange.settings.hasCache, state.data == nil else {
      send(request)
      return request
    }
    request.run {
      await exchange.restore()
    } back: { [weak self] request, restored in
      if let restored { self?.take(restored, load: id, request, freshEnough) }
      if !request.isCompleted { self?.send(request) ?? request.cancel() }
    }
    return request
  }

  private func send(_ request: AnyRequest) {
    let known = state.confirmable
    request.load?.known = known
    request.carryOut(Exchange.Attempt(stored: known?.headers ?? [:]))
  }

  private func follow(_ request: AnyRequest, load id: ResourceState.LoadID) {
    request.whenEnded { [weak self] ending in
      switch ending.result {
      case .success(let entity): self?.received(.newData(entity, lifetime: nil), load: id)
      case .failure(let error): self?.received(.failure(error), load: id)
      }
    }
  }

  private func take(
    _ restored: Restored, load id: ResourceState.LoadID, _ request: AnyRequest,
    _ freshEnough: ResourceState.Policy?
  ) {
    guard state.loads.contains(id) else { return }
    store.queue.together {
      perform(.restored(id, restored, freshEnough, now: store.clock.now))
      guard !state.loads.contains(id) else { return }
      forgetEndedLoads()
      request.complete(.newData(restored.entity))
    }
  }

  /// Tells the state what a load brought.
  ///
  /// - Parameter write: what to do to the persistent cache, if the load still counts. It is asked for
  ///   first: an observer of the answer may wipe, which has to come behind.
  final func received(
    _ answer: ResourceState.Answer, load id: ResourceState.LoadID,
    writing write: CacheWrites.Write? = nil
  ) {
    if let write, state.loads.contains(id) { store.cacheWrites.append(write) }
    let reaction = handle(.answered(id, answer, now: store.clock.now))
    forgetEndedLoads()
    perform(reaction, freshEnough: nil, adopting: nil)
  }
}
