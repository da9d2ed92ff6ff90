/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let id: ResourceState.LoadID
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// How many users want it: those that began or joined it, less those that have released it.
    var userCount = 1
  }

  private var loads: [Load] = []

  var count: Int { loads.count }
  /// Whether releasing the loads may end a request beside the one that has just ended.
  var mayEndOthers: Bool { loads.count > 1 || loads.contains(where: \.isAdopted) }
  /// The request of the newest load.
  var newestRequest: AnyRequest? { loads.last?.request }

  /// Joins a load.
  ///
  /// - Parameter isKnown: whether the user has begun or joined it before.
  /// - Returns: its request.
  mutating func join(_ id: ResourceState.LoadID, isKnown: Bool) -> AnyRequest? {
    guard let index = loads.lastIndex(where: { $0.id == id }) else { return nil }
    if !isKnown { loads[index].userCount += 1 }
    return loads[index].request
  }

  /// Records that a user of a load no longer wants it.
  ///
  /// - Returns: whether that was the last one.
  mutating func release(_ id: ResourceState.LoadID) -> Bool {
    guard let index = loads.lastIndex(where: { $0.id == id }) else { return false }
    loads[index].userCount -= 1
    return loads[index].userCount == 0
  }

  /// Whether a load receives what this request brings.
  func contains(_ request: AnyRequest) -> Bool { loads.contains { $0.request === request } }

  /// Adds a load, also where a newer one has begun before it is added.
  mutating func insert(_ load: Load) {
    let index = loads.lastIndex { $0.id < load.id }.map { $0 + 1 } ?? 0
    loads.insert(load, at: index)
  }

  /// The loads with these numbers, which are in order as the loads are.
  func only(_ ids: [ResourceState.LoadID]) -> LoadsInFlight {
    // No memory where none is left: most resources are not loading.
    guard !ids.isEmpty else { return LoadsInFlight() }
    var index = 0
    var chosen = LoadsInFlight()
    chosen.loads = loads.filter { load in
      while index < ids.count, ids[index] < load.id { index += 1 }
      return index < ids.count && ids[index] == load.id
    }
    return chosen
  }

  /// Cancels the requests, but for those that were made elsewhere.
  func cancel() {
    for load in loads where !load.isAdopted { load.request.cancel() }
  }
}
