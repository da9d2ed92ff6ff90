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
  }

  private var slots = Slots()

  func insert(_ request: AnyRequest) { request.position = slots.insert(request) }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) { slots.remove(request, at: request.position) }
}
