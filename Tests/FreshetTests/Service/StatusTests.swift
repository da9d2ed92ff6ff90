import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Responses by status", .standardTimeLimit)
struct StatusTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var status: Int
    var headers: HTTPHeaders = [:]
    var kind: ResourceError.Kind
    var retryAfter: Duration?
    var isTransient = false
    var testDescription: String { "\(status) \(headers)" }
  }

  @Test(
    "Statuses without content are errors of their kind",
    arguments: [
      Expected(status: 206, kind: .badResponse), Expected(status: 300, kind: .redirect),
      Expected(status: 302, kind: .redirect),
      Expected(status: 307, headers: ["Location": "https://x.test/"], kind: .redirect),
      Expected(status: 400, kind: .http), Expected(status: 401, kind: .http),
      Expected(status: 404, kind: .http), Expected(status: 410, kind: .http),
      Expected(status: 408, kind: .http, isTransient: true),
      Expected(status: 429, kind: .rateLimited, isTransient: true),
      Expected(
        status: 429, headers: ["Retry-After": "120"], kind: .rateLimited,
        retryAfter: .seconds(120), isTransient: true),
      Expected(
        status: 503, headers: ["Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"],
        kind: .rateLimited, retryAfter: .seconds(60), isTransient: true),
      Expected(status: 503, kind: .http, isTransient: true),
      Expected(status: 503, headers: ["Retry-After": "soon"], kind: .http, isTransient: true),
      Expected(status: 500, kind: .http, isTransient: true), Expected(status: 501, kind: .http),
      Expected(status: 599, kind: .http), Expected(status: 304, kind: .notModifiedWithoutContent),
    ], StoreActor.allCases)
  func errors(expected: Expected, actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .json("[1]", status: expected.status, headers: expected.headers))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource = service.resource("a", of: [Int].self)
      let error = await resource.load().failure()
      #expect(error?.kind == expected.kind)
      #expect(error?.status == expected.status)
      #expect(error?.retryAfter == expected.retryAfter)
      #expect(error?.isTransient == expected.isTransient)
      #expect(error?.timestamp == ManualClock.startDate)
      #expect(error?.message.hasPrefix("https://api.test/a ") == true, "\(error?.message ?? "")")
      #expect(error?.userMessage.isEmpty == false)
      #expect(resource.content == nil)
    }
  }

  @Test(
    "A part in another unit than bytes is what the server has at that URL",
    arguments: [("0-0/9", true), ("items 0-0/9", true), ("bytes 0-2/9", false), ("Bytes=", false)])
  @MainActor func parts(range: String, isContent: Bool) async {
    let stub = StubTransport()
    stub.on(.get, "/a", .json("[1]", status: 206, headers: ["Content-Range": range]))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    let resource = service.resource("a", of: [Int].self)
    await resource.load().completed()
    #expect(resource.content == (isContent ? [1] : nil))
    #expect(resource.latestError?.kind == (isContent ? nil : .badResponse))
  }

  @Test(
    "An error after a redirect names both URLs, without their queries",
    arguments: [
      ("https://other.test/b?token=hidden", ", redirected to https://other.test/b,"),
      ("https://api.test/b", ", redirected to https://api.test/b,"),
      (
        "https://sso.test/login;jsessionid=hidden/x;v=1",
        ", redirected to https://sso.test/login;***/x;***,"
      ),
      ("https://api.test/a?page=2", ""),
      ("https://api.test/a", ""),
    ], StoreActor.allCases)
  func redirected(end: (url: String, text: String), actor: StoreActor) async throws {
    let response = HTTPResponse(status: 404, url: try #require(URL(string: end.url)))
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .response(response))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let error = await service.resource("a", of: [Int].self).load().failure()
      #expect(error?.message == "https://api.test/a\(end.text) responded with status 404.")
    }
  }

  @Test(
    "Every status of success brings content", arguments: [200, 201, 202, 203, 226],
    StoreActor.allCases)
  func successes(status: Int, actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .json("[1]", status: status))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: [Int].self)
      #expect(await resource.load().failure() == nil)
      #expect(resource.content == [1])
    }
  }

  @Test("204 is content for decoders that expect none", arguments: StoreActor.allCases)
  func noContent(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(where: { _ in true }, .status(204))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let text = service.resource("a", of: String.self)
      #expect(await text.load().failure() == nil)
      #expect(text.content == "")
      #expect(await service.resource("a", of: Data.self).load().failure() == nil)
      #expect(await text.request(.delete, as: NoContent.self).failure() == nil)
      let error = await service.resource("a", of: [Int].self).load().failure()
      #expect(error?.kind == .decoding)
      #expect(error?.status == 204)
      #expect(error?.message.contains("0 bytes") == true)
      #expect(error?.message.contains("NoContent") == true)
    }
  }

  @Test(
    "Retry-After holds back what asks if needed, and nothing else",
    arguments: StoreActor.allCases)
  func retryAfter(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .status(429, headers: ["Retry-After": "60"]))
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let resource = service.resource("a", of: String.self)
      await resource.loadIfNeeded()?.completed()
      clock.advance(by: .seconds(59))
      #expect(resource.loadIfNeeded() == nil)
      clock.advance(by: .seconds(1))
      #expect(resource.loadIfNeeded() != nil)
    }
  }
}
