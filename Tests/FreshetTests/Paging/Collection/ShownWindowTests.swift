import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A window and a refresh whose changes are not shown", .standardTimeLimit)
struct ShownWindowTests {
  private static func page(_ items: [Int], next: String?) -> StubTransport.Response {
    .json(
      "[\(items.map(String.init).joined(separator: ","))]",
      headers: ["X-Total-Count": "8", "Link": next.map { "<\($0)>; rel=\"next\"" } ?? ""])
  }

  private func fixture(_ actor: isolated any Actor = #isolation) async -> PageListFixture {
    let fixture = PageListFixture([]) {
      $0.publication = .whenComplete
      $0.retainedPageLimit = 2
    }
    for page in 1...4 {
      fixture.stub.on(
        .get, "/items?page=\(page)",
        Self.page([page * 2 - 1, page * 2], next: page < 4 ? "/items?page=\(page + 1)" : nil))
    }
    await fixture.loadAll()
    #expect(fixture.list.items == [5, 6, 7, 8])
    #expect(
      fixture.list.placeholderCounts?.before == 4 && fixture.list.placeholderCounts?.after == 0)
    #expect(fixture.list.hasPreviousPage && fixture.list.firstItemIndex == 4)
    return fixture
  }

  @Test("Placeholders belong to the items that are shown where an expired chain is begun again")
  func expired() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await fixture()
      fixture.stub.on(.get, "/items?page=3", .status(410))
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [5, 6, 7, 8] && fixture.list.firstItemIndex == 4)
      #expect(
        fixture.list.placeholderCounts?.before == 4,
        "\(String(describing: fixture.list.placeholderCounts))")
      #expect(fixture.list.hasPreviousPage)
      gate.release()
      await fixture.list.settled()
    }
  }

  @Test("Placeholders belong to the items that are shown where the window moves on")
  func moved() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await fixture()
      fixture.stub.on(.get, "/items?page=3", Self.page([5, 6], next: "/items?page=30"))
      fixture.stub.on(.get, "/items?page=30", Self.page([50], next: "/items?page=31"))
      fixture.stub.on(.get, "/items?page=31", Self.page([], next: "/items?page=32"))
      fixture.stub.on(.get, "/items?page=32", Self.page([7, 8], next: nil))
      let gate = fixture.stub.hold(.get, "/items?page=32")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [5, 6, 7, 8] && fixture.list.firstItemIndex == 4)
      #expect(
        fixture.list.placeholderCounts?.before == 4,
        "\(String(describing: fixture.list.placeholderCounts))")
      gate.release()
      await fixture.list.settled()
    }
  }

  @Test("The states at both ends are those of the shown pages where the window moves on")
  func states() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4]]) {
        $0.publication = .whenComplete
        $0.retainedPageLimit = 2
      }
      let list = fixture.list
      await fixture.loadAll()
      fixture.serve([[1], [2], [3], [4], [5], [6]])
      let gate = fixture.stub.hold(.get, "/items?page=4")
      list.refresh()
      await gate.arrived()
      #expect(list.items == [1, 2, 3, 4] && list.isEnded && list.previousState == .ended)
      #expect(fixture.mirror.states.isEmpty && fixture.mirror.previousStates.isEmpty)
      gate.release()
      await list.settled()
      #expect(list.items == [3, 4] && list.state == .idle && list.previousState == .idle)
      #expect(fixture.mirror.previousStates == ["idle"])
    }
  }

  @Test("So they are where an expired chain is begun again", arguments: [false, true])
  func statesOfExpired(fails: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.publication = .whenComplete }
      let list = fixture.list
      await fixture.loadAll()
      fixture.stub.on(.get, "/items?page=2", .status(410))
      let second = fixture.stub.hold(.get, "/items?page=2")
      list.refresh()
      await second.arrived()
      let first = fixture.stub.hold(.get, "/items?page=1")
      second.release()
      await first.arrived()
      #expect(list.items == [1, 2, 3] && list.isEnded && list.previousState == .ended)
      if fails { first.release(with: .status(500)) } else { first.release() }
      await list.settled()
      #expect(list.previousState == .ended && list.inconsistencyAtStart == nil)
      #expect(fixture.mirror.previousStates.isEmpty)
    }
  }

  @Test("A list that shows no pages yet begins nowhere")
  func withoutPages() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2]]) {
        $0.publication = .whenComplete
        $0.concurrentLoads = 2
      }
      let list = fixture.list
      fixture.fail(1)
      list.loadIfNeeded()
      await list.settled()
      fixture.serve([[1], [2]])
      fixture.clock.advance(by: .seconds(2))
      list.displayedCount = 2
      let gate = fixture.stub.hold(.get, "/items?page=2")
      list.refresh()
      list.loadPreviousPage()
      await gate.arrived()
      #expect(list.pageCount == 0 && list.previousState != .ended)
      gate.release()
      await list.settled()
      #expect(list.items == [1, 2] && list.previousState == .ended)
    }
  }
}
