import Freshet
import FreshetTesting
import Testing

@Suite("The code about whole screens", .standardTimeLimit)
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
    stub.onPages("/products?q=abc", [[Screens.Product(id: 3)]])
    search.search("a")
    let gate = stub.hold(.get, "/products?q=ab")
    search.search("ab")
    try await clock.run(until: { gate.request != nil })
    #expect(stub.count(.get, "/products?q=a") == 0 && search.results == nil)
    search.search("abc")
    try await clock.run(until: { search.results != nil })
    #expect(gate.isCancelled && search.results?.items.map(\.id) == [3])
    let next = stub.hold(.get, "/products?q=abcd")
    search.search("abcd")
    try await clock.run(until: { next.request != nil })
    #expect(search.results?.items.map(\.id) == [3])
    next.release(with: .json("[]"))
    try await clock.run(until: { search.results?.items.isEmpty == true })
    #expect(stub.unexpected.isEmpty)
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
