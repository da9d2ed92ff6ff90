import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("What the documentation configures", .standardTimeLimit)
@MainActor
struct ConfiguringTests {
  private let stub = StubTransport()
  private let service: Service
  private let snippets: Configuring

  init() {
    service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    snippets = Configuring(service: service)
  }

  @Test("is the configuration of the paths that it names")
  func rules() {
    func configuration(_ path: String) -> Service.Configuration {
      service.resource(path, of: String.self).configuration
    }
    snippets.defaults()
    #expect(configuration("search/all").freshnessLifetime == .seconds(5))
    #expect(configuration("search/all").retryPolicy == .standard)
    #expect(configuration("other").freshnessLifetime == .seconds(30))
    snippets.freshness()
    #expect(configuration("feed/1").responseFreshness?.minimum == .seconds(5))
    #expect(configuration("other").responseFreshness == nil)
    snippets.key("k")
    #expect(configuration("other").headers["X-API-Key"] == "k")
    snippets.json()
    guard case .convertToSnakeCase = configuration("other").json.keyEncodingStrategy else {
      Issue.record("the keys are encoded as they are")
      return
    }
    snippets.retries()
    #expect(configuration("other").retryPolicy == .standard)
  }

  @Test("shows the words of the server")
  func problem() async {
    snippets.problems()
    stub.on(.get, "/a", .json(#"{"detail": "Closed on Sundays"}"#, status: 409))
    let resource = service.resource("a", of: String.self)
    await resource.load().completed()
    #expect(resource.latestError?.userMessage == "Closed on Sundays")
  }

  @Test("waits as the server asks in an error's body")
  func advice() async throws {
    snippets.advice()
    stub.on(.get, "/a", .json(#"{"waitSeconds": 90}"#, status: 503))
    let resource = service.resource("a", of: String.self)
    await resource.load().completed()
    #expect(resource.latestError?.retryAfter == .seconds(90))
    snippets.responseFreshness()
    #expect(resource.configuration.responseFreshness?.maximum == .seconds(3600))
  }

  @Test("shows a list from the cache, asks for its pages, and empties the cache at sign-out")
  func caching() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = snippets.cache(in: folder)
    let headers: HTTPHeaders = ["ETag": "\"1\""]
    stub.on(.get, "/items", .json(#"[{"id": 1}]"#, headers: headers), .status(304))
    let yesterday = ManualClock(date: ManualClock.startDate - 86_400)
    let first = Service(baseURL: "https://api.test", transport: stub, clock: yesterday)
    first.configure { $0.cache = cache }
    _ = await first.pages("items", of: Configuring.Item.self, style: .linkHeader).refreshAndWait()
    await first.flushCache()
    #expect(stub.count(.get, "/items") == 1)

    let list = snippets.showsCacheFirst()
    await list.settled()
    #expect(list.items.map(\.id) == [1])
    #expect(stub.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(stub.count(.get, "/items") == 2)

    await snippets.signOut()
    #expect(try await cache.entry(for: list.firstPage.key) == nil)
    #expect(list.firstPage.content == nil)
  }
}
