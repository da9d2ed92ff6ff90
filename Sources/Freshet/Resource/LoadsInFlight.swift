/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// Whether the load was asked for again since it began.
    var isJoined = false
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
  /// - Returns: its request.
  mutating func join(_ id: ResourceState.LoadID) -> AnyRequest? {
    loads.update(id) { $0.isJoined = true }
    return loads[id]?.request
  }

  /// Whether a load was joined.
  func isJoined(_ id: ResourceState.LoadID) -> Bool { loads[id]?.isJoined ?? false }

  /// The loads whose outcome nothing but the resource receives.
  var unawaited: [ResourceState.LoadID] {
    loads.compactMap { $0.isAdopted || $0.request.isAwaited ? nil : $0.id }
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
