import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Which requests wait where a server asks for fewer", .standardTimeLimit)
struct OriginPauseScopeTests {
  @Test(
    "A path that has a limit of its own by a rule stops no other", arguments: [25, 60],
    StoreActor.allCases)
  func path(seconds: Int, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.service.configure("search/**") { $0.retryPolicy.pausesOrigin = false }
      fixture.stub.on(.get, "/search/x", .status(429, headers: ["Retry-After": "\(seconds)"]))
      fixture.stub.on(.get, "/items", .text("items"))
      let search = fixture.text("search/x").load()
      try await fixture.clock.run(until: { search.wait != nil || search.isCompleted })
      let items = fixture.text("items").load()
      #expect(items.wait == nil && search.isCompleted == (seconds == 60))
      try await fixture.clock.run(until: { items.isCompleted })
      #expect(fixture.text("items").content == "items" && fixture.clock.now == .zero)
      search.cancel()
    }
  }

  @Test(
    "Others wait where a decoration sends all of them to another host",
    arguments: StoreActor.allCases)
  func rewrittenHost(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.decorate { request in
          var request = request
          request.url = URL(string: "https://eu.api.test\(request.url.path)") ?? request.url
          return request
        }
      }
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
      for path in ["b", "c"] { fixture.stub.on(.get, "/\(path)", .text(path)) }
      await fixture.text("a").load().completed()
      #expect(await fixture.text("b").load().failure()?.kind == .rateLimited)
      #expect(fixture.stub.requests.map(\.url.absoluteString) == ["https://eu.api.test/a"])
      // One asks, and its response lets the others be sent.
      fixture.clock.advance(by: .seconds(30))
      for path in ["b", "c"] {
        #expect(await fixture.text(path).load().failure() == nil)
      }
      #expect(fixture.stub.requests.count == 3)
    }
  }

  @Test("A request whose pauses are over is sent, and its response holds others all the same")
  func holding() {
    let policy = Service.RetryPolicy(maximumRetries: 2)
    #expect((0...3).map(policy.holding) == [.all, .all, .others, .others])
    #expect(Service.RetryPolicy.none.holding(after: 0) == .none)
    let ofPath = Service.RetryPolicy(maximumRetries: 2, pausesOrigin: false)
    #expect(ofPath.holding(after: 0) == .none)
  }
}
