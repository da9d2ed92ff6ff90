import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Plants a secret wherever a program may have one, and looks for it in every word that is said.
@Suite("Secrets")
struct SecrecyTests {
  fileprivate static let secret = "s3cret"

  @Test("No log entry and no error shows a secret", arguments: Home.allCases)
  func nothingIsShown(home: Home) async throws {
    try await home.run { home in
      let entries = Entries()
      let stub = StubTransport()
      let service = Service(baseURL: "https://api.test/v1", transport: stub, clock: InstantClock())
      service.configure {
        $0.headers = ["Authorization": Self.secret, "Cookie": Self.secret, "X-Key": Self.secret]
        $0.authorizer = TokenAuthorizer(token: Self.secret) { Self.secret }
        $0.retries = RetryPolicy(maximumRetries: 1)
        $0.cache = FailingCache()
        $0.log = { entries.append($0) }
        $0.decodeErrors(as: [Int].self)
      }
      service.configure("throwing") { $0.decorate { _ in throw Leak(text: Self.secret) } }
      service.configure("forbidden") {
        $0.authorizer = TokenAuthorizer { throw Leak(text: Self.secret) }
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
        Service(baseURL: "ftp://user:\(Self.secret)@api.test", transport: stub).resource(
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
          .request, .response, .retry, .cacheFailure, .errorBody,
        ])
      for entry in entries.all { #expect(!"\(entry)".contains(Self.secret), "\(entry.category)") }
    }
  }

  private struct Leak: Error {
    let text: String
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

  private struct FailingCache: EntityCache {
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
  }

  private final class Entries: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [LogEntry] = []
    var all: [LogEntry] { lock.withLock { entries } }
    func append(_ entry: LogEntry) { lock.withLock { entries.append(entry) } }
  }
}
