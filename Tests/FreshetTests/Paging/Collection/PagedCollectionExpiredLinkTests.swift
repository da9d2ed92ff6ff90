import Freshet
import FreshetTesting
import Testing

/// Tags of the rows alone: the server confirms a page (304) whose link has expired, without another one.
@Suite("A server that confirms pages whose links have expired", .standardTimeLimit)
struct PagedCollectionExpiredLinkTests {
  private static func server(_ style: RowServer.Style, status: Int = 410) -> RowServer {
    RowServer(
      Array(1...6), style: style, sendsTags: true, confirmsExpiredLinks: true,
      statusOfExpired: status)
  }

  @Test(
    "Each refresh begins the list again with a first page that is not confirmed",
    arguments: RowServer.Style.allCases, [1, 4])
  func refreshes(style: RowServer.Style, concurrentLoads: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(style)) { $0.concurrentLoads = concurrentLoads }
      await fixture.loadAll()
      for row in 7...9 {
        fixture.server.expireCursors()
        fixture.server.rows.append(row)
        await fixture.refresh()
        await fixture.loadAll()
        #expect(fixture.list.refreshState.description == "idle")
        #expect(fixture.list.state.description == "ended")
        #expect(fixture.list.items == fixture.server.rows)
      }
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A refresh after one that began the list again in vain asks for confirmations as before")
  func refreshesAfterFailure() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(.linkHeader))
      let (list, server) = (fixture.list, fixture.server)
      await fixture.loadAll()
      // The link to the second page expires as soon as the first page has come.
      let token = list.addPageObserver(owner: list) { list, page, event in
        if case .newData(.network) = event, page === list.firstPage { server.expireCursors() }
      }
      server.expireCursors()
      await fixture.refresh()
      #expect(list.latestError?.status == 410)
      token.cancel()
      fixture.stub.forgetRequests()
      await fixture.refresh()
      #expect(fixture.stub.requests.first?.headers["If-None-Match"] != nil)
      #expect(list.refreshState == .idle && list.items == server.rows)
    }
  }

  @Test("A refresh without expired cursors confirms all pages", arguments: RowServer.Style.allCases)
  func confirms(style: RowServer.Style) async throws {
    guard style != .bodyCursor else { return }
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(style))
      await fixture.loadAll()
      fixture.stub.forgetRequests()
      await fixture.refresh()
      #expect(fixture.stub.requests.count == 3)
      let areConditional = fixture.stub.requests.allSatisfy { $0.headers["If-None-Match"] != nil }
      #expect(areConditional)
    }
  }

  @Test(
    "A cursor that expires while the list is displayed begins it again", arguments: [400, 404, 410])
  func displayed(status: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(.linkHeader, status: status))
      await fixture.loadIfNeeded()
      fixture.server.expireCursors()
      fixture.clock.advance(by: .seconds(31))
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.list.items == fixture.server.rows)
    }
  }

  @Test(
    "An iteration of a window continues where a cursor expires, and the list begins again",
    arguments: RowServer.Style.allCases)
  func iteration(style: RowServer.Style) async throws {
    try await StoreActor.mainActor.run { actor in
      let server = RowServer(Array(1...10), style: style, statusOfExpired: 410)
      let fixture = RowListFixture(server) { $0.retainedPageLimit = 2 }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence {
        items.append(item)
        if item == 6 { server.expireCursors() }
      }
      #expect(items == server.rows)
      #expect(fixture.list.state == .ended && fixture.mirror.failure == nil)
    }
  }

  @Test("A list whose items are kept does not begin again before it is refreshed")
  func kept() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(.linkHeader))
      await fixture.loadIfNeeded()
      fixture.list.keepItems()
      fixture.server.expireCursors()
      for _ in 0..<2 {
        await fixture.loadAll()
        #expect(fixture.list.items == [1, 2])
        #expect(fixture.list.latestError?.status == 410)
      }
      await fixture.refresh()
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.list.items == fixture.server.rows)
    }
  }

  @Test("Pages of the persistent cache too, in each launch", arguments: RowServer.Style.allCases)
  func launches(style: RowServer.Style) async throws {
    await StoreActor.mainActor.run { actor in
      let server = Self.server(style)
      let fixture = RelaunchFixture(StubTransport { server.respond(to: $0) })
      for launch in 1...3 {
        let service = fixture.launch()
        let list = server.list(in: service)
        list.loadAll()
        await list.settled()
        #expect(list.state.description == "ended", "launch \(launch)")
        #expect(list.items == server.rows)
        await service.flushCache()
        server.expireCursors()
        fixture.clock.advance(by: .seconds(3600))
      }
    }
  }

  @Test("The confirmed page whose link has expired may be any page, not only the first")
  func middle() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(Self.server(.linkHeader))
      await fixture.loadAll()
      // The link to page 2 stays, and that to page 3 does not.
      fixture.server.expireCursors(from: 4)
      await fixture.refresh()
      await fixture.loadAll()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.list.items == fixture.server.rows)
    }
  }
}
