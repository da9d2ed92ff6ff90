import Freshet
import FreshetTesting
import Testing

@Suite("The code about whole programs", .standardTimeLimit)
@MainActor
struct ScreenSnippetTests {
  private typealias Message = Screens.Message
  private typealias User = Screens.User

  private let stub = StubTransport()
  private let clock = ManualClock()
  private let service: Service

  init() {
    service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
  }

  @Test("A chat begins at a stored page, and loads both ways")
  func chat() async throws {
    for page in 1...3 {
      let links = [page > 1 ? (page - 1, "prev") : nil, page < 3 ? (page + 1, "next") : nil]
      let header = links.compactMap(\.self).map { "</messages?page=\($0.0)>; rel=\"\($0.1)\"" }
      let target = page == 1 ? "/messages" : "/messages?page=\(page)"
      let response = StubTransport.Response.json(
        encoding: [Message(id: page)], headers: ["Link": header.joined(separator: ", ")])
      stub.on(.get, target, response)
      if page == 1 { stub.on(.get, target + "?page=1", response) }
    }
    let messages = service.pages("messages", of: Message.self)
    messages.loadAll()
    await messages.settled()
    let resumed = try Screens.resumed(messages, at: 1, in: service)
    resumed.loadIfNeeded()
    await resumed.settled()
    #expect(resumed.items.map(\.id) == [2] && resumed.previousState == .idle)
    resumed.itemShown(at: 0)
    await resumed.settled()
    #expect(resumed.items.map(\.id) == [1, 2, 3] && resumed.previousState == .ended)
    #expect(stub.unexpected.isEmpty)
  }

  @Test("A search waits for a pause, cancels the one before, and keeps its results until then")
  func search() async throws {
    let search = Screens.ProductSearch(service, clock: clock)
    search.search("a")
    let older = stub.hold(.get, "/products?q=ab")
    search.search("ab")
    await clock.advanceToNextTimer()
    await older.arrived()
    #expect(stub.count(.get, "/products?q=a") == 0 && search.results == nil)
    stub.onPages("/products?q=abc", [[Screens.Product(id: 3)]])
    search.search("abc")
    await older.cancelled()
    await clock.advanceToNextTimer()
    await until { search.results != nil }
    #expect(search.results?.items.map(\.id) == [3])
    let newer = stub.hold(.get, "/products?q=abcd")
    search.search("abcd")
    await clock.advanceToNextTimer()
    await newer.arrived()
    #expect(search.results?.items.map(\.id) == [3])
    newer.release(with: .json("[]"))
    await until { search.results?.items.isEmpty == true }
    #expect(stub.unexpected.isEmpty)
  }

  @Test(
    "A copy has all of a list, also where it has grown, and older items never stand for new ones")
  func copy() async throws {
    typealias Gist = Screens.Gist
    let gists = service.pages("gists", of: Gist.self)
    stub.onPages("/gists", [[Gist(id: 1)], [Gist(id: 2)]])
    #expect(try await Screens.copy(of: gists).map(\.id) == [1, 2])
    for target in ["/gists", "/gists?page=2"] {
      stub.on(.get, target, .status(500))
      await #expect(throws: ResourceError.self) { try await Screens.copy(of: gists) }
      #expect(gists.isEnded && gists.items.count == 2)
      clock.advance(by: .seconds(2))
      stub.onPages("/gists", [[Gist(id: 1)], [Gist(id: 2)], [Gist(id: 3)]])
      if target == "/gists" { stub.on(.get, "/gists?page=2", .page(encoding: [Gist(id: 2)])) }
      _ = try await Screens.copy(of: gists)
    }
    #expect(try await Screens.copy(of: gists).map(\.id) == [1, 2, 3])
    let count = stub.requests.count
    #expect(try await Screens.all(service).map(\.id) == [1, 2, 3])
    #expect(try await Screens.oneCall(service).map(\.id) == [1, 2, 3])
    #expect(stub.requests.count == count)
  }

  @Test("A table says which page it shows, and a row is removed at once")
  func table() async throws {
    let table = Screens.Table(service)
    let total: HTTPHeaders = ["X-Total-Pages": "31"]
    let target = "/users?page=1&per_page=25&sort=name"
    let users = [User(id: 1, name: "Ada"), User(id: 2, name: "Grace")]
    stub.on(.get, target, .json(encoding: users, headers: total))
    let list = try await table.sort(by: "name")
    #expect(table.rows == users && table.label == "page 1 of 31")
    stub.on(.delete, "/users/1", .status(409), .status(204))
    table.remove(1, from: list)
    #expect(list.items.map(\.id) == [2])
    await table.removal.settled()
    #expect(list.items.map(\.id) == [1, 2])
    stub.on(.get, target, .json(encoding: [users[1]], headers: total))
    table.remove(1, from: list)
    await table.removal.settled()
    await list.settled()
    #expect(list.items.map(\.id) == [2] && stub.count(.get, target) == 2)
  }
}
