/// What requests need of the store they belong to, without keeping the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let clock: any StoreClock
  private(set) weak var running: RunningRequests?

  init(
    queue: EventQueue, isolation: StoreIsolation, clock: any StoreClock, running: RunningRequests
  ) {
    self.queue = queue
    self.isolation = isolation
    self.clock = clock
    self.running = running
  }
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
