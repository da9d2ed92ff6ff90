/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// How many users want it: those that began or joined it, less those that have released it.
    var userCount = 1
  }

  private var loads = LoadList<ResourceState.LoadID, Load>()

  /// Whether releasing these ended loads may end a request beside the one that has just ended.
  var mayEndOthers: Bool {
    guard let last = loads.last else { return false }
    return loads.slotCount > 1 || last.value.isAdopted
  }
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

  /// Records that a user of a load no longer wants it.
  ///
  /// - Returns: whether that was the last one.
  mutating func release(_ id: ResourceState.LoadID) -> Bool {
    loads.update(id) { $0.userCount -= 1 }
    return loads[id]?.userCount == 0
  }

  /// The loads whose outcome nothing but the resource receives.
  var unawaited: [ResourceState.LoadID] {
    loads.all.compactMap { id, load in load.isAdopted || load.request.isAwaited ? nil : id }
  }

  /// Whether a load receives what this request brings.
  func contains(_ request: AnyRequest) -> Bool {
    loads.all.contains { $0.value.request === request }
  }

  /// Adds a load, also where a newer one has begun before it is added.
  mutating func insert(_ load: Load, for id: ResourceState.LoadID) { loads.insert(load, for: id) }

  /// Removes the loads with these numbers.
  ///
  /// - Returns: the removed loads.
  mutating func remove(_ ids: [ResourceState.LoadID]) -> LoadsInFlight {
    var removed = LoadsInFlight()
    for id in ids { if let load = loads.remove(id) { removed.insert(load, for: id) } }
    return removed
  }

  /// Removes the oldest loads as far as they have ended.
  ///
  /// - Returns: the removed loads.
  mutating func removeEnded(_ hasEnded: (ResourceState.LoadID) -> Bool) -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.removeFirst(while: hasEnded)
    return removed
  }

  /// Removes all loads.
  mutating func take() -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.take()
    return removed
  }

  /// Cancels the requests, but for those that were made elsewhere.
  func cancel() {
    for (_, load) in loads.all where !load.isAdopted { load.request.cancel() }
  }
}
