import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about exports", .standardTimeLimit)
@MainActor
struct ExportTests {
  private let stub = StubTransport()
  private let clock = ManualClock()
  private let lists: Lists
  private let service: Service

  init() {
    service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    lists = Lists(service)
    for page in 1...3 {
      stub.on(.get, page == 1 ? "/rows" : "/rows?page=\(page)", Self.rows(page))
    }
  }

  private static func rows(_ page: Int) -> StubTransport.Response {
    let next = page < 3 ? "\"/rows?page=\(page + 1)\"" : "null"
    return .json(#"{"results": [{"key": "\#(page)"}], "count": 3, "next": \#(next)}"#)
  }

  @Test("An export continues where it failed, shows its progress, and loads nothing after the end")
  func completion() async throws {
    stub.on(.get, "/rows?page=2", .status(500))
    await #expect(throws: PageQueryError.self) { try await lists.exportRows() }
    #expect(lists.archive.map(\.key) == ["1"] && lists.progress == ["1 of 3"])
    guard case .next = lists.stored else {
      Issue.record("\(lists.stored)")
      return
    }
    stub.on(.get, "/rows?page=2", Self.rows(2))
    clock.advance(by: .seconds(2))
    try await lists.exportRows()
    #expect(lists.archive.map(\.key) == ["1", "2", "3"] && lists.stored == .end)
    #expect(lists.progress == ["1 of 3", "2 of 3", "3 of 3"])
    stub.forgetRequests()
    clock.advance(by: .seconds(60))
    try await lists.exportRows()
    #expect(lists.archive.count == 3 && stub.requests.isEmpty)
  }

  @Test("An export whose task is cancelled stops, and continues later")
  func cancellation() async throws {
    let gate = stub.hold(.get, "/rows?page=2")
    let export = Task { try await lists.exportRows() }
    await gate.arrived()
    export.cancel()
    await #expect(throws: CancellationError.self) { try await export.value }
    await gate.cancelled()
    #expect(lists.archive.map(\.key) == ["1"])
    try await lists.exportRows()
    #expect(lists.archive.map(\.key) == ["1", "2", "3"])
  }

  @Test("A task that is cancelled ends the query that it runs")
  func run() async {
    let gate = stub.hold(.get, "/rows")
    let query = service.pageQuery("rows", of: Lists.Row.self)
    let task = Task { await lists.run(query) }
    await gate.arrived()
    task.cancel()
    await task.value
    #expect(!query.isLoading && query.latestError == nil)
    await gate.cancelled()
  }
}
