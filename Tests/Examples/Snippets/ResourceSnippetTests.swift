import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about resources, requests and transports", .standardTimeLimit)
@MainActor
struct ResourceSnippetTests {
  typealias Gist = Resources.Gist

  private let stub = StubTransport()
  private let service: Service
  private let model: Resources

  init() {
    service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    model = Resources(service)
    stub.on(.get, "/profile", .json(#"{"name": "Ada"}"#), .json(#"{"name": "Grace"}"#))
    stub.on(.get, "/gists/1", .json(encoding: Gist(id: 1, title: "a", isStarred: false)))
  }

  // MARK: Reading and observing

  @Test("A resource says what its data and its error are, and whether it loads")
  func threeQuestions() async throws {
    let profile = service.resource("profile", of: Resources.Profile.self)
    #expect(model.threeQuestions().suffix(3) == ["nil", "nil", "true"])
    await profile.settled()
    #expect(model.shown.count == 3)
    #expect(model.threeQuestions().suffix(3) == [#"Profile(name: "Ada")"#, "nil", "false"])
  }

  @Test("A query is percent-encoded, and a key names a file")
  func urls() {
    let found = model.found(on: "2")
    #expect(found.url?.absoluteString == "https://api.test/search?page=2&q=a%20%26%20b")
    let folder = URL(filePath: "/caches")
    #expect(model.file(of: found, in: folder).path() == "/caches/\(found.key.digest)")
  }

  @Test("Observers receive each content, and sequences too")
  func observing() async throws {
    let gist = service.resource("gists/1", of: Gist.self)
    let profile = service.resource("profile", of: Resources.Profile.self)
    model.followTitle(of: gist)
    model.followName(of: profile)
    let tasks = [
      Task { await model.logEvents(of: gist) }, Task { await model.showProfiles() },
    ]
    _ = try await (gist.freshContent(), profile.freshContent())
    #expect(model.title == "a" && model.label.text == "Ada")
    while !model.shown.contains("Ada") || !model.shown.contains("newData(network)") {
      await Task.yield()
    }
    for task in tasks {
      task.cancel()
      await task.value
    }
  }

  // MARK: Requests and changes

  @Test("A request reports its end, and another one follows it")
  func requests() async throws {
    let profile = service.resource("profile", of: Resources.Profile.self)
    stub.on(.put, "/profile", .json(#"{"name": "Edsger"}"#))
    #expect(try await model.requests(profile, .init(name: "Edsger")).name == "Edsger")
    await profile.settled()
    stub.on(.post, "/login", .json(#"{"token": "t"}"#))
    let login = service.resource("login", decoder: .noContent)
    let request = model.logIn(login, ["user": "ada"], profile)
    #expect(try await request.value().name == "Grace")
  }

  @Test("An item is created and removed without a resource of its own")
  func createAndRemove() async throws {
    stub.on(.post, "/gists", .json(#"{"id": 2, "title": "b", "isStarred": false}"#, status: 201))
    #expect(try await model.create(["title": "b"]).id == 2)
    stub.on(.delete, "/gists/1", .status(204))
    stub.on(.get, "/gists", .json("[]"))
    let gists = service.pages("gists", of: Gist.self)
    model.remove(from: gists)
    await until { gists.state == .ended }
    #expect(stub.count(.delete, "/gists/1") == 1)
  }

  @Test("A title is changed at once, and rolled back where the server refuses it")
  func rename() async throws {
    stub.on(.patch, "/gists/1", .status(204), .status(409))
    let gist = service.resource("gists/1", of: Gist.self)
    _ = try await gist.freshContent()
    model.rename(gist, to: "b")
    #expect(gist.content?.title == "b")
    while gist.content?.title == "b" { _ = try await gist.reload() }
    model.rename(gist, to: "c")
    #expect(gist.content?.title == "c")
    await until { gist.content?.title == "a" }
  }

  @Test("A star is pending, and shown in the list and in the detail")
  func star() async throws {
    stub.on(.put, "/gists/1/star", .status(204))
    stub.onPages("/gists", [[Gist(id: 1, title: "a", isStarred: false)]])
    let gist = service.resource("gists/1", of: Gist.self)
    let gists = service.pages("gists", of: Gist.self)
    _ = try await gist.freshContent()
    await gists.refreshAndWait()
    let starred = service.resource("gists/starred", of: String.self)
    stub.on(.get, "/gists/starred", .text("none"))
    _ = try await starred.freshContent()
    #expect(model.star(gist, in: gists, id: 1).suffix(2) == ["true", "nil"])
    #expect(gist.content?.isStarred == true && gists.items[0].isStarred)
    await until { !starred.isUpToDate }
    #expect(gist.content?.isStarred == true && gists.items[0].isStarred)
  }

  // MARK: Decoders and transports

  @Test("A decoder reads what is not JSON, and JSON in its own way")
  func decoders() async throws {
    stub.on(.get, "/export", .text("a,b\nc,d", headers: ["Content-Type": "text/csv"]))
    stub.onPages("/stations", [[["id": 17]], [["id": 18]]])
    stub.on(.get, "/stations/17", .json(#"{"id": 17}"#))
    let snippets = Performing(service: service)
    #expect(try await snippets.rows().freshContent().map(\.fields) == [["a", "b"], ["c", "d"]])
    #expect(try await snippets.station().freshContent().id == 17)
    let stations = snippets.stations()
    stations.loadAll()
    await stations.settled()
    #expect(stations.items.map(\.id) == [17, 18])
  }

  @Test("A transport sends a request, and returns the response")
  func transport() async throws {
    let server = try LoopbackServer { _ in .json("[1, 2]") }
    let response = try await Transports.send(to: server.url)
    #expect(response.status == 200 && response.body == Data("[1, 2]".utf8))
  }
}
