/// What requests need of the store they belong to, without keeping the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let context: ExchangeContext
  private(set) weak var running: RunningRequests?

  init(
    queue: EventQueue, isolation: StoreIsolation, context: ExchangeContext,
    running: RunningRequests
  ) {
    self.queue = queue
    self.isolation = isolation
    self.context = context
    self.running = running
  }

  var clock: any StoreClock { context.clock }
}
