import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Puts a secret wherever a program may have one, and searches all messages for it.
@Suite("Secrets", .standardTimeLimit)
struct SecrecyTests {
  fileprivate static let secret = "s3cret"

  @Test("No log entry and no error shows a secret", arguments: StoreActor.allCases)
  func nothingIsShown(actor: StoreActor) async throws {
    try await actor.run { actor in
      let entries = Entries()
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test/v1", transport: stub, clock: InstantClock(),
        isolation: #isolation)
      service.configure {
        $0.headers = ["Authorization": Self.secret, "Cookie": Self.secret, "X-Key": Self.secret]
        $0.authorizer = TokenAuthorizer(token: Self.secret, fetchTimeout: nil) { Self.secret }
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 1)
        $0.cache = FailingCache()
        $0.log = { entries.append($0) }
        $0.decodeErrors(as: [Int].self)
      }
      service.configure("throwing") { $0.decorate { _ in throw Leak(text: Self.secret) } }
      service.configure("forbidden") {
        $0.authorizer = TokenAuthorizer(fetchTimeout: nil) { throw Leak(text: Self.secret) }
      }
      service.configure("broken") { $0.headers["X-Broken"] = "\(Self.secret)\n" }
      stub.on(where: { _ in true }, .json("{", headers: ["Set-Cookie": Self.secret]))
      for status in [304, 404, 429, 500, 503] {
        stub.on(
          where: { $0.url.path == "/v1/\(status)" },
          .json("{", status: status, headers: ["Retry-After": "1", "X-Key": Self.secret]))
      }
      stub.on(where: { $0.url.path == "/v1/lost" }, .failure(.connectionLost))
      stub.on(where: { $0.url.path == "/v1/html" }, .text("<html>"))

      let query = "?access_token=\(Self.secret)&q=\(Self.secret)#\(Self.secret)"
      let paths = [
        "json", "html", "lost", "throwing", "forbidden", "broken", "304", "404", "429", "500",
        "503",
      ]
      var resources = paths.map { service.resource($0 + query, of: [Int].self) }
      let userInfo = "https://user:\(Self.secret)@api.test/v1/a" + query
      resources += [
        service.resource(userInfo), service.resource(absoluteURL: userInfo),
        service.resource(absoluteURL: "ftp://user:\(Self.secret)@x.test/" + query),
        resources[0].relative("https://user:\(Self.secret)@other.test/" + query),
        Service(
          baseURL: "ftp://user:\(Self.secret)@api.test", transport: stub, clock: ManualClock(),
          isolation: #isolation
        ).resource(
          "a" + query),
      ]
      for resource in resources {
        let error = try #require(await resource.load().failure(), "\(resource)")
        let words = [
          error.message, error.description, error.debugDescription, error.userMessage,
          error.localizedDescription, "\(error)", String(reflecting: error), resource.description,
          "\(resource)",
        ]
        for text in words { #expect(!text.contains(Self.secret), "\(resource): \(error.kind)") }
        #expect(!error.userMessage.isEmpty)
      }
      #expect(
        Set(entries.all.map(\.category)) == [
          .request, .response, .retry, .pause, .cacheFailure, .errorBody,
        ])
      for entry in entries.all { #expect(!"\(entry)".contains(Self.secret), "\(entry.category)") }
    }
  }

  private struct Leak: Error {
    let text: String
  }

