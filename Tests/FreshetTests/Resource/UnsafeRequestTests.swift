import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What counts as redirected, and so as the success of an unsafe request", .standardTimeLimit)
@MainActor struct UnsafeRequestTests {
  private nonisolated static let fresh: HTTPHeaders = ["Cache-Control": "max-age=100"]

  @Test("A URL that a decoration has rewritten is no redirect", arguments: [422, 500])
  func decorated(status: Int) async throws {
    let cache = MemoryCache()
    let fixture = ServiceFixture {
      $0.responseFreshness = .init()
      $0.cache = cache
      $0.account = "user"
      $0.decorate { request in
        var request = request
        request.url = request.url.deletingLastPathComponent().appending(path: "v2/a")
        return request
      }
    }
    fixture.stub.on(.get, "/v2/a", .text("one", headers: Self.fresh))
    fixture.stub.on(.post, "/v2/a", .status(status))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    #expect(await resource.request(.post).failure()?.status == status)
    fixture.clock.advance(by: .seconds(99))
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    #expect(await cache.peek(resource.key) != nil)
  }

  @Test("The same URL over https is no redirect")
  func upgraded() async throws {
    let url = try #require(URL(string: "https://api.test/a"))
    let stub = StubTransport { request in
      request.method == .get
        ? HTTPResponse(status: 200, headers: Self.fresh, body: Data("one".utf8), url: url)
        : HTTPResponse(status: 422, url: url)
    }
    let clock = ManualClock()
    let service = Service(baseURL: "http://api.test", transport: stub, clock: clock)
    service.configure { $0.responseFreshness = .init() }
    let resource = service.resource("a", of: String.self)
    _ = try await resource.load().value()
    #expect(await resource.request(.post).failure()?.status == 422)
    clock.advance(by: .seconds(99))
    #expect(resource.isUpToDate)
  }
}
