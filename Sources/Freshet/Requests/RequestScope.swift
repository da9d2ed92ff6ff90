/// What a request needs of the store it belongs to, without keeping the store alive.
struct RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let clock: any StoreClock
  weak var running: RunningRequests?
}

/// The requests of a store that are under way.
///
/// The store keeps them, so that a request outlives its handle; when the store goes, they go, and
/// each stops its work.
final class RunningRequests {
  private var requests: [ObjectIdentifier: AnyRequest] = [:]

  func insert(_ request: AnyRequest) {
    requests[ObjectIdentifier(request)] = request
  }

  func remove(_ request: AnyRequest) {
    requests[ObjectIdentifier(request)] = nil
  }
}