  private static func words(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), "\([value])", dumped]
  }

  @Test("No error shows content, nor what read it has thrown", arguments: StoreActor.allCases)
  func contentIsNotShown(actor: StoreActor) async {
    struct Item: Codable, Sendable {
      enum Kind: String, Codable { case known }
      var kind: Kind?
      var counts: [String: Int]?
      var date: Date?
      var link: URL?
      var text: JSONText?
    }
    await actor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let bodies = [
        #"{"kind": "s3cret"}"#, #"{"counts": {"s3cret": "s3cret"}}"#, #"{"date": "s3cret"}"#,
        #"{"date": 1, "s3cret": 2}"#, #"{"text": "{s3cret"}"#,
        #"{"kind": s3cret}"#, #"{"counts": {"a": 1s3cret}}"#, #"{"counts": {"a": 1.7e3s3cret}}"#,
        #"["s3cret"]"#, #""s3cret""#, "s3cret", #"{"s3cret"#, #"{"counts": {"s3cret": 1e400}}"#,
      ]
      var requests: [AnyRequest] = []
      for (index, body) in bodies.enumerated() {
        stub.on(.get, "/body\(index)", .json(body))
        requests.append(service.resource("body\(index)", of: Item.self).load())
      }
      stub.on(where: { $0.url.path.hasPrefix("/thrown") }, .text(Self.secret))
      struct Key: CodingKey {
        var stringValue: String { SecrecyTests.secret }
        var intValue: Int? { nil }
        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
      }
      let context = DecodingError.Context(codingPath: [Key()], debugDescription: Self.secret)
      let thrown: [any Error] = [
        Leak(text: Self.secret), DecodingError.typeMismatch(Int.self, context),
        DecodingError.valueNotFound(Int.self, context), DecodingError.keyNotFound(Key(), context),
        DecodingError.dataCorrupted(
          .init(
            codingPath: [], debugDescription: Self.secret,
            underlyingError: Leak(text: Self.secret))),
        NSError(domain: "test", code: 7, userInfo: [NSLocalizedDescriptionKey: Self.secret]),
        TransportError(.badResponse, "", underlying: Leak(text: Self.secret)),
      ]
      for (index, error) in thrown.enumerated() {
        let decoder = ContentDecoder<Int>("\(index)") { _ in throw error }
        requests.append(service.resource("thrown\(index)", decoder: decoder).load())
        for stage in ["raw", "model"] {
          service.configure("thrown/\(stage)\(index)") {
            if stage == "raw" {
              $0.pipeline.add(at: .raw) { _ in throw error }
            } else {
              $0.pipeline.add(String.self, at: .model) { _, _ in throw error }
            }
          }
          requests.append(
            service.resource("thrown/\(stage)\(index)", of: String.self).load())
        }
      }
      for request in requests {
        await request.completed()
        guard case .failure(let error) = request.ending else {
          Issue.record("\(request) brought something")
          continue
        }
        #expect(error.kind == .decoding)
        for text in Self.words(error).dropLast() + [error.message] {
          #expect(!text.contains(Self.secret), "\(text)")
        }
      }
    }
  }

  @Test("No error shows what could not be encoded", arguments: StoreActor.allCases)
  func unencoded(actor: StoreActor) async throws {
    struct Body: Encodable, Sendable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          SecrecyTests.secret,
          .init(codingPath: encoder.codingPath, debugDescription: SecrecyTests.secret))
      }
    }
    try await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let bodies: [RequestBody] = [
        .json(Body()), .json([Self.secret: Body()]), .json([Self.secret: Double.nan]),
      ]
      for body in bodies {
        let error = try #require(await resource.request(.put, body: body).failure())
        #expect(error.kind == .invalidRequest)
        #expect(error.message.contains("cannot be encoded"))
        #expect(!error.message.contains(Self.secret), "\(error.message)")
      }
    }
  }

  @Test(
    "No error shows what may be a secret in a path or a malformed URL",
    arguments: [
      "https://user:s3cret/x@api.test/", "https:/user:s3cret@api.test/", "user:s3cret@api.test/x",
      "https:\\\\user:s3cret@api.test/", "https://user:s3cret?x@api.test/",
      "https://user:s3cret#x@api.test/", " https://user:s3cret@api.test/", "//user:s3cret@api.test",
      "https://user:x@s3cret@/", "ftp://user:s3cret@api.test/", "https://user:s3cret",
    ], StoreActor.allCases)
  func malformed(url: String, actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = ServiceFixture().service
      let resources = [
        service.resource(absoluteURL: url, of: String.self),
        service.resource("a", of: String.self).relative(url),
        Service(
          baseURL: url, transport: StubTransport(), clock: ManualClock(), isolation: #isolation
        ).resource(
          "a", of: String.self),
      ]
      for resource in resources {
        let words = [
          resource.description, Redaction.url(url), Redaction.originAndPath(of: url),
          PageLinkError.shown(url),
        ]
        for text in words {
          #expect(!text.contains(Self.secret), "\(text)")
        }
        guard resource.url == nil else { continue }
        let error = try #require(await resource.load().failure())
        #expect(!error.message.contains(Self.secret), "\(error.message)")
      }
    }
  }

  @Test("A child path is not shown", arguments: StoreActor.allCases)
  func childPath(actor: StoreActor) async throws {
    try await actor.run { actor in
      let child = ServiceFixture().text("a").child("../b?token=\(Self.secret)", of: String.self)
      let error = try #require(await child.load().failure())
      #expect(error.message.contains("\"..\""))
      #expect(!error.message.contains(Self.secret), "\(error.message)")

      let fixture = ServiceFixture()
      fixture.stub.on(where: { _ in true }, .status(404))
      let missing = fixture.text("a").child("b?token=\(Self.secret)", of: String.self)
      let notFound = try #require(await missing.load().failure())
      #expect(notFound.status == 404)
      var dumped = ""
      dump(notFound, to: &dumped)
      for text in [notFound.message, "\(notFound)", dumped, "\(missing)", "\(missing.key)"] {
        #expect(!text.contains(Self.secret), "\(text)")
      }
    }
  }

  @Test("What is printed shows no content")
  func printed() throws {
    let url = try #require(URL(string: "https://api.test/a?token=\(Self.secret)"))
    let headers: HTTPHeaders = ["Set-Cookie": Self.secret, "ETag": "\"1\""]
    let response = HTTPResponse(
      status: 200, headers: headers, body: Data(Self.secret.utf8), url: url)
    let request = HTTPRequest(
      method: .post, url: url, headers: headers, body: Data(Self.secret.utf8))
    let key = ResourceKey(
      method: .post, url: url.absoluteString, body: Data("\"\(Self.secret)\"".utf8))
    let values: [Any] = [
      ResourceEntity(Self.secret, headers: headers, url: url), ResourceEntity([Self.secret]),
      response, request,
      DecodingInput(response: response, key: key),
      CachedEntry(response: response, timestamp: ManualClock.startDate),
      TransportError(
        .badResponse, "nothing",
        underlying: NSError(domain: "a", code: 1, userInfo: ["url": Self.secret])),
      ResourceError(.decoding, "nothing", underlying: Leak(text: Self.secret)),
    ]
    for value in values {
      for text in Self.words(value) {
        #expect(!text.contains(Self.secret), "\(type(of: value)): \(text)")
        // As text or as numbers.
        #expect(!text.contains("115, 51, 99") && !text.contains("- 115"), "\(type(of: value))")
      }
    }
    #expect("\(response)" == "200 https://api.test/a?token=***, 6 bytes")
    #expect(
      "\(ResourceEntity(1, url: url))".hasPrefix("ResourceEntity<Int> https://api.test/a?token=***")
    )
  }

  @Test("The dump of a stub shows no secret")
  func stubDump() async throws {
    let stub = StubTransport()
    let (dumps, reports) = AsyncStream.makeStream(of: String.self)
    stub.onUnexpected { reports.yield($0) }
    stub.on(.get, "/b?token=\(Self.secret)", .text("b"))
    let url = try #require(URL(string: "https://api.test/a?token=\(Self.secret)&q=1"))
    let request = HTTPRequest(
      method: .post, url: url, headers: ["Authorization": Self.secret, "X-Kind": "plain"],
      body: Data(#"{"password": "\#(Self.secret)"}"#.utf8))
    let error = await #expect(throws: TransportError.self) {
      try await stub.send(request) { _ in }
    }
    reports.finish()
    let dump = await dumps.reduce("", +)
    #expect(error?.message == dump)
    #expect(!dump.contains(Self.secret), "\(dump)")
    #expect(dump.contains("X-Kind: plain") && dump.contains("q=1") && dump.contains("22 bytes"))
  }

  /// Waits for nothing, so that retries follow at once, and deadlines never come.
  private struct InstantClock: StoreClock {
    var now: Duration { .zero }
    var date: Date { ManualClock.startDate }
    @concurrent
    func sleep(for duration: Duration) async throws {
      guard duration >= .seconds(10) else { return }
      try await ManualClock().sleep(for: duration)
    }
  }

  private final class FailingCache: EntityCache {
    @concurrent
    func entry(for key: ResourceKey) async throws -> CachedEntry? {
      throw Leak(text: SecrecyTests.secret)
    }
    @concurrent
    func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
      throw Leak(text: SecrecyTests.secret)
    }
    @concurrent
    func remove(_ key: ResourceKey) async throws { throw Leak(text: SecrecyTests.secret) }
    @concurrent
    func removeAll() async throws { throw Leak(text: SecrecyTests.secret) }
    @concurrent
    func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
      throw Leak(text: SecrecyTests.secret)
    }
  }

  private final class Entries: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [Service.LogEntry] = []
    var all: [Service.LogEntry] { lock.withLock { entries } }
    func append(_ entry: Service.LogEntry) { lock.withLock { entries.append(entry) } }
  }
}
