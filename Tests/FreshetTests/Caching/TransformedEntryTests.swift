import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Responses that transforms change, and the 304s about them", .standardTimeLimit)
@MainActor struct TransformedEntryTests {
  private let fixture = RelaunchFixture()

  /// Launches a program that transforms its responses.
  private func launch(
    _ transform: @escaping @Sendable (inout HTTPResponse) -> Void
  ) -> Service {
    let service = fixture.launch()
    service.configure {
      $0.headers["Accept-Language"] = "en"
      $0.pipeline.add(at: .decoding) { response in
        var response = response
        transform(&response)
        return response
      }
    }
    return service
  }

  /// The entry of a resource once all changes were made.
  private func entry(of resource: AnyResource) async -> CachedEntry? {
    await CacheQueue.shared.flush(fixture.cache)
    return await fixture.cache.peek(resource.key)
  }

  @Test("An entry has the header fields that its body came with, and can be read later")
  func charset() async throws {
    let (latin1, utf8) = ("text/plain; charset=iso-8859-1", "text/plain; charset=utf-8")
    let transform: @Sendable (inout HTTPResponse) -> Void = { response in
      guard response.headers["Content-Type"] == latin1,
        let text = String(data: response.body, encoding: .isoLatin1)
      else { return }
      response.body = Data(text.utf8)
      response.headers["Content-Type"] = utf8
    }
    fixture.stub.on(
      .get, "/a",
      .response(headers: ["Content-Type": latin1, "ETag": "\"1\""], body: Data([0xE9])),
      .status(304, headers: ["ETag": "\"1\"", "X-New": "1"]))
    let resource = launch(transform).resource("a", of: String.self)
    for _ in 0..<2 { _ = try await resource.load().value() }
    #expect(resource.content == "é" && resource.latestData?.contentType?.charset == "utf-8")
    let response = await entry(of: resource)?.response
    #expect(response?.body == Data([0xE9]) && response?.headers["Content-Type"] == latin1)
    #expect(response?.headers["X-New"] == "1")
    let next = launch(transform).resource("a", of: String.self)
    await next.loadIfNeeded()?.completed()
    #expect(next.content == "é" && fixture.stub.requests.count == 2)
  }

  @Test(
    "An entry is known by the fields that were received, whatever transforms make of them",
    arguments: ["ETag", "Last-Modified", "Vary"])
  func identity(field: String) async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain", "ETag": "\"1\"", "Last-Modified": date,
      "Vary": "Accept-Language",
    ]
    fixture.stub.on(
      .get, "/a", .response(headers: headers, body: Data("x".utf8)),
      .status(304, headers: ["Last-Modified": date, "X-New": "1"]),
      .status(304, headers: ["Last-Modified": date, "X-New": "2"]))
    let resource = launch { $0.headers[field] = nil }.resource("a", of: String.self)
    for new in [nil, "1", "2"] {
      _ = try await resource.load().value()
      #expect(resource.latestData?.headers[field] == nil)
      #expect(resource.latestData?.headers["X-New"] == new)
      let response = await entry(of: resource)?.response
      #expect(response?.headers[field] == headers[field], "304 number \(new ?? "0")")
      #expect(response?.headers["X-New"] == new)
    }
    let next = launch { $0.headers[field] = nil }.resource("a", of: String.self)
    await next.loadIfNeeded()?.completed()
    #expect(next.content == "x" && fixture.stub.requests.count == 3)
  }

  @Test("A 304 with another tag is about other content, also where a transform removes the tag")
  func removedTag() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    func headers(_ tag: String) -> HTTPHeaders { ["ETag": tag, "Last-Modified": date] }
    fixture.stub.on(
      .get, "/a", .text("x", headers: headers("\"1\"")), .status(304, headers: headers("\"2\"")),
      .text("y", headers: headers("\"2\"")))
    let resource = launch { $0.headers["ETag"] = nil }.resource("a", of: String.self)
    for expected in ["x", "y"] {
      #expect(try await resource.load().value() == expected)
    }
    #expect(fixture.stub.requests.count == 3)
    #expect(await entry(of: resource)?.response.body == Data("y".utf8))
  }

  @Test("A field that a 304 repeats stays as a transform has made it, and a new one is as it came")
  func repeated() async throws {
    fixture.stub.on(
      .get, "/a", .text("x", headers: ["ETag": "\"1\"", "X": "old"]),
      .status(304, headers: ["X": "old"]), .status(304, headers: ["X": "new"]))
    let resource = launch { $0.headers["X"] = "transformed" }.resource("a", of: String.self)
    for expected in ["transformed", "transformed", "new", "new"] {
      _ = try await resource.load().value()
      #expect(resource.latestData?.headers["X"] == expected)
    }
  }

  @Test("The same content with an earlier date is not requested again where its tag is changed")
  func earlierDate() async throws {
    func response(_ date: String) -> StubTransport.Response {
      .text("x", headers: ["ETag": "\"1-gzip\"", "Date": date])
    }
    fixture.stub.on(
      .get, "/a", response("Sun, 06 Nov 1994 08:49:37 GMT"),
      response("Sun, 06 Nov 1994 08:49:36 GMT"))
    let resource = launch { $0.headers["ETag"] = "\"1\"" }.resource("a", of: String.self)
    for _ in 0..<2 { _ = try await resource.load().value() }
    #expect(fixture.stub.requests.count == 2)
  }
}
