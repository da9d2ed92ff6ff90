/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// The hook of an adopted request by which the load receives its outcome.
    var hook: RequestListeners.HookID?
    /// How many users want it: those that began or joined it, less those that have released it.
    var userCount = 1
  }

  private var loads = NumberedList<ResourceState.LoadID, Load>()
  /// The requests of all loads, from when one was looked for among many.
  private var requests: Set<ObjectIdentifier>?
  /// The tasks that wait until there is none.
  private var waiters = Waiters()

  /// Whether releasing these ended loads may end a request beside the one that has just ended.
  var mayEndOthers: Bool {
    guard let last = loads.last else { return false }
    return loads.slotCount > 1 || last.value.isAdopted
  }
  /// Their numbers, oldest first.
  var ids: [ResourceState.LoadID] { loads.all.map(\.id) }
  /// The requests of all loads, oldest first.
  var all: [AnyRequest] { loads.all.map(\.value.request) }
  /// The request of the newest load.
  var newestRequest: AnyRequest? { loads.last?.value.request }

  /// Joins a load.
  ///
  /// - Parameter isKnown: whether the user has begun or joined it before.
  /// - Returns: its request.
  mutating func join(_ id: ResourceState.LoadID, isKnown: Bool) -> AnyRequest? {
    if !isKnown { loads.update(id) { $0.userCount += 1 } }
    return loads[id]?.request
  }

  /// The exchange that a load sends. Nil for a request that was made elsewhere, and while the persistent cache is
  /// read: a configuration that has changed by the end of that replaces the exchange.
  func ownExchange(of id: ResourceState.LoadID) -> Exchange? {
    loads[id].flatMap { $0.isAdopted || $0.request.readsCache ? nil : $0.request.exchange }
  }

  /// Records that a user of a load no longer wants it.
  ///
  /// - Returns: whether that was the last one.
  mutating func release(_ id: ResourceState.LoadID) -> Bool {
    loads.update(id) { $0.userCount -= 1 }
    return loads[id]?.userCount == 0
  }

  /// The loads whose outcome nothing but the resource receives.
  mutating func unawaited() -> [ResourceState.LoadID] {
    if waiters.hasWaiting() { return [] }
    return loads.all.compactMap { id, load in load.isAdopted || load.request.isAwaited ? nil : id }
  }

  /// A stream that ends when there is no load.
  mutating func makeWaiter() -> AsyncStream<Void> { waiters.make() }

  /// Whether a load receives what this request brings.
  ///
  /// - Complexity: amortized O(1).
  mutating func contains(_ request: AnyRequest) -> Bool {
    if requests == nil {
      guard loads.slotCount > 8 else { return loads.all.contains { $0.value.request === request } }
      requests = Set(loads.all.map { ObjectIdentifier($0.value.request) })
    }
    return requests?.contains(ObjectIdentifier(request)) == true
  }

  /// The load that receives what this request brings; nil for none.
  ///
  /// - Complexity: O(*n*).
  func load(from request: AnyRequest) -> (id: ResourceState.LoadID, isAdopted: Bool)? {
    loads.last { $0.request === request }.map { ($0.id, $0.value.isAdopted) }
  }

  /// The newest load that is about to adopt the response to a request which was made elsewhere, and whose
  /// hooks are being called.
  ///
  /// - Complexity: O(*n*).
  var adopting: (id: ResourceState.LoadID, request: AnyRequest)? {
    let load = loads.last {
      $0.isAdopted && $0.request.hasSucceeded && $0.request.isCallingHooks
    }
    return load.map { ($0.id, $0.value.request) }
  }

  /// Adds a load, even if a newer one has begun before it is added.
  mutating func insert(_ load: Load, for id: ResourceState.LoadID) {
    loads.insert(load, for: id)
    requests?.insert(ObjectIdentifier(load.request))
  }

  /// Notes the hook of an adopted request by which a load receives its outcome.
  mutating func setHook(_ hook: RequestListeners.HookID?, of id: ResourceState.LoadID) {
    loads.update(id) { $0.hook = hook }
  }

  /// Removes the loads with these numbers.
  ///
  /// - Returns: the removed loads.
  mutating func remove(_ ids: [ResourceState.LoadID]) -> LoadsInFlight {
    var removed = LoadsInFlight()
    for id in ids {
      guard let load = loads.remove(id) else { continue }
      removed.insert(load, for: id)
      requests?.remove(ObjectIdentifier(load.request))
    }
    return removed
  }

  /// Removes the oldest loads as far as they have ended.
  ///
  /// - Returns: the removed loads.
  mutating func removeEnded(_ hasEnded: (ResourceState.LoadID) -> Bool) -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.removeFirst(while: hasEnded)
    if requests != nil {
      removed.loads.forEach { requests?.remove(ObjectIdentifier($0.request)) }
    }
    return removed
  }

  /// Removes all loads.
  mutating func take() -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.take()
    requests = nil
    if !waiters.isEmpty { waiters.resume() }
    return removed
  }

  /// Cancels the requests, except those that were made elsewhere.
  func cancel() {
    for (_, load) in loads.all where !load.isAdopted { load.request.cancel() }
  }

  /// Removes the hooks by which removed loads would receive the outcomes of requests that were made elsewhere,
  /// which may be under way for long.
  ///
  /// - Returns: these, to be released after the events of the change.
  func removeHooks() -> [(LoadOutcome) -> Void] {
    loads.all.compactMap { _, load in load.hook.flatMap(load.request.removeHook) }
  }
}

extension LoadsInFlight {
  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    loads.checkInvariants()
    if let requests {
      precondition(requests == Set(loads.all.map { ObjectIdentifier($0.value.request) }))
    }
    precondition(loads.all.allSatisfy { $0.value.isAdopted || $0.value.hook == nil })
  }
}
