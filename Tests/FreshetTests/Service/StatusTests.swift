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

@Suite("Request bodies", .standardTimeLimit)
struct RequestBodyTests {
  struct Note: Encodable, Sendable {
    var title = "a/b"
    var created = Date(timeIntervalSince1970: 0)
    var body: String?
  }

  private static let form = [
    (name: "q", value: "a b&c=d+é\n"), (name: "q", value: ""), (name: "*-._~", value: "~"),
  ]

  @Test("Each kind of body is sent in its form", arguments: StoreActor.allCases)
  func bodies(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.headers["Content-Type"] = "overridden/x" }
      let resource = service.resource("a", of: String.self)
      let cases: [(RequestBody, String, String)] = [
        (.json(Note()), "application/json", #"{"created":"1970-01-01T00:00:00Z","title":"a/b"}"#),
        (.json(["b": 1, "a": 2]), "application/json", #"{"a":2,"b":1}"#),
        (.json(3) { _ in }, "application/json", "3"),
        (.text("é"), "text/plain; charset=utf-8", "é"),
        (.text("a,b", contentType: "text/csv"), "text/csv", "a,b"),
        (
          .form(Self.form), "application/x-www-form-urlencoded",
          "q=a+b%26c%3Dd%2B%C3%A9%0A&q=&*-._%7E=%7E"
        ),
        (.data(Data("x".utf8), contentType: "image/png"), "image/png", "x"),
      ]
      for (body, type, text) in cases {
        _ = try await resource.request(.post, body: body).value()
        let sent = try #require(stub.requests.last)
        #expect(sent.headers.values(for: "Content-Type") == [type])
        #expect(String(decoding: sent.body ?? Data(), as: UTF8.self) == text)
      }
      #expect(resource.content == nil, "a plain request never touches the state")
    }
  }

  @Test(
    "A body that does not encode fails the request and is not sent",
    arguments: StoreActor.allCases)
  func failing(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: String.self)
      let error = await resource.request(.post, body: .json(["x": Double.nan])).failure()
      #expect(error?.kind == .invalidRequest)
      #expect(error?.underlying is EncodingError)
      let type = await resource.request(.post, body: .text("", contentType: "a\r\nb: c"))
        .failure()
      #expect(type?.kind == .invalidRequest)
      #expect(stub.requests.isEmpty)
    }
  }
}
