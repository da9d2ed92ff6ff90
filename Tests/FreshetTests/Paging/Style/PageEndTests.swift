import Freshet
import FreshetTesting
import Testing

@Suite("The end of numbered pages, and loops", .standardTimeLimit)
struct PageEndTests {
  private func numbered(
    _ stub: StubTransport, on actor: isolated any Actor
  ) -> PagedCollection<Int> {
    Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
    )
    .pages("items", style: .pageNumber("page"))
  }

  @Test("404 after the first page ends the list", arguments: StoreActor.allCases)
  func notFound(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[1]"))
      stub.on(.get, "/items?page=2", .status(404))
      let list = numbered(stub, on: actor)
      list.loadAll()
      await list.settled()
      guard case .ended = list.state else { return #expect(Bool(false), "\(list.state)") }
      #expect(list.items == [1])
    }
  }

  @Test("A refresh checks whether there is a page now", arguments: StoreActor.allCases)
  func growth(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[1]"))
      stub.on(.get, "/items?page=2", .status(404), .json("[2]"), .status(404))
      stub.on(.get, "/items?page=3", .status(404))
      let list = numbered(stub, on: actor)
      list.displayedCount = .max
      list.loadIfNeeded()
      await list.settled()
      list.refresh()
      await list.settled()
      #expect(list.items == [1, 2])
      list.refresh()
      await list.settled()
      #expect(list.items == [1])
      guard case .ended = list.state else { return #expect(Bool(false), "\(list.state)") }
    }
  }

  @Test("404 for the first page, and other errors after it, are failures", arguments: [404, 500])
  func failures(status: Int) async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", status == 404 ? .status(404) : .json("[1]"))
      stub.on(.get, "/items?page=2", .status(status))
      let list = numbered(stub, on: actor)
      list.loadAll()
      await list.settled()
      guard case .failed(let error, _) = list.state else {
        return #expect(Bool(false), "\(list.state)")
      }
      #expect(error.status == status)
    }
  }

  @Test("A link back to a recognized first page is a loop at once", arguments: StoreActor.allCases)
  func loop(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[1]", headers: ["Link": "</items?page=2>; rel=next"]))
      stub.on(.get, "/items?page=2", .json("[2]", headers: ["Link": "</items>; rel=next"]))
      let list = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      ).pages(
        "items", of: Int.self)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      guard case .incomplete(let walk) = list.state else {
        return #expect(Bool(false), "\(list.state)")
      }
      #expect(walk.reason == .loop(backTo: 0) && walk.page == 1)
    }
  }

  @Test("A search by POST is a resource by its body", arguments: StoreActor.allCases)
  func post(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.post, "/search", .json("[1]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      func search(_ body: String) throws -> Resource<[Int]> {
        service.resource(
          .post, absoluteURL: "https://api.test/search", body: try JSONText(parsing: body),
          decoder: .json)
      }
      let found = try search(#"{"a": 1, "b": 2}"#)
      #expect(try search(#"{"a":1,"b":2}"#) === found)
      #expect(try search(#"{"b":2,"a":1}"#) !== found)
      found.loadIfNeeded()
      _ = try await found.load().value()
      #expect(found.content == [1])
      #expect(stub.requests.first?.body == found.key.body)
      #expect(stub.requests.first?.headers["Content-Type"] == "application/json")
    }
  }
}
