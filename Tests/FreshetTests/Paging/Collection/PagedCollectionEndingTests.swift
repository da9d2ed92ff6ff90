import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Ends of lists that responses name", .standardTimeLimit)
struct PagedCollectionEndingTests {
  @Test("A list that a 404 has ended is still ended when that page is wiped")
  func wipedMissingPage() async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      stub.on(.get, "/rows", .json("[1]"))
      stub.on(.get, "/rows?page=2", .json("[2]"))
      stub.on(.get, "/rows?page=3", .status(404))
      let list = service.pages("rows", of: Int.self, style: .pageNumber("page"))
      list.loadAll()
      await list.settled()
      #expect(list.state.description == "ended" && list.items == [1, 2] && list.pageCount == 2)
      let missing: Resource<Page<Int>> = service.resource(
        "rows?page=3", decoder: .page(.pageNumber("page")))
      missing.wipe()
      #expect(list.state.description == "ended")
      list.loadMore()
      await list.settled()
      #expect(list.state.description == "ended" && list.items == [1, 2])
    }
  }

  @Test(
    "A page that is refused where all items that the server counts are loaded ends the list",
    arguments: [400, 404, 416, 422, 403], [3, 4])
  func refusedPage(status: Int, total: Int) async throws {
    await StoreActor.mainActor.run { actor in
      for (style, paths) in [
        (PageStyle.pageNumber("page"), ["rows?page=2", "rows?page=3"]),
        (.offset("skip"), ["rows?skip=2", "rows?skip=3"]),
      ] {
        let stub = StubTransport()
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        stub.on(.get, "/rows", .json(#"{"total":\#(total),"items":[1,2]}"#))
        stub.on(.get, "/" + paths[0], .json(#"{"total":\#(total),"items":[3]}"#))
        stub.on(.get, "/" + paths[1], .status(status))
        let list = service.pages("rows", of: Int.self, style: style.items(at: "items"))
        list.loadAll()
        await list.settled()
        #expect(list.items == [1, 2, 3])
        let isEnd = status != 403 && total == 3 || status == 404 && style == .pageNumber("page")
        #expect((list.state.description == "ended") == isEnd, "\(list.state)")
      }
    }
  }

  @Test("A malformed next link of a 304 is an error that names the link", arguments: [false, true])
  func malformedConfirmation(isAuto: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      stub.on(
        .get, "/rows",
        .json("[1]", headers: ["ETag": "\"1\"", "Link": "</rows?p=2>; rel=\"next\""]))
      stub.on(.get, "/rows?p=2", .json("[2]", headers: ["ETag": "\"2\""]))
      let list = service.pages("rows", of: Int.self, style: isAuto ? .auto : .linkHeader)
      list.loadAll()
      await list.settled()
      stub.on(
        .get, "/rows",
        .status(304, headers: ["ETag": "\"1\"", "Link": "</rows?p=3; rel=\"next\""]))
      list.refresh()
      await list.settled()
      guard case .incomplete(let walk) = list.state, case .unusableLink = walk.reason else {
        Issue.record("\(list.state) with \(list.items), \(list.refreshState)")
        return
      }
    }
  }

  @Test("A next link that a 304 brought is kept by the persistent cache")
  func confirmedLinkIsStored() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RelaunchFixture()
      fixture.stub.on(.get, "/rows", .json("[1]", headers: ["ETag": "\"1\""]))
      let list = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.state.description == "ended")
      fixture.stub.on(
        .get, "/rows",
        .status(304, headers: ["ETag": "\"1\"", "Link": "</rows?p=2>; rel=\"next\""]))
      fixture.stub.on(.get, "/rows?p=2", .json("[2]", headers: ["ETag": "\"2\""]))
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      await fixture.cache.writes(atLeast: 3)
      let later = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      later.loadAll()
      await later.settled()
      #expect(later.items == [1, 2] && later.state.description == "ended")
    }
  }

  @Test(
    "Numbers of seconds at their extremes in a failure and in a page",
    arguments: [
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "-1", "0",
      "99999999999999999999999999999999",
    ])
  func seconds(text: String) async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.responseFreshness = .init() }
      stub.on(
        .get, "/rows",
        .json(
          "[1]",
          headers: [
            "Cache-Control": "max-age=\(text), stale-while-revalidate=\(text)", "Age": text,
            "Link": "</rows?p=2>; rel=\"next\"",
          ]))
      stub.on(.get, "/rows?p=2", .status(429, headers: ["Retry-After": text]))
      let list = service.pages("rows", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.state.description == "failed(page 1, rateLimited)")
      _ = list.state.nextAttemptDate
      list.loadIfNeeded()
      list.retry()
      await list.settled()
      list.refresh()
      await list.settled()
      #expect(list.items == [1])
    }
  }
}
