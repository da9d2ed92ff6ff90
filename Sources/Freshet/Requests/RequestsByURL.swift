/// The requests to each URL, so that many wipes one after another do not each look at all requests.
///
/// They are noted when one URL is looked for, and forgotten once as many more have begun: so each is noted a
/// constant number of times, and a program that wipes nothing notes none.
struct RequestsByURL {
  private var requests: [String: [Weak<AnyRequest>]] = [:]
  private var count = 0
  private var schedule = PruneSchedule()

  /// Notes all requests that there are.
  init(_ all: [AnyRequest]) {
    for request in all { add(request) }
    schedule.pruned(leaving: count)
  }

  /// Notes a request that begins.
  ///
  /// - Returns: false, and nothing is done, where so many have begun that all are to be forgotten.
  mutating func insert(_ request: AnyRequest) -> Bool {
    guard !schedule.isDue(at: count) else { return false }
    add(request)
    return true
  }

  /// The requests to that URL which exist. The caller holds them: this may be the last reference to one.
  subscript(url: String) -> [AnyRequest] { requests[url]?.compactMap(\.object) ?? [] }

  private mutating func add(_ request: AnyRequest) {
    guard let url = request.exchange?.key.url else { return }
    requests[url, default: []].append(Weak(request))
    count += 1
  }

  /// Stops the program if an invariant does not hold. For tests; O(*r*) in the requests.
  func checkInvariants() {
    precondition(requests.values.reduce(0) { $0 + $1.count } == count, "a request is not counted")
    schedule.checkInvariants(at: count)
    for url in requests.keys {
      precondition(self[url].allSatisfy { $0.exchange?.key.url == url }, "a request to another URL")
    }
  }
}
