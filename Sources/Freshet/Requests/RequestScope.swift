/// The parts of a store that its requests need; it does not keep the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let context: ExchangeContext
  let deadlines: Deadlines
  let originLimits = OriginLimits()
  let hookCalls = HookCalls()
  private var channels = ProgressChannels()
  /// The version of the store's configuration: no attempt follows that was made with an earlier one.
  private(set) var configurationVersion = 0
  /// Whether a server has refused the conditions of a request (412): then no more are sent with other methods than
  /// GET and HEAD, or each load of such a page would take two requests.
  private(set) var refusesConditions = false
  /// Holds the requests that began while the service existed.
  private weak var runningInService: RunningRequests?
  /// Holds those that begin after the service was deallocated.
  private weak var runningInStore: RunningRequests?
  /// The requests that no resource waits for: plain ones, and superseded loads, which are added only then because
  /// loads begin often. ``endRetries(where:)`` still finds those that the program holds after the service was
  /// deallocated, and with it what held them.
  private(set) var unwanted: [Weak<AnyRequest>] = []
  /// When to look for ended ones among them.
  private var unwantedSchedule = PruneSchedule()

  init(queue: EventQueue, isolation: StoreIsolation, context: ExchangeContext) {
    self.queue = queue
    self.isolation = isolation
    self.context = context
    deadlines = Deadlines(isolation: isolation, clock: context.clock)
  }

  var clock: any StoreClock { context.clock }

  /// What holds the requests that are under way: the service's, or the store's once the service was deallocated.
  var running: RunningRequests? { runningInService ?? runningInStore }

  /// Sets what holds the requests that begin while the service exists.
  func setRunning(inService requests: RunningRequests) { runningInService = requests }

  /// Sets what holds the requests that begin after the service was deallocated.
  func setRunning(inStore requests: RunningRequests) { runningInStore = requests }

  /// Records that the configuration has changed.
  func configurationChanged(to version: Int) { configurationVersion = version }

  /// Records that a server has refused the conditions of a request.
  func noteRefusedConditions() { refusesConditions = true }

  /// A channel for the progress reports of one request.
  func makeChannel() -> ProgressChannel { channels.make() }

  /// Keeps an unread channel for reuse.
  func recycle(_ channel: ProgressChannel) { channels.recycle(channel) }

  /// Keeps a request alive until it is removed from `running`.
  func keepAlive(_ request: AnyRequest) {
    running?.insert(request)
  }
}

// MARK: - Retries

extension RequestScope {
  /// Notes a request that is not a load, or one that its resource does not wait for any more.
  ///
  /// - Complexity: amortized O(1).
  func noteUnwanted(_ request: AnyRequest) {
    guard unwantedSchedule.isDue(at: unwanted.count) else {
      return unwanted.append(Weak(request))
    }
    // Held until the change is made: one may be the last reference, and deallocating it may re-enter this method.
    let living = unwanted.compactMap(\.object) + [request]
    // A request is noted again by each load that stops waiting for it.
    var seen: Set<ObjectIdentifier> = []
    unwanted = living.filter { !$0.isCompleted && seen.insert(ObjectIdentifier($0)).inserted }
      .map { Weak($0) }
    unwantedSchedule.pruned(leaving: unwanted.count)
    withExtendedLifetime(living) {}
  }

  /// Ends the retries of the requests whose URLs match, also of those that only the program holds. Loads that a
  /// resource waits for are exempt: a wiped resource has ended its own, and others may have the same URL.
  ///
  /// - Complexity: O(*r*) in the requests that are under way.
  func endRetries(where matches: (_ url: String) -> Bool) {
    let all = (running?.all ?? []) + unwanted.compactMap(\.object)
    for request in all where !request.isWantedLoad {
      if let exchange = request.exchange, matches(exchange.key.url) { request.endRetries() }
    }
  }
}

extension RequestScope {
  /// Stops the program if an invariant does not hold. For tests; O(*r*) in the requests.
  func checkInvariants() {
    deadlines.checkInvariants()
    running?.checkInvariants()
    originLimits.checkInvariants()
    queue.checkInvariants()
    hookCalls.checkInvariants(isDelivering: !queue.isIdle)
    channels.checkInvariants()
    unwantedSchedule.checkInvariants(at: unwanted.count)
  }
}

/// The requests of a service that are under way, or those of a store that began later.
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
