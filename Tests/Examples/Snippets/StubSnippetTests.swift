import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about stubs, servers and recorders", .standardTimeLimit)
@MainActor
struct StubSnippetTests {
  struct Profile: Codable, Equatable, Sendable { let name: String }
  struct Gist: Codable, Identifiable, Equatable, Sendable { let id: Int }
  struct Article: Codable, Equatable, Sendable { let title: String }

  // MARK: Stubs

  @Test("A stub has responses for requests, one after the other, or a closure")
  func stub() async throws {
    // snippet
    let stub = StubTransport()
    stub.on(.get, "/items?page=1", .json("[1, 2]"))
    stub.on(.get, "/items?page=2", .failure(.timedOut), .json("[3]"))
    stub.on(.post, "/items") { request in .json(#"{"id": 4}"#, status: 201) }
    let service = Service(baseURL: "https://api.test/", transport: stub)
    // end
    service.configure { $0.timeout = .seconds(86_400) }
    let second = service.resource("items?page=2", of: [Int].self)
    await second.load().completed()
    #expect(second.latestError?.kind == .timeout)
    #expect(try await second.reload() == [3])
    let first = service.resource("items?page=1", of: [Int].self)
    #expect(try await first.freshContent() == [1, 2])
    let created = service.request(.post, "items", as: Gist.self)
    #expect(try await created.value().id == 4)
  }

  @Test("A stub has content, a page, or all pages of a list")
  func encoded() async throws {
    let stub = StubTransport()
    // snippet
    stub.on(.get, "/profile", .json(encoding: Profile(name: "Ada")))
    // end
    // snippet
    stub.onPages("/gists", [[Gist(id: 1), Gist(id: 2)], [Gist(id: 3)]])
    // end
    // snippet
    stub.onUnexpected { Issue.record("\($0)") }
    // end
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    #expect(try await service.resource("profile", of: Profile.self).freshContent().name == "Ada")
    let gists = service.pages("gists", of: Gist.self)
    gists.loadAll()
    await gists.settled()
    #expect(gists.items.map(\.id) == [1, 2, 3])
    // snippet
    stub.on(.get, "/gists?page=2", .page(encoding: [Gist(id: 3)], next: "/gists?page=3"))
    // end
    stub.on(.get, "/gists?page=3", .page(encoding: [Gist(id: 4)]))
    await gists.refreshAndWait()
    gists.loadAll()
    await gists.settled()
    #expect(gists.items.map(\.id) == [1, 2, 3, 4])
  }

  @Test("A stub responds by a function")
  func function() async throws {
    // snippet
    let demo = DemoAPI()
    let stub = StubTransport { demo.respond(to: $0) }
    // end
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    #expect(try await service.resource("items/1", of: Gist.self).freshContent().id == 1)
  }

  // MARK: Servers

  @Test("The demo API is served over HTTP, and without a network")
  func demo() async throws {
    // snippet
    let demo = DemoAPI()
    let server = try demo.start()  // over HTTP: server.url
    let stub = StubTransport { demo.respond(to: $0) }  // or without a network
    demo.edit(id: 17)  // one page has changed
    // end
    for service in [
      Service(baseURL: server.url.absoluteString, clock: ManualClock()),
      Service(baseURL: "https://api.test", transport: stub, clock: ManualClock()),
    ] {
      #expect(try await service.resource("items/17", of: Gist.self).freshContent().id == 17)
    }
    #expect(demo.counts.full == 2)
  }

  @Test("A server responds by a closure")
  func server() async throws {
    // snippet
    let server = try LoopbackServer { request in
      request.url.path() == "/items" ? .json("[1, 2]") : .response(status: 404)
    }
    let service = Service(baseURL: server.url.absoluteString, clock: ManualClock())
    let items = try await service.resource("items", of: [Int].self).freshContent()
    // end
    #expect(items == [1, 2])
    let other = service.resource("other", of: String.self)
    await other.load().completed()
    #expect(other.latestError?.status == 404)
  }

  @Test("Faults of a response combine")
  func faults() async throws {
    let page = "[\(Array(repeating: "1", count: 40).joined(separator: ","))]"
    // snippet
    let responses: [LoopbackServer.Response] = [
      .json(page),  // Content-Length, one write, keep-alive
      .json(page).chunked(by: 16),  // the same in chunks of 16 bytes
      .json(page).chunked(by: 16).truncated(after: 32),  // two chunks, then the connection ends
      .json(page).dripped(1, every: .milliseconds(500)),  // slower than any idle timeout notices
      .reset,  // RST instead of a response
    ]
    // end
    for (index, isWhole) in [(0, true), (1, true), (2, false), (4, false)] {
      let server = try LoopbackServer { [response = responses[index]] _ in response }
      let service = Service(baseURL: server.url.absoluteString, clock: ManualClock())
      let text = service.resource("page", of: [Int].self)
      await text.load().completed()
      #expect((text.content?.count == 40) == isWhole, "\(text.latestError as Any)")
    }
  }

  // MARK: Recorders

  @Test("A recorder has the events of a list")
  func list() async {
    let stub = StubTransport()
    stub.on(.get, "/numbers", .json("[1, 2]"))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let list = service.pages("numbers", of: Int.self)
    // snippet
    let recorder = PagedCollectionRecorder<Int>()
    list.addObserver(recorder)
    list.loadAll()
    await list.settled()
    #expect(
      recorder.lines == [
        "observerAdded", "stateChanged(loading)", "itemsChanged(0..<0 → [1, 2])",
        "previousStateChanged(ended)", "stateChanged(ended)",
      ])
    // end
  }

  @Test("A recorder has the events of a paginator")
  func paginator() async throws {
    let stub = StubTransport()
    stub.on(.get, "/articles?page=2", .json(#"[{"title": "two"}]"#))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let articles = service.paginator("articles?page=:currentPage", of: Article.self)
    // snippet
    let recorder = PaginatorRecorder<Article>()
    articles.addObserver(recorder)
    try articles.loadPage(2)
    await articles.settled()
    #expect(recorder.lines == ["observerAdded", "loading(2)", "slotsChanged", "loaded(2)"])
    // end
  }

  // MARK: Clocks

  @Test("A clock advances to a retry")
  func clock() async throws {
    let stub = StubTransport()
    // snippet
    let clock = ManualClock()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure { $0.retryPolicy = .standard }
    stub.on(.get, "/a", .status(503, headers: ["Retry-After": "7"]), .text("one"))
    let load = service.resource("a", of: String.self).load()
    await clock.advanceToNextTimer()
    #expect(clock.now == .seconds(7))
    #expect(try await load.value() == "one")
    // end
  }

  @Test("A clock runs until a load has ended")
  func run() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure { $0.retryPolicy = .standard }
    stub.on(.get, "/a", .status(503), .status(503), .text("one"))
    let resource = service.resource("a", of: String.self)
    // snippet
    let load = resource.load()  // fails twice, and is retried
    try await clock.run(until: { load.isCompleted })
    // end
    #expect(resource.content == "one" && stub.count(.get, "/a") == 3)
  }
}
