import Freshet
import FreshetTesting
import Testing

@Suite("More of a list that has ended", .standardTimeLimit)
struct PagedCollectionMoreAfterEndTests {
  /// Loads a list to its end, and asks for more after a time.
  ///
  /// - Parameter change: changes the pages of the server meanwhile.
  private func askForMore(
    of server: PagedServer, after time: Duration, on actor: isolated any Actor = #isolation,
    changing change: @Sendable (inout [[Int]]) -> Void = { _ in }
  ) async -> (list: PagedCollection<Int>, mirror: ListMirror<Int>) {
    let clock = ManualClock()
    let service = server.service(clock: clock)
    let list = server.list(in: service)
    let mirror = ListMirror<Int>()
    list.addObserver(mirror)
    list.loadAll()
    await list.settled()
    server.forget()
    mirror.forget()
    server.change(change)
    clock.advance(by: time)
    list.loadMore()
    await list.settled()
    return (list, mirror)
  }

  @Test(
    "A stale last page is asked whether there is more, and it alone", arguments: StoreActor.allCases
  )
  func nothingNew(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      let (list, mirror) = await askForMore(of: server, after: .seconds(31))
      #expect(server.confirmed == [3] && server.fetched.isEmpty)
      #expect(list.state.description == "ended")
      #expect(list.items == server.items && mirror.changeCount == 0)
      #expect(mirror.failure == nil)
    }
  }

  @Test(
    "The list grows where the last page names another one by then", arguments: StoreActor.allCases)
  func grows(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 3)
      let (list, mirror) = await askForMore(of: server, after: .seconds(31)) {
        $0.append([6, 7])
      }
      #expect(server.fetched == [2, 3] && server.confirmed.isEmpty)
      #expect(list.items == server.items)
      list.loadMore()
      await list.settled()
      #expect(list.state.description == "ended")
      #expect(mirror.failure == nil)
    }
  }

  @Test("The list grows where the last page has become longer", arguments: StoreActor.allCases)
  func longerPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pages: [[0, 1], [2]])
      let (list, mirror) = await askForMore(of: server, after: .seconds(31)) { $0[1] = [2, 3] }
      #expect(server.fetched == [1] && server.confirmed.isEmpty)
      #expect(list.items == [0, 1, 2, 3] && list.state.description == "ended")
      #expect(mirror.failure == nil)
    }
  }

  @Test("A fresh last page is believed", arguments: StoreActor.allCases)
  func fresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 3)
      let (list, _) = await askForMore(of: server, after: .seconds(29))
      #expect(server.fetched.isEmpty && server.confirmed.isEmpty)
      #expect(list.state.description == "ended")
    }
  }
}
