import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Clients", .standardTimeLimit)
@MainActor
struct ClientTests {
  private let stub = StubTransport()
  private let service: Service

  init() { service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock()) }

  @Test("have fewer than 60 lines each")
  func length() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name != "ClientTests.swift" {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60, "\(name)")
    }
  }

  // MARK: Siesta

  private func stubStories() {
    stub.on(
      .get, "/stories",
      .json(#"[{"title": "a"}, {"title": "b"}]"#, headers: ["X-Next-Page": "?p=2"]))
    stub.on(.get, "/stories?p=2", .json(#"[{"title": "c"}]"#, headers: ["X-Next-Page": "?p=3"]))
    stub.on(.get, "/stories?p=3", .json(#"[{"title": "d"}]"#))
  }

  @Test("A view model of Siesta that merges pages by hand works when it is ported line by line")
  func handMerged() async {
    stubStories()
    let feed = HandMergedFeed(service)
    feed.rowCount = 3
    feed.viewWillAppear()
    await until { feed.stories.count == 3 && !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b", "c"])
    feed.rowCount = 20
    await until { feed.stories.count == 4 && !feed.isLoading }
    stub.on(.get, "/stories?p=2", .status(500))
    feed.pullToRefresh()
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b", "c", "d"])
    #expect(feed.errorMessage == "The server has a problem.")
    stub.on(.get, "/stories?p=2", .json("[]"))
    feed.pullToRefresh()
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b"] && feed.errorMessage == nil)
    #expect(stub.unexpected.isEmpty)
  }

  @Test("The same view model on a paged collection shows the same")
  func paged() async {
    stubStories()
    let feed = PagedFeed(service)
    feed.rowCount = 3
    feed.viewWillAppear()
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b", "c"])
    feed.rowCount = 20
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b", "c", "d"])
    stub.on(.get, "/stories?p=2", .status(500))
    feed.pullToRefresh()
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b", "c", "d"])
    #expect(feed.errorMessage == "The server has a problem.")
    stub.on(.get, "/stories?p=2", .json("[]"))
    feed.pullToRefresh()
    await until { !feed.isLoading }
    #expect(feed.stories.map(\.title) == ["a", "b"] && feed.errorMessage == nil)
    #expect(stub.unexpected.isEmpty)
  }

  // MARK: GitHub

  @Test("A list of gists loads ahead, retries its failed page, and finds a new gist in a refresh")
  func gists() async {
    func page(_ ids: ClosedRange<Int>, next: Int?) -> StubTransport.Response {
      let items = ids.map { #"{"id": "\#($0)", "updated_at": "2026-01-01T00:00:00Z"}"# }
      let link = next.map { #"<https://api.test/gists/public?page=\#($0)>; rel="next""# }
      return .json(
        "[" + items.joined(separator: ",") + "]", headers: link.map { ["Link": $0] } ?? [:])
    }
    stub.on(.get, "/gists/public", page(1...10, next: 2), page(0...9, next: 2))
    stub.on(
      .get, "/gists/public?page=2", .status(502), page(11...12, next: nil),
      page(10...12, next: nil))
    let feed = GistFeed(service)
    await feed.settled()
    feed.willDisplay(4)
    #expect(stub.requests.count == 1 && feed.footer == "")
    feed.willDisplay(5)
    await feed.settled()
    #expect(feed.rows.count == 10 && feed.footer == "The server has a problem.")
    feed.retry()
    await feed.settled()
    #expect(feed.rows.count == 12 && feed.footer == "12 gists")
    #expect(feed.lastUpdated != nil)
    await feed.pullToRefresh()
    #expect(feed.rows.map(\.id) == (0...12).map(String.init))
    #expect(stub.unexpected.isEmpty)
  }

  // MARK: List and detail

  @Test("A user signs in, renames a note in list and detail, and signs out")
  func notes() async throws {
    func ifSignedIn(_ json: String) -> @Sendable (HTTPRequest) -> StubTransport.Response {
      { $0.headers["Authorization"] == "Bearer t" ? .json(json) : .status(401) }
    }
    stub.on(.post, "/session", .text("t"))
    let list = ifSignedIn(#"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#)
    stub.on(.get, "/notes", respond: { list($0) })
    let detail = ifSignedIn(#"{"id": 1, "title": "a"}"#)
    stub.on(.get, "/notes/1", respond: { detail($0) })
    stub.on(.patch, "/notes/1", .status(403), .status(204))
    let app = NotesApp(transport: stub, clock: ManualClock())
    app.notes.loadIfNeeded()
    await app.notes.settled()
    #expect(app.needsSignIn && app.notes.items.isEmpty)

    try await app.signIn("ada", "secret")
    await app.notes.settled()
    #expect(!app.needsSignIn && app.notes.items.map(\.title) == ["a", "b"])
    app.select(app.notes.items[0])
    _ = try await app.selected?.freshContent()
    #expect(app.status.phase == .content)

    app.rename(1, to: "c")
    #expect(app.notes.items[0].title == "c" && app.selected?.content?.title == "c")
    await until { !app.renamings[1].isPending }
    #expect(app.notes.items[0].title == "a" && app.selected?.content?.title == "a")
    app.rename(1, to: "d")
    await until { !app.renamings[1].isPending }
    #expect(app.notes.items[0].title == "d" && app.selected?.content?.title == "d")

    await app.signOut()
    #expect(app.notes.items.isEmpty && app.selected == nil)
    app.notes.loadIfNeeded()
    await app.notes.settled()
    #expect(app.needsSignIn)
    #expect(stub.unexpected.isEmpty)
  }

  // MARK: A server

  @Test("A server asks another server once for what all its clients want")
  func server() async throws {
    let demo = DemoAPI(itemCount: 60, perPage: 20)
    let upstream = try demo.start()
    let stations = Stations(upstream: upstream.url, clock: ManualClock())
    let server = try LoopbackServer { await stations.respond(to: $0) }
    let client = Service(baseURL: server.url.absoluteString, clock: ManualClock())
    let station = client.resource("stations/7", of: Stations.Station.self)
    #expect(try await station.reload().id == 7)
    #expect(try await station.reload().id == 7)
    #expect(upstream.requests.count == 1)
    let rivers = try await client.resource("rivers", of: [String].self).freshContent()
    #expect(rivers.count > 1 && upstream.requests.count == 4)
    await client.resource("stations/1000", of: Stations.Station.self).load().completed()
    let missing = client.resource("stations/1000", of: Stations.Station.self)
    #expect(missing.latestError?.status == 404)
    server.stop()
    upstream.stop()
  }
}
