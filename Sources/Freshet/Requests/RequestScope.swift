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
  /// The requests by their URLs, while wipes of single resources look for them; nil until one does.
  private var byURL: RequestsByURL?
  /// The requests that no resource waits for: plain ones, and superseded loads, which are added only then because
  /// loads begin often. ``endRetries(where:)`` still finds those that the program holds after the service was
  /// deallocated, and with it what held them.
  private(set) var unwanted: [Weak<AnyRequest>] = []
  /// When to look for ended ones among them.
  private var unwantedSchedule = PruneSchedule()

  /// Creates the scope of a store.
  ///
  /// - Parameter running: what holds the requests that are under way, for as long as it exists itself.
  init(
    queue: EventQueue, isolation: StoreIsolation, context: ExchangeContext,
    running: (inService: RunningRequests?, inStore: RunningRequests)
  ) {
    self.queue = queue
    self.isolation = isolation
    self.context = context
    (runningInService, runningInStore) = running
    deadlines = Deadlines(isolation: isolation, clock: context.clock)
  }

  var clock: any StoreClock { context.clock }

  /// What holds the requests that are under way: the service's, or the store's once the service was deallocated.
  var running: RunningRequests? { runningInService ?? runningInStore }

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
    if byURL != nil, byURL?.insert(request) == false { byURL = nil }
  }
}

// MARK: - Retries

extension RequestScope {
  /// Notes a request that is not a load, or one that its resource does not wait for any more.
  ///
  /// - Complexity: amortized O(1).
  func noteUnwanted(_ request: AnyRequest) {
    unwanted.append(Weak(request))
    if unwantedSchedule.isDue(at: unwanted.count) { pruneUnwanted() }
  }

  /// Removes those that have ended, and repeated ones: a request is noted again by each load that stops waiting for it.
  private func pruneUnwanted() {
    // Held until the change is made: one may be the last reference, and deallocating it may re-enter this method.
    let living = unwanted.compactMap(\.object)
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
    for request in all where !request.isWantedLoad {
      if let url = request.exchange?.key.url, matches(url) { request.endRetries() }
    }
  }

  /// Ends the retries of the requests to one URL; see ``endRetries(where:)``.
  ///
  /// - Complexity: amortized O(1) for each request that has begun, and O(*u*) in those to the URL.
  func endRetries(to url: String) {
    if byURL == nil {
      // Or each of many wipes would note all that have ended and that the program holds.
      pruneUnwanted()
      // Held until the change is made: deallocating one may run user code, which may begin others.
      let all = all
      byURL = RequestsByURL(all)
      withExtendedLifetime(all) {}
    }
    for request in byURL?[url] ?? [] where !request.isWantedLoad { request.endRetries() }
    if running?.all.isEmpty != false { byURL = nil }
  }

  /// The requests that are under way, and those that only the program holds, each once.
  private var all: [AnyRequest] {
    guard let running else { return unwanted.compactMap(\.object) }
    return running.all + unwanted.compactMap(\.object).filter { !running.contains($0) }
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
    byURL?.checkInvariants()
  }
}

/// The requests of a service that are under way, or those of a store that began later.
///
/// The service holds them, so that a request outlives its handle; when the service is deallocated
/// they are released, and each that is not held otherwise stops its work.
final class RunningRequests {
  /// All of them, in no particular order.
  private(set) var all: [AnyRequest] = []

  func insert(_ request: AnyRequest) {
    request.note(position: all.count)
    all.append(request)
  }

  /// Removes a request that the caller holds, unless it is in the container of a deallocated service.
  func remove(_ request: AnyRequest) {
    guard contains(request) else { return }
    let last = all.removeLast()
    guard last !== request else { return }
    last.note(position: request.position)
    all[request.position] = last
  }

  func contains(_ request: AnyRequest) -> Bool {
    all.indices.contains(request.position) && all[request.position] === request
  }

  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the requests and their
  /// listeners.
  func checkInvariants() {
    for (position, request) in all.enumerated() {
      precondition(request.position == position, "a request is not found")
      precondition(!request.isCompleted, "a request is not under way")
      request.checkInvariants()
    }
  }
}
