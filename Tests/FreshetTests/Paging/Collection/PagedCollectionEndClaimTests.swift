import Freshet
import FreshetTesting
import Testing

@Suite("The claim that a list has ended")
struct PagedCollectionEndClaimTests {
  @Test(
    "It is not made after a cancelled refresh whose first page names another next page",
    arguments: Home.allCases,
    [PagedCollection<Int>.Options.Publication.asPagesArrive, .whenComplete])
  func cancelledRefresh(
    home: Home, publication: PagedCollection<Int>.Options.Publication
  ) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]]) { $0.publication = publication }
      await scene.loadAll()
      #expect(scene.list.state.description == "ended")
      scene.serve(1, [1], next: "/items?page=9")
      scene.serve(9, [9], next: "/items?page=2")
      let gate = scene.stub.hold(.get, "/items?page=9")
      scene.list.refresh()
      await gate.arrived()
      scene.list.cancelLoad()
      #expect(!scene.list.isLoading)
      #expect(scene.list.state.description == "idle")
      await scene.loadAll()
      #expect(scene.list.items == [1, 9, 2])
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "It is not made after a failed refresh whose first page names another next page",
    arguments: Home.allCases)
  func failedRefresh(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      scene.serve(1, [1], next: "/items?page=9")
      scene.fail(9)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.refreshState.description == "failed(page 2, http)")
      #expect(scene.list.state.description != "ended")
    }
  }

  @Test("A cancelled refresh that changed no link leaves it standing", arguments: Home.allCases)
  func unchangedChain(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.refresh()
      await gate.arrived()
      scene.list.cancelLoad()
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test(
    "It is not made where a wipe left no page, or not the last one, while a refresh is under way",
    arguments: Home.allCases, [0, 1, 2, 3])
  func wiped(home: Home, wipedPage: Int) async throws {
    for heldPage in 1...3 {
      // With another page in between, the refresh covers what was shown before the last page.
      for changesLinks in heldPage < 3 ? [false, true] : [false] {
        await home.run { home in
          let scene = PageListScene([[1], [2], [3]])
          await scene.loadAll()
          if changesLinks {
            scene.serve(1, [1], next: "/items?page=9")
            scene.serve(9, [9], next: "/items?page=2")
          }
          let gate = scene.stub.hold(.get, "/items?page=\(heldPage)")
          var claims: [String] = []
          scene.mirror.onEvent = { list, event in
            if case .stateChanged(.ended) = event { claims.append("\(list.pageCount)") }
          }
          scene.list.refresh()
          await until { gate.request != nil }
          #expect(gate.request != nil, "held \(heldPage), \(changesLinks ? "other" : "same") links")
          if wipedPage == 0 { scene.service.wipe() } else { scene.page(wipedPage).wipe() }
          let claim = "held \(heldPage), \(changesLinks ? "other" : "same") links"
          #expect(scene.list.state.description != "ended", "\(claim)")
          gate.release()
          await until { !scene.list.isLoading }
          #expect(!scene.list.isLoading, "\(claim)")
          #expect(
            scene.list.state.description != "ended" || scene.list.pageCount > 2, "\(claim), later")
          #expect(!claims.contains("0"), "\(claim)")
          await scene.loadAll()
          #expect(scene.list.items == (changesLinks ? [1, 9, 2, 3] : [1, 2, 3]), "\(claim)")
          #expect(scene.list.state.description == "ended", "\(claim)")
          #expect(scene.mirror.failure == nil)
        }
      }
    }
  }
}
