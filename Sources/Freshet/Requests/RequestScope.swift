/// The parts of a store that its requests need; it does not keep the store alive.
final class RequestScope {
  let queue: EventQueue
  let isolation: StoreIsolation
  let context: ExchangeContext
  let deadlines: Deadlines
  let retryBudgets = RetryBudgets()
  /// Here, and not beside the requests in ``running``, whose weak reference is loaded for each use: saves 2 % of a
  /// page that is confirmed.
  private var channels = ProgressChannels()
  /// The version of the store's configuration: no attempt follows that was made with an earlier one.
  private(set) var configurationVersion = 0
  /// Whether a server has refused the conditions of a request (412): then no more are sent with other methods than
  /// GET and HEAD, or each load of such a page would take two requests.
  private(set) var refusesConditions = false
  /// The request whose hooks are being called; nil for none.
  private(set) var caller: AnyRequest?
  /// The resources of this store that have taken over the response to a request, which may be of another one.
  private var adoptions: [Adoption] = []
  /// Holds the requests that are under way: the service's, or the store's once the service was
  /// deallocated.
  private(set) weak var running: RunningRequests?
  /// Holds the requests that begin after the service was deallocated.
  private weak var holder: (any RequestHolder)?
  /// The requests that no load waits for. After the service that held them was deallocated, they are those that
  /// the program holds. Loads are noted when they are superseded and not when they begin, which happens often.
  private(set) var unwanted: [Weak<AnyRequest>] = []
  /// The length at which to look for ended ones.
  private var crowded = 16

  init(queue: EventQueue, isolation: StoreIsolation, context: ExchangeContext) {
    self.queue = queue
    self.isolation = isolation
    self.context = context
    deadlines = Deadlines(isolation: isolation, clock: context.clock)
  }

  var clock: any StoreClock { context.clock }

  /// Sets what holds the requests that begin from now on.
  func setRunning(_ requests: RunningRequests) { running = requests }

  /// Sets what holds the requests that begin after the service was deallocated.
  func setHolder(_ holder: any RequestHolder) { self.holder = holder }

  /// Records that the configuration has changed.
  func configurationChanged(to version: Int) { configurationVersion = version }

  /// Records that a server has refused the conditions of a request.
  func noteRefusedConditions() { refusesConditions = true }

  /// A channel for the progress reports of one request.
  func makeChannel() -> ProgressChannel { channels.make() }

  /// Takes back an unread channel.
  func recycle(_ channel: ProgressChannel) { channels.recycle(channel) }

  /// Keeps a request alive until it is removed from `running`.
  func keepAlive(_ request: AnyRequest) {
    (running ?? holder?.holdRequests())?.insert(request)
  }
}

// MARK: - Retries

extension RequestScope {
  /// Notes a request that is no load, or one that its resource does not wait for any more.
  ///
  /// - Complexity: amortized O(1).
  func noteUnwanted(_ request: AnyRequest) {
    guard unwanted.count >= crowded else { return unwanted.append(Weak(request)) }
    // Held until the change is made: one may be the last reference, whose end may come back here.
    let living = unwanted.compactMap(\.object) + [request]
    // A request is noted again by each load that stops waiting for it.
    var seen: Set<ObjectIdentifier> = []
    unwanted = living.filter { !$0.isCompleted && seen.insert(ObjectIdentifier($0)).inserted }
      .map { Weak($0) }
    crowded = max(16, 2 * unwanted.count)
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
  /// Stops the program where an invariant does not hold. For tests; O(*r*) in the requests.
  func checkInvariants() {
    deadlines.checkInvariants()
    running?.checkInvariants()
    retryBudgets.checkInvariants()
    queue.checkInvariants()
    channels.checkInvariants()
    precondition(unwanted.count <= crowded, "\(unwanted.count) requests are noted")
  }
}

// MARK: - Hooks

extension RequestScope {
  private struct Adoption {
    weak var resource: AnyObject?
    weak var request: AnyRequest?
  }

  /// Calls the hooks of a request that has ended, and that the caller holds.
  func callHooks(of request: AnyRequest, _ call: () -> Void) {
    caller = request
    call()
    caller = nil
    if !adoptions.isEmpty { removeEndedAdoptions() }
  }

  /// Notes that a resource takes over the response to a request.
  func noteAdoption(of request: AnyRequest, by resource: AnyObject) {
    let last = adoptions.last
    if last?.request !== request { removeEndedAdoptions() }
    adoptions.append(Adoption(resource: resource, request: request))
  }

  /// Keeps the adoptions of requests whose hooks are being called: perhaps of another store.
  private func removeEndedAdoptions() {
    // Of a copy: what a look at a request releases may come back here.
    let current = adoptions.filter { $0.request?.isCallingHooks == true }
    adoptions = current
  }

  /// The request whose hooks are being called, and whose response a resource has taken over; nil for none.
  ///
  /// - Parameter resource: the resource; nil for any.
  func adoptedRequest(by resource: AnyObject?) -> AnyRequest? {
    let adoptions = adoptions
    return adoptions.lazy.filter { resource == nil || $0.resource === resource }
      .compactMap(\.request).first { $0.isCallingHooks }
  }
}

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
  /// The requests by their positions: one value, so that adding or removing one is one access to it.
  private struct Slots {
    private var requests: [AnyRequest?] = []
    /// The positions that can be reused.
    private var free: [Int] = []

    var all: [AnyRequest] { requests.compactMap { $0 } }

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

    /// Stops the program where an invariant does not hold. For tests; O(*n*) in the requests and their
    /// listeners.
    func checkInvariants() {
      precondition(Set(free).count == free.count, "a position is free twice: \(free)")
      precondition(free.allSatisfy { requests[$0] == nil }, "a free position has a request")
      precondition(requests.count { $0 == nil } == free.count, "a position is lost")
      precondition(
        requests.indices.allSatisfy { index in
          requests[index].map { $0.position == index && !$0.isCompleted } ?? true
        }, "a request that is not under way, or not found")
      for request in all { request.checkInvariants() }
    }
  }

  private var slots = Slots()

  func insert(_ request: AnyRequest) { request.note(position: slots.insert(request)) }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) { slots.remove(request, at: request.position) }

  /// All of them.
  ///
  /// - Complexity: O(*r*) in their number.
  var all: [AnyRequest] { slots.all }

  /// Stops the program where an invariant does not hold. For tests; O(*r*) in the requests.
  func checkInvariants() { slots.checkInvariants() }
}
