import FreshetTesting
import Testing

@testable import Freshet

/// The work is counted, not timed: how often a request is asked whether it is a load that a resource waits for.
@Suite("What a wipe looks for among many requests", .standardTimeLimit)
@MainActor struct RequestsByURLTests {
  /// Counts how often its request is looked at.
  private final class CountingLoad: RequestedLoad {
    private(set) var looks = 0
    var isWanted: Bool {
      looks += 1
      return false
    }

    func received(_ outcome: LoadOutcome) {}
    func cancelled() {}
    func waits() {}
  }

  private let fixture: ServiceFixture
  private let load = CountingLoad()

  init() { fixture = ServiceFixture { $0.retryPolicy = .standard } }

  /// A request that is under way until the test ends it.
  private func begin(_ path: String) -> Request<String> {
    _ = fixture.stub.hold(.put, "/\(path)")
    let request = fixture.text(path).request(.put)
    request.assign(to: load)
    return request
  }

  @Test("Wiping many resources one after another looks at each of their requests once")
  func oneByOne() {
    let requests = (0..<200).map { begin("\($0)") }
    for number in requests.indices { fixture.text("\(number)").wipe() }
    #expect(load.looks == requests.count)
    #expect(requests.allSatisfy { !$0.mayRetry })
  }

  @Test("Many loading resources are wiped one after another as they are together")
  func loading() async {
    let names = (0..<50).map { "\($0)" }
    for name in names { _ = fixture.stub.hold(.get, "/\(name)") }
    let loads = names.map { fixture.text($0).load() }
    let others = names.map { begin($0) }
    for name in names { fixture.text(name).wipe() }
    #expect(loads.allSatisfy { $0.isCompleted })
    #expect(others.allSatisfy { !$0.mayRetry })
    #expect(others.allSatisfy { !$0.isCompleted })
    fixture.service.store.checkInvariants()
  }

  @Test("A request that begins between two wipes is found, however many others begin")
  func between() {
    var requests: [Request<String>] = []
    for number in 0..<100 {
      requests.append(begin("\(number)"))
      // Another one, so that its request stays.
      if number > 0 { fixture.text("\(number - 1)").wipe() }
      #expect(requests.dropLast().allSatisfy { !$0.mayRetry })
    }
    #expect(load.looks == requests.count - 1)
  }

  @Test("The load of a deallocated resource is found by the URL")
  func deallocated() {
    let service = Service(
      baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock,
      limits: Service.RetentionLimits(resourceCount: 0))
    _ = fixture.stub.hold(.put, "/first")
    let first = service.resource("first", of: String.self)
    first.request(.put)
    first.wipe()
    _ = fixture.stub.hold(.get, "/a")
    weak var resource: Resource<String>?
    let request: Request<String>
    do {
      let loaded = service.resource("a", of: String.self)
      resource = loaded
      request = loaded.load()
    }
    service.evictUnused()
    #expect(resource == nil)
    service.resource("a", of: Int.self).wipe()
    #expect(!request.mayRetry && !request.isCompleted)
  }

  @Test("Completed requests that the program holds are not noted by each of many wipes")
  func completed() async throws {
    fixture.stub.on(.put, "/a", .text("done"))
    let requests = (0..<1_000).map { _ in fixture.text("a").request(.put) }
    for request in requests { _ = try await request.value() }
    let scope = fixture.service.store.scope
    #expect(!scope.unwanted.isEmpty)
    fixture.text("b").wipe()
    #expect(scope.unwanted.isEmpty)
    scope.checkInvariants()
    withExtendedLifetime(requests) {}
  }

  @Test("A request that a load has waited for is found once, and as long as it is under way")
  func superseded() {
    _ = fixture.stub.hold(.put, "/a")
    let request = fixture.text("a").request(.put)
    for _ in 0..<4 {
      fixture.text("a").load(using: request)
      fixture.text("a").cancelLoad()
    }
    fixture.text("b").wipe()
    #expect(fixture.service.store.scope.unwanted.count { $0.object === request } == 1)
    fixture.text("a").wipe()
    #expect(!request.mayRetry && !request.isCompleted)
  }

  @Test("Each request is noted a few times, however often all are forgotten")
  func amortized() {
    var all: [AnyRequest] = (0..<30).map { begin("\($0)") }
    var byURL: RequestsByURL?
    var noted = 0
    for number in 0..<1_000 {
      if byURL == nil {
        byURL = RequestsByURL(all)
        noted += all.count
      }
      all.append(begin("new\(number)"))
      if byURL?.insert(all[all.count - 1]) == false {
        byURL = nil
      } else {
        #expect(byURL?["https://api.test/new\(number)"].first === all.last)
        byURL?.checkInvariants()
      }
    }
    #expect(noted <= 3 * all.count)
  }
}
