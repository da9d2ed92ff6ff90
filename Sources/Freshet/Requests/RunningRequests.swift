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
  /// The requests by their positions.
  private var slots = SlotMap<AnyRequest>()

  func insert(_ request: AnyRequest) { request.note(position: slots.insert(request)) }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) { slots.remove(request, at: request.position) }

  /// All of them.
  ///
  /// - Complexity: O(*r*) in their number.
  var all: [AnyRequest] { slots.values }

  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the requests and their
  /// listeners.
  func checkInvariants() {
    slots.checkInvariants()
    for request in all {
      precondition(slots[request.position] === request, "a request is not found")
      precondition(!request.isCompleted, "a request is not under way")
      request.checkInvariants()
    }
  }
}
