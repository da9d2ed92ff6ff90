/// The parts of a store that its requests need; it does not keep the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let context: ExchangeContext
  let deadlines: Deadlines
  let retryBudgets = RetryBudgets()
  /// Here, and not beside the requests in ``running``, whose weak reference is loaded for each use.
  var channels = ProgressChannels()
  /// The version of the store's configuration: no attempt follows that was made with an earlier one.
  var configurationVersion = 0
  /// Holds the requests that are under way: the service's, or the store's once the service was
  /// deallocated.
  weak var running: RunningRequests?
  /// Holds the requests that begin after the service was deallocated.
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

/// Holds the requests of a store that begin after its service was deallocated.
protocol RequestHolder: AnyObject {
  /// Makes the container that holds requests from now on.
  func holdRequests() -> RunningRequests
}
