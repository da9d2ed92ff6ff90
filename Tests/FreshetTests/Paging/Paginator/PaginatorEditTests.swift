import Freshet
import FreshetTesting
import Testing

@Suite("Rows of numbered pages that are edited", .standardTimeLimit)
struct PaginatorEditTests {
  private struct User: Codable, Identifiable, Equatable {
    let id: Int
    var name: String
  }

  private let stub = StubTransport()
  private let clock = ManualClock()

  /// Two pages with two users each; the first user of the second one is on the first page too.
  private func table(
    isolation: isolated any Actor
  ) async throws -> Paginator<User> {
    stub.onUnexpected { Issue.record("\($0)") }
    let total: HTTPHeaders = ["X-Total-Count": "4"]
    stub.on(.get, "/users?page=1&size=2", .json(encoding: users([1, 2]), headers: total))
    stub.on(.get, "/users?page=2&size=2", .json(encoding: users([2, 3]), headers: total))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: isolation)
    let table = service.paginator(
      "users?page=:currentPage&size=:perPage", of: User.self, options: .init(perPage: 2))
    for page in [1, 2] {
      try table.loadPage(page)
      await table.settled()
    }
    return table
  }

  private func users(_ ids: [Int]) -> [User] { ids.map { User(id: $0, name: "\($0)") } }

  @Test(
    "An update is in every page that has the row, and ends in all", arguments: StoreActor.allCases)
  func update(actor: StoreActor) async throws {
    try await actor.run { actor in
      let table = try await table(isolation: actor)
      let recorder = PaginatorRecorder<User>()
      table.addObserver(recorder)
      recorder.drain()
      let edit = try #require(table.update(id: 2) { $0.name = "two" })
      #expect(table.slots.map { $0.item?.name } == ["1", "two", "two", "3"])
      #expect(table.items.map(\.name) == ["two", "3"])
      try table.refresh()
      await table.settled()
      #expect(table.items.map(\.name) == ["two", "3"], "it survives a load")
      edit.rollBack()
      #expect(table.slots.map { $0.item?.name } == ["1", "2", "2", "3"])
      table.update(id: 2) { $0.name = "zwei" }?.commit()
      #expect(table.slots.map { $0.item?.name } == ["1", "zwei", "zwei", "3"])
      #expect(table.update(id: 9) { $0.name = "" } == nil)
      #expect(recorder.lines.count { $0 == "slotsChanged" } >= 6)
    }
  }

  @Test("A removed row comes back when the server refuses", arguments: StoreActor.allCases)
  func remove(actor: StoreActor) async throws {
    try await actor.run { actor in
      let table = try await table(isolation: actor)
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: actor)
      let removal = Mutation<NoContent>()
      stub.on(.delete, "/users/3", .status(403), .status(204))
      removal.begin(service.request(.delete, "users/3"), edits: [table.remove(id: 3)])
      #expect(table.items.map(\.id) == [2] && table.totalCount == 4)
      await removal.settled()
      #expect(table.items.map(\.id) == [2, 3])
      removal.begin(service.request(.delete, "users/3"), edits: [table.remove(id: 3)])
      await removal.settled()
      #expect(table.items.map(\.id) == [2])
      #expect(table.remove(id: 3) == nil)
    }
  }
}
