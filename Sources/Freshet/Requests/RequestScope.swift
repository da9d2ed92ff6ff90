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
