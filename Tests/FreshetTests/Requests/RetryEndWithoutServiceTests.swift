import FreshetTesting
import Testing

@testable import Freshet

@Suite("What ends the retries of a request once its service was deallocated", .standardTimeLimit)
@MainActor struct RetryEndWithoutServiceTests {
  private let stub = StubTransport()
  private let clock = ManualClock()

  private func makeService() -> Service {
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure { $0.retryPolicy = .standard }
    return service
  }

  @Test(
    "A wipe cancels a request that waits, and a load that was superseded", arguments: [false, true])
  func waiting(isLoad: Bool) async throws {
    stub.on(.put, "/a", .status(503), .text("done"))
    stub.on(.get, "/a", .status(503), .text("there"))
    var service: Service? = makeService()
    let resource = try #require(service?.resource("a", of: String.self))
    let request: Request<String> = isLoad ? resource.load() : resource.request(.put)
    try await clock.run(until: { request.wait != nil })
    if isLoad { try await resource.load().value() }
    service = nil
    #expect(request.wait != nil)
    resource.wipe()
    #expect(request.wait == nil)
    try await clock.run(until: { request.isCompleted })
    #expect(await request.failure()?.kind == .cancelled)
    #expect(stub.requests.count == (isLoad ? 2 : 1))
    #expect(service == nil)
  }

  @Test("What is under way ends with the response to it")
  func underWay() async throws {
    let gate = stub.hold(.put, "/a")
    stub.on(.put, "/a", .text("done"))
    var service: Service? = makeService()
    let resource = try #require(service?.resource("a", of: String.self))
    let request = resource.request(.put)
    await gate.arrived()
    service = nil
    resource.wipe()
    gate.release(with: .status(503))
    try await clock.run(until: { request.isCompleted })
    #expect(await request.failure()?.status == 503)
    #expect(stub.requests.count == 1)
    #expect(service == nil)
  }

  @Test("A request is remembered a few times at most, however many loads have waited for it")
  func adopted() async {
    let gate = stub.hold(.put, "/a")
    let service = makeService()
    let resource = service.resource("a", of: String.self)
    let put = resource.request(.put)
    await gate.arrived()
    for _ in 0..<1_000 {
      resource.load(using: put)
      resource.cancelLoad()
    }
    #expect(service.store.scope.unwanted.count <= 16)
    service.store.checkInvariants()
    gate.release(with: .text("done"))
    await put.completed()
  }

  @Test("Requests that have ended are not remembered")
  func ended() async {
    stub.on(.put, "/a", .text("done"))
    let service = makeService()
    for _ in 0..<100 { await service.request(.put, "a").completed() }
    #expect(service.store.scope.unwanted.count <= 16)
    service.store.checkInvariants()
  }
}
