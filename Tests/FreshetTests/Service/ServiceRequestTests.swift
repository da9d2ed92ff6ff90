import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Requests of a service", .standardTimeLimit)
struct ServiceRequestTests {
  private struct Note: Codable, Equatable { var title: String }

  @Test("A path is enough to send any request", arguments: StoreActor.allCases)
  func requests(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.delete, "/notes/1", .status(204))
      fixture.stub.on(.post, "/notes?draft=a%20b", .json(#"{"title": "new"}"#, status: 201))
      fixture.stub.on(.put, "/notes/2", .text("done"))
      try await fixture.service.request(.delete, "notes/1").value()
      let made = try await fixture.service.request(
        .post, "notes", query: ["draft": "a b"], body: .json(["title": "new"]), as: Note.self
      ).value()
      #expect(made == Note(title: "new"))
      let text = try await fixture.service.request(.put, "notes/2", decoder: .text).value()
      #expect(text == "done")
      #expect(fixture.stub.requests.map(\.method) == [.delete, .post, .put])
    }
  }

  @Test(
    "A success invalidates what is stored of its URL, though nothing holds the resource it went through"
  )
  @MainActor func invalidation() async throws {
    let stub = StubTransport()
    stub.on(.get, "/notes/1", .text("one"))
    stub.on(.delete, "/notes/1", .status(204))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      limits: .init(resourceCount: 0, byteCount: 0))
    service.configure { $0.responseFreshness = .init() }
    let note = service.resource("notes/1", of: String.self)
    try await note.freshContent()
    #expect(note.isUpToDate)
    try await service.request(.delete, "notes/1").value()
    #expect(!note.isUpToDate)
  }

  @Test("The resource that it goes through is released with the request")
  @MainActor func release() async throws {
    let stub = StubTransport()
    stub.on(.delete, "/notes/1", .status(204))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      limits: .init(resourceCount: 0, byteCount: 0))
    service.configure { $0.responseFreshness = .init() }
    let request = service.request(.delete, "notes/1")
    #expect(service.resources.count == 1)
    _ = try await request.value()
    #expect(service.resources.isEmpty)
  }

  @Test("A query of pages is made by its path")
  @MainActor func pageQuery() async {
    let stub = StubTransport()
    stub.on(
      .get, "/rows?tag=a", .json("[1, 2]", headers: ["Link": "</rows?tag=a&page=2>; rel=next"]))
    stub.on(.get, "/rows?tag=a&page=2", .json("[3]"))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let numbers = service.pageQuery("rows", query: ["tag": "a"], of: Int.self)
    let values = service.pageQuery("rows?tag=a", of: JSONText.self)
    var items: [Int?] = []
    numbers.itemReceived = { items.append($0) }
    values.itemReceived = { items.append($0.int) }
    for start in [numbers.start, values.start] {
      await withCheckedContinuation { done in
        let ends: (Result<PageCursor, PageQueryError>) -> Void = { result in
          if case .success(.end) = result { done.resume() }
        }
        numbers.pageCompleted = ends
        values.pageCompleted = ends
        start()
      }
    }
    #expect(items == [1, 2, 3, 1, 2, 3])
  }
}
