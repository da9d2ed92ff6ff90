/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let id: ResourceState.LoadID
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// Whether the load was asked for again since it began.
    var isJoined = false
  }

  private var loads: [Load] = []

  var count: Int { loads.count }
  /// Whether releasing the loads may end a request beside the one that has just ended.
  var mayEndOthers: Bool { loads.count > 1 || loads.contains(where: \.isAdopted) }
  /// The request of the newest load.
  var newestRequest: AnyRequest? { loads.last?.request }

  /// Joins a load.
  ///
  /// - Returns: its request.
  mutating func join(_ id: ResourceState.LoadID) -> AnyRequest? {
    guard let index = loads.lastIndex(where: { $0.id == id }) else { return nil }
    loads[index].isJoined = true
    return loads[index].request
  }

  /// Whether a load was joined.
  func isJoined(_ id: ResourceState.LoadID) -> Bool {
    loads.contains { $0.id == id && $0.isJoined }
  }

  /// The loads whose outcome nothing but the resource receives.
  var unawaited: [ResourceState.LoadID] {
    loads.compactMap { $0.isAdopted || $0.request.isAwaited ? nil : $0.id }
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
