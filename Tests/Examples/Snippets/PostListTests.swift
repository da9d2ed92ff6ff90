import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about lists by POST", .standardTimeLimit)
@MainActor
struct PostListTests {
  private let stub = StubTransport()
  private let clock = ManualClock()
  private let service: Service

  init() { service = Service(baseURL: "https://api.test", transport: stub, clock: clock) }

  @Test("A GraphQL connection is recognized, and its cursor set in the variables")
  func connection() async throws {
    func page(_ id: String, isLast: Bool) -> StubTransport.Response {
      .json(
        """
        {"data": {"viewer": {"issues": {"nodes": [{"id": "\(id)", "title": "t"}],
          "pageInfo": {"hasNextPage": \(!isLast), "endCursor": "\(id)"}}}}}
        """)
    }
    let pages = [page("a", isLast: false), page("b", isLast: true)]
    stub.on(.post, "/graphql") { request in
      let body = request.body.flatMap { try? JSONText(parsing: $0) }
      return body?["variables"]?["after"]?.string == "a" ? pages[1] : pages[0]
    }
    let issues = try PostLists.issues(service)
    issues.loadAll()
    await issues.settled()
    #expect(issues.items.map(\.id) == ["a", "b"] && issues.state == .ended)
    #expect(issues.pages[0].content?.style == PostLists.namedStyle())
  }

  @Test("A resource and a search by POST send their bodies")
  func bodies() async throws {
    stub.on(.post, "/graphql", .json(#"{"data": {"viewer": {"login": "ada"}}}"#))
    let viewer = try PostLists.viewer(service)
    #expect(try await viewer.freshContent().data.viewer.login == "ada")
    stub.on(.post, "/issues/search", .json(#"[{"id": 1}]"#))
    let found = try PostLists.found(service)
    found.loadAll()
    await found.settled()
    #expect(found.items.map(\.id) == [1])
    let bodies = stub.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
    #expect(bodies == [#"{"query":"{ viewer { login } }"}"#, #"{"filter":{"status":"open"}}"#])
  }

  @Test("A search is retried with the key of its first attempt")
  func retries() async throws {
    stub.on(.post, "/issues/search", .status(503), .json("[]"))
    PostLists.allowRetries(service)
    let found = try PostLists.found(service)
    found.loadIfNeeded()
    try await clock.run(until: { !found.isLoading })
    #expect(found.latestError == nil)
    let keys = stub.requests.map { $0.headers["Idempotency-Key"] }
    #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
  }
}
