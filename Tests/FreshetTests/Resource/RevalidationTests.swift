import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Revalidating a resource", .standardTimeLimit)
struct RevalidationTests {
  /// Content with an identity.
  private final class Document: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static let decoder = ContentDecoder<Document>("document") { input in
    Document(String(decoding: input.response.body, as: UTF8.self))
  }

  @Test("A reload sends the validators that there are", arguments: StoreActor.allCases)
  func validatorsAreSent(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let modified = "Thu, 01 Jan 2026 00:00:00 GMT"
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Last-Modified": modified]),
        .text("two"))
      let resource = fixture.text("a")
      for _ in 0..<3 { _ = try await resource.load().value() }
      let sent = fixture.stub.requests.map(\.headers)
      #expect(sent.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
      #expect(sent.map { $0["If-Modified-Since"] } == [nil, modified, nil])
    }
  }

  @Test("A 304 moves the time and keeps the very same content", arguments: StoreActor.allCases)
  func notModified(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(500),
        .status(304, headers: ["ETag": "\"1\""]))
      let resource = fixture.service.resource("a", decoder: Self.decoder)
      _ = try await resource.load().value()
      let before = resource.content
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(100))
      let recorder = fixture.record(resource)
      var hooks: [String] = []
      let request = resource.load()
        .onNewData { _ in hooks.append("new") }
        .onNotModified { hooks.append("same") }
        .onSuccess { hooks.append($0.content.text) }
      let content = try await request.value()
      #expect(recorder.events == [.requested, .notModified])
      #expect(resource.content === before)
      #expect(content === before)
      #expect(resource.timestamp == fixture.clock.date)
      #expect(resource.latestError == nil)
      #expect(resource.isUpToDate)
      #expect(hooks == ["same", "one"])
    }
  }

  @Test(
    "A 304 without data is asked about once more, without validators",
    arguments: StoreActor.allCases)
  func notModifiedWithoutData(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(304), .text("one"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == "one")
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(fixture.stub.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    }
  }

  @Test("A second 304 without data is an error", arguments: StoreActor.allCases)
  func notModifiedTwice(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(304))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(recorder.events == [.requested, .error])
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test(
    "A 304 with the validator of other content is asked about once more, without validators",
    arguments: StoreActor.allCases)
  func notModifiedOtherValidator(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["ETag": "\"2\""]), .text("two", headers: ["ETag": "\"2\""]),
        .status(304, headers: ["ETag": "W/\"2\""]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == "two")
      _ = try await resource.load().value()
      #expect(recorder.events == [.requested, .newData(.network), .requested, .notModified])
      let sent = fixture.stub.requests.map(\.headers)
      #expect(sent.map { $0["If-None-Match"] } == [nil, "\"1\"", nil, "\"2\""])
      #expect(sent.map { $0["Cache-Control"] } == [nil, nil, "no-cache", nil])
    }
  }

  @Test(
    "A 304 from another URL than that of the content, or another origin, is asked about once more",
    arguments: [
      ("https://api.test/v1", "https://api.test/v1", true),
      ("https://api.test/v1", "https://api.test/v2", false),
      ("https://api.test/v1", "https://api.test/latest", false),
      ("https://api.test/latest", "https://api.test/v1", false),
      ("http://api.test/latest", "https://api.test/latest", true),
      ("http://api.test/v1", "https://api.test/v1", true),
      ("https://other.test/v1", "https://other.test/v1", false),
    ], StoreActor.allCases)
  func notModifiedElsewhere(urls: (String, String, isConfirmed: Bool), actor: StoreActor)
    async throws
  {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let (first, second) = (try #require(URL(string: urls.0)), try #require(URL(string: urls.1)))
      let tag: HTTPHeaders = ["ETag": "\"1\""]
      func response(_ status: Int, _ text: String, _ url: URL) -> StubTransport.Response {
        .response(HTTPResponse(status: status, headers: tag, body: Data(text.utf8), url: url))
      }
      fixture.stub.on(
        .get, "/latest", response(200, "one", first), response(304, "", second),
        response(200, "two", second))
      let resource = fixture.text("latest")
      _ = try await resource.load().value()
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == (urls.isConfirmed ? "one" : "two"))
      #expect(recorder.events.last == (urls.isConfirmed ? .notModified : .newData(.network)))
      let sent = fixture.stub.requests.map(\.headers)
      #expect(sent.count == (urls.isConfirmed ? 2 : 3))
      #expect(sent.prefix(2).map { $0["If-None-Match"] } == [nil, "\"1\""])
      #expect(sent.dropFirst(2).allSatisfy { $0["Cache-Control"] == "no-cache" })
    }
  }

  @Test(
    "A tag confirms no content that has a date alone, unless the 304 names that date too",
    arguments: [true, false], StoreActor.allCases)
  func firstTag(hasDate: Bool, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let date = ["Last-Modified": "Wed, 01 Oct 2025 00:00:00 GMT"] as HTTPHeaders
      var headers: HTTPHeaders = hasDate ? date : [:]
      headers["ETag"] = "\"2\""
      fixture.stub.on(
        .get, "/a", .text("one", headers: date), .status(304, headers: headers),
        .text("two", headers: ["ETag": "\"2\""]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == (hasDate ? "one" : "two"))
      #expect(resource.latestData?.etag == "\"2\"")
      #expect(recorder.events == [.requested, hasDate ? .notModified : .newData(.network)])
      #expect(fixture.stub.requests.count == (hasDate ? 2 : 3))
    }
  }

  @Test(
    "A 304 to the request without validators is an error, whatever it confirms",
    arguments: ["\"1\"", "\"2\""], StoreActor.allCases)
  func notModifiedOtherValidatorTwice(second: String, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["ETag": "\"2\""]), .status(304, headers: ["ETag": second]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(fixture.stub.requests.count == 3)
      #expect(resource.content == "one")
      #expect(resource.latestData?.etag == "\"1\"")
    }
  }

  @Test("A request without validators stays one when it is retried", arguments: StoreActor.allCases)
  func unconditionalRetry(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 1)
        $0.random = { 0 }
      }
      fixture.stub.on(.get, "/a", .status(304), .status(503), .status(304), .text("one"))
      let resource = fixture.text("a")
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(
        fixture.stub.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache", "no-cache"])
    }
  }

  @Test(
    "What may have changed something is not repeated after a 304", arguments: StoreActor.allCases)
  func postIsNotRepeated(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/a", .status(304))
      #expect(
        await fixture.text("a").request(.post).failure()?.kind == .notModifiedWithoutContent)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test(
    "A resource that is loaded with POST is asked once more after a 304 about other content",
    arguments: StoreActor.allCases)
  func postResource(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .post, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["ETag": "\"2\""]), .text("two", headers: ["ETag": "\"2\""]))
      let resource: Resource<String> = fixture.service.resource(
        .post, absoluteURL: "https://api.test/a", decoder: .standard)
      _ = try await resource.load().value()
      _ = try await resource.load().value()
      #expect(resource.content == "two")
      #expect(fixture.stub.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }
  }

  @Test(
    "A 412 to its validators leads to one request without them, and then none are sent with POST",
    arguments: StoreActor.allCases)
  func postRefused(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let headers: HTTPHeaders = [
        "ETag": "\"1\"", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
      ]
      fixture.stub.on(.get, "/a", .text("one", headers: headers))
      func page(_ path: String) -> Resource<String> {
        fixture.service.resource(
          .post, absoluteURL: "https://api.test/" + path, decoder: .standard)
      }
      for path in ["a", "b"] {
        fixture.stub.on(.post, "/" + path) { request in
          let isConditional = request.headers["If-None-Match"] != nil
          return isConditional ? .status(412) : .text("one", headers: headers)
        }
        _ = try await page(path).load().value()
      }
      _ = try await fixture.text("a").load().value()
      fixture.stub.forgetRequests()
      let recorder = fixture.record(page("a"))
      for _ in 0..<2 { _ = try await page("a").load().value() }
      #expect(recorder.events.count { $0 == .newData(.network) } == 2)
      _ = try await page("b").load().value()
      _ = try await fixture.text("a").load().value()
      let sent = fixture.stub.requests.map(\.headers)
      #expect(sent.map { $0["If-None-Match"] } == ["\"1\"", nil, nil, nil, "\"1\""])
      #expect(sent.map { $0["If-Modified-Since"] != nil } == [false, false, false, false, true])
    }
  }

  @Test("A 412 to a GET is an error, and says nothing of POST", arguments: StoreActor.allCases)
  func getRefused(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let tagged = StubTransport.Response.text("one", headers: ["ETag": "\"1\""])
      fixture.stub.on(.get, "/a", tagged, .status(412))
      fixture.stub.on(.post, "/b", tagged)
      _ = try await fixture.text("a").load().value()
      #expect(await fixture.text("a").load().failure()?.status == 412)
      #expect(fixture.stub.requests.count == 2)
      let page: Resource<String> = fixture.service.resource(
        .post, absoluteURL: "https://api.test/b", decoder: .standard)
      for _ in 0..<2 { _ = try await page.load().value() }
      #expect(fixture.stub.requests.last?.headers["If-None-Match"] == "\"1\"")
    }
  }

  @Test("A 412 to a condition of a decoration is an error", arguments: StoreActor.allCases)
  func decoratedConditionRefused(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture {
        $0.decorate { request in
          var request = request
          request.headers["If-Match"] = "\"decoration\""
          return request
        }
      }
      fixture.stub.on(.post, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(412))
      let resource: Resource<String> = fixture.service.resource(
        .post, absoluteURL: "https://api.test/a", decoder: .standard)
      _ = try await resource.load().value()
      fixture.stub.forgetRequests()
      #expect(await resource.load().failure()?.status == 412)
      #expect(fixture.stub.requests.map { $0.headers["If-None-Match"] } == ["\"1\""])
    }
  }

  @Test("A 412 to a condition of the program is an error", arguments: StoreActor.allCases)
  func ownConditionRefused(actor: StoreActor) async throws {
    try await actor.run { actor in
      let conditions = Locked<HTTPHeaders>([:])
      let fixture = ServiceFixture { $0.headers = conditions.withLock { $0 } }
      fixture.stub.on(.post, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(412))
      let resource: Resource<String> = fixture.service.resource(
        .post, absoluteURL: "https://api.test/a", decoder: .standard)
      _ = try await resource.load().value()
      conditions.withLock { $0 = ["If-Match": "\"program\""] }
      fixture.service.reapplyConfiguration()
      #expect(await resource.load().failure()?.status == 412)
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("Content that the program has set is not confirmed", arguments: StoreActor.allCases)
  func localContent(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Last-Modified": "x"]))
      let resource = fixture.text("a")
      var entity = try await resource.load().entity()
      entity.content = "mine"
      resource.overrideLocalContent(entity)
      fixture.stub.forgetRequests()
      _ = try await resource.load().value()
      #expect(resource.content == "one")
      #expect(fixture.stub.requests.first?.headers["If-None-Match"] == nil)
      #expect(fixture.stub.requests.first?.headers["If-Modified-Since"] == nil)
    }
  }

  /// The loads go out one after the other, all with the validator of "one"; the server has "two" when
  /// it responds to the older one, and "one" again when it responds to the newer.
  @Test(
    "A 304 confirms what was asked about, not what has come since", arguments: StoreActor.allCases)
  func notModifiedOfOtherContent(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[0].release(with: .text("two", headers: ["ETag": "\"2\""]))
      _ = try await older.value()
      #expect(resource.content == "two")
      let recorder = fixture.record(resource)
      gates[1].release(with: .status(304))
      let content = try await newer.value()
      #expect(content == "one")
      #expect(resource.content == "one")
      #expect(resource.latestData?.etag == "\"1\"")
      #expect(recorder.events == [.newData(.network)])
    }
  }

  /// As above, but a date alone does not distinguish "two" from "one" of the same second.
  @Test(
    "A 304 by date alone keeps what has come since with the same date",
    arguments: StoreActor.allCases)
  func otherContentOfSameSecond(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let date: HTTPHeaders = ["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"]
      fixture.stub.on(.get, "/a", .text("one", headers: date))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[0].release(with: .text("two", headers: date))
      _ = try await older.value()
      let recorder = fixture.record(resource)
      gates[1].release(with: .status(304, headers: date))
      await newer.completed()
      #expect(resource.content == "two")
      #expect(recorder.events == [.notModified])
    }
  }
}
