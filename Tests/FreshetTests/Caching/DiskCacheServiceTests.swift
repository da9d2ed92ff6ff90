import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A list from the files of an earlier process", .standardTimeLimit)
struct DiskCacheServiceTests {
  private static let pageCount = 25
  private let folder = TemporaryFolder()
  private let clock = ManualClock()

  /// A server whose pages have entity tags; it confirms what it knows.
  private func server(changed: Int? = nil) -> StubTransport {
    let stub = StubTransport()
    stub.onUnexpected { Issue.record("\($0)") }
    for page in 0..<Self.pageCount {
      let version = page == changed ? 2 : 1
      stub.on(.get, "/items?page=\(page)") { request in
        var headers: HTTPHeaders = ["ETag": "\"\(page)-\(version)\""]
        if page + 1 < Self.pageCount { headers["Link"] = "</items?page=\(page + 1)>; rel=next" }
        if request.headers["If-None-Match"] == headers["ETag"] {
          return .status(304, headers: headers)
        }
        return .json("[\(version * 1_000 + page)]", headers: headers)
      }
    }
    return stub
  }

  /// As a new process: nothing but the folder is shared.
  private func launch(
    _ stub: StubTransport, isolation: isolated any Actor = #isolation
  ) -> (Service, PagedCollection<Int>) {
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    let cache = DiskCache(directory: folder.url)
    service.configure {
      $0.cache = cache
      $0.freshnessLifetime = .seconds(3_600)
      $0.log = { if $0.category == .cacheFailure { Issue.record("\($0)") } }
    }
    return (service, service.pages("/items?page=0", of: Int.self, style: .linkHeader))
  }

  @Test(
    "A whole chain is shown before the first request, and then revalidated",
    arguments: StoreActor.allCases)
  func chain(actor: StoreActor) async {
    await actor.run { actor in
      let first = launch(server())
      first.1.loadAll()
      await first.1.settled()
      await first.0.flushCache()
      #expect(folder.names.count == Self.pageCount)

      let stub = server(changed: 7)
      let (service, list) = launch(stub)
      let recorder = EventRecorder()
      list.firstPage.addObserver(recorder)
      recorder.drain()
      list.loadAll()
      await list.settled()
      #expect(Array(list.items) == Array(first.1.items) && list.items.count == Self.pageCount)
      #expect(recorder.events == [.newData(.cache)])
      #expect(stub.requests.isEmpty)

      list.refresh()
      await list.settled()
      #expect(stub.requests.count == Self.pageCount)
      #expect(stub.requests.allSatisfy { $0.headers["If-None-Match"] != nil })
      #expect(recorder.events == [.newData(.cache), .requested, .notModified])
      #expect(list.items[7] == 2_007 && list.items.count(where: { $0 < 2_000 }) == 24)

      // What the refresh has brought is what the next process shows.
      await service.flushCache()
      let (_, third) = launch(StubTransport())
      third.loadAll()
      await third.settled()
      #expect(Array(third.items) == Array(list.items))
    }
  }

  @Test("A wipe of a page, and of all, leaves nothing", arguments: StoreActor.allCases)
  func wipe(actor: StoreActor) async {
    await actor.run { actor in
      let (service, list) = launch(server())
      list.loadAll()
      await list.settled()
      list.pages[3].wipe()
      await service.flushCache()
      #expect(folder.names.count == Self.pageCount - 1)
      service.wipe()
      await service.flushCache()
      #expect(folder.names == [])
    }
  }
}
