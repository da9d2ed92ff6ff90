/// What requests need of the store they belong to, without keeping the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let context: ExchangeContext
  let deadlines: Deadlines
  /// What holds the requests that are under way: the service's, or, once that is gone, the store's.
  weak var running: RunningRequests?
  /// What holds the requests that begin when the service is gone.
  weak var holder: (any RequestHolder)?

  init(queue: EventQueue, isolation: StoreIsolation, context: ExchangeContext) {
    self.queue = queue
    self.isolation = isolation
    self.context = context
    deadlines = Deadlines(isolation: isolation, clock: context.clock)
  }

  var clock: any StoreClock { context.clock }

  /// Holds a request until it is removed from `running`.
  func hold(_ request: AnyRequest) {
    (running ?? holder?.holdRequests())?.insert(request)
  }
}

/// Holds the requests of a store that begin when its service is gone.
protocol RequestHolder: AnyObject {
  /// Makes what holds them from now on.
  func holdRequests() -> RunningRequests
}
