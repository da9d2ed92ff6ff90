import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The one request that asks whether a server still wants others to wait", .standardTimeLimit)
struct OriginPauseBudgetTests {
  @Test("It is not one that may not be retried", arguments: StoreActor.allCases)
  func withoutBudget(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 1, retryBurst: 0)
        $0.timeout = .seconds(3_600)
      }
      let gate = fixture.stub.hold(.get, "/c")
      let underWay = fixture.text("c").load()
      await gate.arrived()
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
      await fixture.text("a").load().completed()
      fixture.clock.advance(by: .seconds(30))
      gate.release(with: .status(503))
      #expect(await underWay.failure()?.status == 503)
      fixture.stub.on(.get, "/b", .text("b"))
      await fixture.text("b").load().completed()
      #expect(fixture.text("b").content == "b")
      #expect(fixture.stub.requests.map(\.url.path) == ["/c", "/a", "/b"])
    }
  }
}
