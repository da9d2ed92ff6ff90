import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Revalidating a resource")
struct RevalidationTests {
  /// Content with an identity.
  private final class Document: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static let decoder = ContentDecoder<Document>("document") { input in
    Document(String(decoding: input.response.body, as: UTF8.self))
  }

  @Test("A reload sends the validators that there are", arguments: Home.allCases)
  func validatorsAreSent(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      let modified = "Thu, 01 Jan 2026 00:00:00 GMT"
      scene.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Last-Modified": modified]),
        .text("two"))
      let resource = scene.text("a")
      for _ in 0..<3 { _ = try await resource.load().value() }
      let sent = scene.stub.requests.map(\.headers)
      #expect(sent.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
      #expect(sent.map { $0["If-Modified-Since"] } == [nil, modified, nil])
    }
  }

  @Test("A 304 moves the time and keeps the very same content", arguments: Home.allCases)
  func notModified(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(500),
        .status(304, headers: ["ETag": "\"1\""]))
      let resource = scene.service.resource("a", decoder: Self.decoder)
      _ = try await resource.load().value()
      let before = resource.content
      await resource.load().ended()
      scene.clock.advance(by: .seconds(100))
      let recorder = scene.record(resource)
      var hooks: [String] = []
      let request = resource.load()
        .onNewData { _ in hooks.append("new") }
        .onNotModified { hooks.append("same") }
        .onSuccess { hooks.append($0.content.text) }
      let entity = try await request.value()
      #expect(recorder.events == [.requested, .notModified])
      #expect(resource.content === before)
      #expect(entity.content === before)
      #expect(resource.timestamp == scene.clock.date)
      #expect(resource.latestError == nil)
      #expect(resource.isUpToDate)
      #expect(hooks == ["same", "one"])
    }
  }

  @Test("A 304 without data is asked about once more, without validators", arguments: Home.allCases)
  func notModifiedWithoutData(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(304), .text("one"))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == "one")
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(scene.stub.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    }
  }

  @Test("A second 304 without data is an error", arguments: Home.allCases)
  func notModifiedTwice(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(304))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(recorder.events == [.requested, .error])
      #expect(scene.stub.requests.count == 2)
    }
  }

  @Test(
    "A 304 with the validator of other content is asked about once more, without validators",
    arguments: Home.allCases)
  func notModifiedOtherValidator(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["ETag": "\"2\""]), .text("two", headers: ["ETag": "\"2\""]),
        .status(304, headers: ["ETag": "W/\"2\""]))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      let recorder = scene.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == "two")
      _ = try await resource.load().value()
      #expect(recorder.events == [.requested, .newData(.network), .requested, .notModified])
      let sent = scene.stub.requests.map(\.headers)
      #expect(sent.map { $0["If-None-Match"] } == [nil, "\"1\"", nil, "\"2\""])
      #expect(sent.map { $0["Cache-Control"] } == [nil, nil, "no-cache", nil])
    }
  }

  @Test(
    "A 304 to the request without validators is an error, whatever it confirms",
    arguments: ["\"1\"", "\"2\""], Home.allCases)
  func notModifiedOtherValidatorTwice(second: String, home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["ETag": "\"2\""]), .status(304, headers: ["ETag": second]))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(scene.stub.requests.count == 3)
      #expect(resource.content == "one")
      #expect(resource.latestData?.etag == "\"1\"")
    }
  }

  @Test("A request without validators stays one when it is retried", arguments: Home.allCases)
  func unconditionalRetry(home: Home) async {
    await home.run { home in
      let scene = Scene {
        $0.retries = RetryPolicy(maximumRetries: 1)
        $0.random = { 0 }
      }
      scene.stub.on(.get, "/a", .status(304), .status(503), .status(304), .text("one"))
      let resource = scene.text("a")
      #expect(await resource.load().failure()?.kind == .notModifiedWithoutContent)
      #expect(
        scene.stub.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache", "no-cache"])
    }
  }

  @Test("What may have changed something is not repeated after a 304", arguments: Home.allCases)
  func postIsNotRepeated(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.post, "/a", .status(304))
      #expect(
        await scene.text("a").request(.post).failure()?.kind == .notModifiedWithoutContent)
      #expect(scene.stub.requests.count == 1)
    }
  }

  /// The loads go out one after the other, all with the validator of "one"; the server has "two" when
  /// it answers the older one, and "one" again when it answers the newer.
  @Test("A 304 confirms what was asked about, not what has come since", arguments: Home.allCases)
  func notModifiedOfOtherContent(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      let gates = [scene.stub.hold(.get, "/a"), scene.stub.hold(.get, "/a")]
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[0].release(with: .text("two", headers: ["ETag": "\"2\""]))
      _ = try await older.value()
      #expect(resource.content == "two")
      let recorder = scene.record(resource)
      gates[1].release(with: .status(304))
      let entity = try await newer.value()
      #expect(entity.content == "one")
      #expect(resource.content == "one")
      #expect(resource.latestData?.etag == "\"1\"")
      #expect(recorder.events == [.newData(.network)])
    }
  }
}
