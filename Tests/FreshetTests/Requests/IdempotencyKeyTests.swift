import FreshetTesting
import Testing

@testable import Freshet

@Suite("Idempotency keys", .standardTimeLimit)
@MainActor struct IdempotencyKeyTests {
  private let fixture: ServiceFixture

  init() {
    fixture = ServiceFixture {
      $0.retryPolicy = Service.RetryPolicy(maximumRetries: 5, baseDelay: .seconds(1))
      $0.random = { 1 }
      $0.addIdempotencyKeys()
    }
  }

  /// The keys that were sent, in order.
  private var keys: [String?] { fixture.stub.requests.map { $0.headers["Idempotency-Key"] } }

  @Test(
    "The same key is sent with every attempt, and another with the next request",
    arguments: [HTTPMethod.post, .patch])
  func sameKey(method: HTTPMethod) async throws {
    fixture.stub.on(method, "/b", .status(503), .status(503), .text("done"))
    let request = fixture.text("b").request(method)
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(keys.count == 3 && Set(keys).count == 1 && keys[0]?.count == 36)
    await fixture.text("b").request(method).completed()
    await request.sendAgain().completed()
    #expect(keys.count == 5 && Set(keys).count == 3)
  }

  @Test(
    "Requests that may be repeated anyway have none", arguments: [HTTPMethod.get, .put, .delete])
  func idempotentMethods(method: HTTPMethod) async {
    fixture.stub.on(method, "/b", .text("done"))
    await fixture.text("b").request(method).completed()
    #expect(keys == [nil])
  }

  @Test("A key that the request has already is kept")
  func ownKey() async {
    fixture.service.configure("b") { configuration in
      configuration.headers["Idempotency-Key"] = "mine"
      configuration.addIdempotencyKeys()
    }
    fixture.stub.on(.post, "/b", .text("done"))
    fixture.stub.on(.post, "/c", .text("done"))
    await fixture.text("b").request(.post).completed()
    #expect(keys == ["mine"])
    // Two rules that add keys add one.
    fixture.service.configure("c") { $0.addIdempotencyKeys() }
    await fixture.text("c").request(.post).completed()
    #expect(keys.count == 2 && keys[1]?.count == 36)
  }
}
