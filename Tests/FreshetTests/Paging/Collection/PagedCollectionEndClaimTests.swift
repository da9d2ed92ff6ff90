import Freshet
import FreshetTesting
import Testing

@Suite("The claim that a list has ended", .standardTimeLimit)
struct PagedCollectionEndClaimTests {
  @Test(
    "It is not made after a cancelled refresh whose first page names another next page",
    arguments: StoreActor.allCases,
    [PagedCollection<Int>.Options.Publication.asPagesArrive, .whenComplete])
  func cancelledRefresh(
    actor: StoreActor, publication: PagedCollection<Int>.Options.Publication
  ) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]]) { $0.publication = publication }
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      fixture.serve(1, [1], next: "/items?page=9")
      fixture.serve(9, [9], next: "/items?page=2")
      let gate = fixture.stub.hold(.get, "/items?page=9")
      fixture.list.refresh()
      await gate.arrived()
      fixture.list.cancelLoad()
      #expect(!fixture.list.isLoading)
      #expect(fixture.list.state.description == "idle")
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 9, 2])
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "It is not made after a failed refresh whose first page names another next page",
    arguments: StoreActor.allCases)
  func failedRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      fixture.serve(1, [1], next: "/items?page=9")
      fixture.fail(9)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      #expect(fixture.list.state.description != "ended")
    }
  }

  @Test("It is made at neither end where a wipe left no page", arguments: StoreActor.allCases)
  func wipedStart(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      #expect(fixture.list.previousState == .ended)
      fixture.page(2).wipe()
      #expect(fixture.list.previousState == .ended, "page 1 is the first one still")
      fixture.service.wipe()
      #expect(fixture.list.previousState == .idle && fixture.list.state == .idle)
      await fixture.loadAll()
      #expect(fixture.list.previousState == .ended && fixture.list.state == .ended)
    }
  }

  @Test(
    "A cancelled refresh that changed no link leaves it standing", arguments: StoreActor.allCases)
  func unchangedChain(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      fixture.list.cancelLoad()
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "It is not made where a wipe left no page, or not the last one, while a refresh is under way",
    arguments: StoreActor.allCases, [0, 1, 2, 3])
  func wiped(actor: StoreActor, wipedPage: Int) async throws {
    for heldPage in 1...3 {
      // With another page in between, the refresh covers what was shown before the last page.
      for changesLinks in heldPage < 3 ? [false, true] : [false] {
        await actor.run { actor in
          let fixture = PageListFixture([[1], [2], [3]])
          await fixture.loadAll()
          if changesLinks {
            fixture.serve(1, [1], next: "/items?page=9")
            fixture.serve(9, [9], next: "/items?page=2")
          }
          let gate = fixture.stub.hold(.get, "/items?page=\(heldPage)")
          var claims: [String] = []
          fixture.mirror.onEvent = { list, event in
            if case .stateChanged(.ended) = event { claims.append("\(list.pageCount)") }
          }
          fixture.list.refresh()
          await until { gate.request != nil }
          #expect(gate.request != nil, "held \(heldPage), \(changesLinks ? "other" : "same") links")
          if wipedPage == 0 { fixture.service.wipe() } else { fixture.page(wipedPage).wipe() }
          let claim = "held \(heldPage), \(changesLinks ? "other" : "same") links"
          #expect(fixture.list.state.description != "ended", "\(claim)")
          gate.release()
          await until { !fixture.list.isLoading }
          #expect(!fixture.list.isLoading, "\(claim)")
          #expect(
            fixture.list.state.description != "ended" || fixture.list.pageCount > 2,
            "\(claim), later")
          #expect(!claims.contains("0"), "\(claim)")
          await fixture.loadAll()
          #expect(fixture.list.items == (changesLinks ? [1, 9, 2, 3] : [1, 2, 3]), "\(claim)")
          #expect(fixture.list.state.description == "ended", "\(claim)")
          #expect(fixture.mirror.failure == nil)
        }
      }
    }
  }
}
