import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A list of linked pages whose third is under way, while the first is stale and the second was edited:
/// the walk is sent back to the first.
private struct SentBackFixture: HeldListFixture {
  let requests: HeldRequests
  let service: Service
  let list: PagedCollection<Int>

  init(isolation: isolated any Actor = #isolation) async {
    let requests = HeldRequests { request in
      let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      return HTTPResponse(
        status: 200,
        headers: [
          "Content-Type": "application/json", "Link": "</rows?page=\(page + 1)>; rel=\"next\"",
        ], body: Data("[\(page)]".utf8), url: request.url)
    }
    let stub = StubTransport { try await requests.respond(to: $0) }
    self.requests = requests
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    list = service.pages("rows?page=1", of: Int.self, style: .linkHeader)
    list.loadAll()
    await respond(to: "page=1")
    await respond(to: "page=2")
    list.pages[0].invalidate()
    list.pages[1].updateContent { $0.items = [22] }
  }
}

@Suite("A walk that is sent back while it waits for a page", .standardTimeLimit)
struct SentBackWalkTests {
  @Test("No second request begins where one at a time is allowed", arguments: StoreActor.allCases)
  func limit(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = await SentBackFixture()
      #expect(await fixture.inFlight() == 1)
      #expect(fixture.list.list.loads.count == 1)
      await fixture.respond(to: "page=3")
      #expect(await fixture.inFlight() == 1)
      await fixture.respond(to: "page=1")
      #expect(fixture.list.items.starts(with: [1, 22, 3]))
    }
  }

  @Test("To cancel the loads of the list cancels that of the page", arguments: StoreActor.allCases)
  func cancel(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = await SentBackFixture()
      fixture.list.cancelLoad()
      #expect(!fixture.list.isLoading)
      #expect(await fixture.inFlight() == 0)
    }
  }

  @Test(
    "A list is loading while a page that it wants is under way", arguments: StoreActor.allCases)
  func state(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = await SentBackFixture()
      fixture.list.pages[0].cancelLoad()
      #expect(fixture.list.isLoading)
      #expect(await fixture.inFlight() == 1)
    }
  }
}
