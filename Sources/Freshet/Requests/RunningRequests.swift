/// Holds the requests of a store that begin after its service was deallocated.
protocol RequestHolder: AnyObject {
  /// Makes the container that holds requests from now on.
  func holdRequests() -> RunningRequests
}

/// The requests of a service that are under way.
///
/// The service holds them, so that a request outlives its handle; when the service is deallocated
/// they are released, and each that is not held otherwise stops its work.
final class RunningRequests {
  /// The requests by their positions: one value, so that adding or removing one is one access to it.
  private struct Slots {
    private var requests: [AnyRequest?] = []
    /// The positions that can be reused.
    private var free: [Int] = []

    var all: [AnyRequest] { requests.compactMap { $0 } }

    mutating func insert(_ request: AnyRequest) -> Int {
      guard let position = free.popLast() else {
        requests.append(request)
        return requests.count - 1
      }
      requests[position] = request
      return position
    }

    mutating func remove(_ request: AnyRequest, at position: Int) {
      guard requests.indices.contains(position), requests[position] === request else { return }
      requests[position] = nil
      free.append(position)
    }

    /// Stops the program where an invariant does not hold. For tests; O(*n*) in the requests and their
    /// listeners.
    func checkInvariants() {
      precondition(Set(free).count == free.count, "a position is free twice: \(free)")
      precondition(free.allSatisfy { requests[$0] == nil }, "a free position has a request")
      precondition(requests.count { $0 == nil } == free.count, "a position is lost")
      precondition(
        requests.indices.allSatisfy { index in
          requests[index].map { $0.position == index && !$0.isCompleted } ?? true
        }, "a request that is not under way, or not found")
      for request in all { request.checkInvariants() }
    }
  }

  private var slots = Slots()

  func insert(_ request: AnyRequest) { request.note(position: slots.insert(request)) }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) { slots.remove(request, at: request.position) }

  /// All of them.
  ///
  /// - Complexity: O(*r*) in their number.
  var all: [AnyRequest] { slots.all }

  /// Stops the program where an invariant does not hold. For tests; O(*r*) in the requests.
  func checkInvariants() { slots.checkInvariants() }
}
