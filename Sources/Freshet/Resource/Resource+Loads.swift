/// A load that the state counts.
struct LoadInFlight<Content: Sendable> {
  let id: ResourceState<Content>.LoadID
  let request: Request<Content>
  /// Whether the request was made elsewhere, so that giving up the load leaves it alone.
  let isAdopted: Bool
}

/// Performing what the state decides.
extension Resource {
  typealias LoadID = ResourceState<Content>.LoadID

  /// Performs the actions in order.
  ///
  /// - Parameters:
  ///   - freshEnough: for a load that a fresh entry of the persistent cache makes unnecessary.
  ///   - adopted: the request to load from; nil to make one.
  /// - Returns: the request of the load that was begun or joined.
  @discardableResult
  func perform(
    _ actions: [ResourceState<Content>.Action],
    freshEnough: ResourceState<Content>.Policy? = nil, adopting adopted: Request<Content>? = nil
  ) -> Request<Content>? {
    var request: Request<Content>?
    // Together, so that observers hear all of a change before anything that they do about it.
    store.queue.together {
      request = performEach(actions, freshEnough, adopted)
    }
    return request
  }

  private func performEach(
    _ actions: [ResourceState<Content>.Action], _ freshEnough: ResourceState<Content>.Policy?,
    _ adopted: Request<Content>?
  ) -> Request<Content>? {
    var request: Request<Content>?
    var started: LoadID?
    for action in actions {
      switch action {
      case .start(let id):
        let begun = adopted ?? begin(id, freshEnough)
        inFlight.append(LoadInFlight(id: id, request: begun, isAdopted: adopted != nil))
        request = begun
        started = id
      case .join(let id):
        request = inFlight.first { $0.id == id }?.request
      case .emit(let event):
        if case .newData = event { store.registry?.setBytes(state.data?.byteCount ?? 0, of: self) }
        emit(event)
      case .abandon(let ids):
        abandon(ids)
      case .forget:
        if let write = exchange().forget() { store.cacheWrites.append(write) }
      }
    }
    // Behind `.requested`, because the request may have ended already.
    if let adopted, let started { follow(adopted, load: started) }
    return request
  }

  private func abandon(_ ids: [LoadID]) {
    let given = inFlight.filter { ids.contains($0.id) }
    inFlight.removeAll { ids.contains($0.id) }
    for load in given where !load.isAdopted { load.request.cancel() }
  }

  private func begin(
    _ id: LoadID, _ freshEnough: ResourceState<Content>.Policy?
  ) -> Request<Content> {
    let exchange = exchange()
    let scope = store.scope
    let request = Request<Content>(scope: scope) { exchange.begin(in: scope) }
    request.stop = { [weak self] in
      guard let self else { return }
      perform(handle(.cancelled(id)))
    }
    guard exchange.configuration.cache != nil, state.data == nil else {
      send(request, exchange, load: id)
      return request
    }
    request.run { _ in
      await exchange.restore()
    } back: { [weak self] request, restored in
      if let restored { self?.take(restored, load: id, request, freshEnough) }
      if !request.isCompleted { self?.send(request, exchange, load: id) ?? request.cancel() }
    }
    return request
  }

  private func send(_ request: Request<Content>, _ exchange: Exchange<Content>, load id: LoadID) {
    let known = state.confirmable
    let stored = known?.headers ?? [:]
    request.carryOut(exchange, Exchange.Attempt(stored: stored)) { [weak self] request, outcome in
      // Together, so that the request has ended by the time that observers hear of its answer.
      request.scope.queue.together {
        Self.settle(request, with: outcome, of: exchange, for: self, load: id, confirming: known)
      }
    }
  }

  private func follow(_ request: Request<Content>, load id: LoadID) {
    request.whenEnded { [weak self, unowned request] _ in
      guard let self, let result = request.result else { return }
      switch result {
      case .success(let entity): received(.newData(entity, lifetime: nil), load: id)
      case .failure(let error): received(.failure(error), load: id)
      }
    }
  }

  private func take(
    _ restored: Restored<Content>, load id: LoadID, _ request: Request<Content>,
    _ freshEnough: ResourceState<Content>.Policy?
  ) {
    guard state.loads.contains(id) else { return }
    store.queue.together {
      perform(handle(.restored(id, restored, freshEnough, now: store.clock.now)))
      guard !state.loads.contains(id) else { return }
      inFlight.removeAll { $0.id == id }
      request.succeed(with: restored.entity, isNew: true)
    }
  }

  /// Tells the state what a load brought.
  private func received(_ answer: ResourceState<Content>.Answer, load id: LoadID) {
    let actions = handle(.answered(id, answer, now: store.clock.now))
    inFlight.removeAll { !state.loads.contains($0.id) }
    perform(actions)
  }

  /// Ends a load: first the state and its observers hear of it, then who waits for the request.
  ///
  /// - Parameter known: the content whose validators were sent.
  private static func settle(
    _ request: Request<Content>, with outcome: Exchange<Content>.Outcome,
    of exchange: Exchange<Content>, for resource: Resource?, load id: LoadID,
    confirming known: Entity<Content>?
  ) {
    // Writes are asked for first: an observer of the answer may wipe, which has to come behind.
    let writes = resource.flatMap { $0.state.loads.contains(id) ? $0.store.cacheWrites : nil }
    switch outcome {
    case .newData(let fetched):
      if let write = exchange.write(fetched.entry) { writes?.append(write) }
      resource?.received(.newData(fetched.entity, lifetime: fetched.lifetime), load: id)
      request.succeed(with: fetched.entity, isNew: true)
    case .notModified(let headers, let date, let lifetime):
      guard var entity = known else {
        preconditionFailure("Exchange.run: 304 for a load without validators passed through")
      }
      if let write = exchange.confirm(headers, date: date) { writes?.append(write) }
      resource?.received(
        .notModified(entity, headers, date: date, lifetime: lifetime), load: id)
      entity.confirm(headers, date: date)
      request.succeed(with: entity, isNew: false)
    case .failure(let error):
      resource?.received(.failure(error), load: id)
      request.fail(with: error)
    }
  }
}

extension Resource {
  /// Gives the state an input.
  func handle(_ input: ResourceState<Content>.Input) -> [ResourceState<Content>.Action] {
    guard state.callsEdits(for: input) else { return state.handle(input) }
    // On a copy: an optimistic edit is the program's closure and may read this resource, which it
    // could not while the state is being changed in place.
    var next = state
    let actions = next.handle(input)
    state = next
    return actions
  }
}
