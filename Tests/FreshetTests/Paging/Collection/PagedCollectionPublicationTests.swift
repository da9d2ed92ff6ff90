import Freshet
import FreshetTesting
import Testing

@Suite("What a list says of itself before it shows a refresh", .standardTimeLimit)
struct PagedCollectionPublicationTests {
  /// Serves pages with a total.
  private func serve(_ pages: [[Int]], total: Int, in fixture: PageListFixture) {
    for (index, items) in pages.enumerated() {
      let link = index + 1 < pages.count ? "</items?page=\(index + 2)>; rel=\"next\"" : ""
      fixture.stub.on(
        .get, "/items?page=\(index + 1)",
        .json(
          "[\(items.map(String.init).joined(separator: ","))]",
          headers: ["X-Total-Count": "\(total)", "Link": link]))
    }
  }

  @Test(
    "A failed refresh that the list resumes shows what follows once it is complete",
    arguments: StoreActor.allCases)
  func resumed(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]]) { $0.publication = .whenComplete }
      await fixture.loadAll()
      fixture.fail(2)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.serve([[1], [20], [30], [40]])
      let gate = fixture.stub.hold(.get, "/items?page=4")
      fixture.clock.advance(by: .seconds(2))
      fixture.mirror.forget()
      fixture.list.loadIfNeeded()
      await gate.arrived()
      #expect(fixture.list.items == [1, 20, 3, 4])
      #expect(fixture.mirror.copy == fixture.list.items && fixture.mirror.changeCount == 1)
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 20, 30, 40])
      #expect(fixture.mirror.changeCount == 2 && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "All its properties describe the state before, at every event and in the middle",
    arguments: StoreActor.allCases,
    [
      [[1], [2], [3], [4], [5]],
      [[1, 2], [2, 3], [4, 5]],
      [[9, 8, 7, 1, 2], [3, 4], [3, 4], [6]],
      [[], [], []],
      [[7]],
    ])
  func sameState(actor: StoreActor, pages: [[Int]]) async throws {
    for heldPage in 1...min(pages.count, 3) {
      await actor.run { actor in
        let fixture = PageListFixture([]) {
          $0.publication = .whenComplete
          $0.identity = ItemIdentity { $0 }
        }
        serve([[1, 2], [2, 3], [3, 4, 5]], total: 5, in: fixture)
        await fixture.loadAll()
        let before = ListDescription(fixture.list)
        #expect(before.items == [1, 2, 3, 4, 5] && before.duplicateCount == 2)
        #expect(before.ranges == [0..<2, 2..<3, 3..<5] && before.totalCount == 5)
        var problems: [String] = []
        fixture.mirror.onEvent = { list, event in
          if let problem = list.inconsistency(isWhole: true) {
            problems.append("\(event): \(problem)")
          }
          if list.isRefreshing, ListDescription(list) != before {
            problems.append("\(event): \(ListDescription(list))")
          }
        }
        serve(pages, total: 50, in: fixture)
        let gate = fixture.stub.hold(.get, "/items?page=\(heldPage)")
        fixture.list.refresh()
        await gate.arrived()
        #expect(ListDescription(fixture.list) == before)
        gate.release()
        await fixture.list.settled()
        await fixture.loadAll()
        #expect(problems.first == nil)
        #expect(fixture.list.inconsistency(isWhole: true) == nil)
        #expect(fixture.list.pageCount == pages.count && fixture.list.totalCount == 50)
        var seen: Set<Int> = []
        #expect(fixture.list.items == pages.flatMap(\.self).filter { seen.insert($0).inserted })
        #expect(fixture.mirror.failure == nil)
      }
    }
  }

  @Test("A refresh that is cancelled or fails shows one state", arguments: StoreActor.allCases)
  func notCompleted(actor: StoreActor) async throws {
    for fails in [false, true] {
      await actor.run { actor in
        let fixture = PageListFixture([[1, 2, 3], [4, 5, 6], [7]]) {
          $0.publication = .whenComplete
        }
        await fixture.loadAll()
        var problem: String?
        fixture.mirror.onEvent = { list, event in
          if problem == nil {
            problem = list.inconsistency(isWhole: false).map { "\(event): \($0)" }
          }
        }
        fixture.serve(1, [9], next: "/items?page=2")
        let gate = fixture.stub.hold(.get, "/items?page=2")
        fixture.list.refresh()
        await gate.arrived()
        #expect(fixture.list.inconsistency(isWhole: true) == nil)
        if fails { gate.release(with: .status(500)) } else { fixture.list.cancelLoad() }
        await fixture.list.settled()
        #expect(fixture.list.items == [9, 4, 5, 6, 7])
        #expect(fixture.list.inconsistency(isWhole: true) == nil)
        #expect(problem == nil)
        #expect(fixture.mirror.failure == nil)
      }
    }
  }

  @Test(
    "A page that is dropped or comes back while the changes of a refresh are not shown",
    arguments: StoreActor.allCases)
  func window(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<8).map { [$0 * 2, $0 * 2 + 1] }) {
        $0.publication = .whenComplete
        $0.retainedPageLimit = 3
      }
      await fixture.loadAll()
      var problems: [String] = []
      fixture.mirror.onEvent = { list, event in
        if let problem = list.inconsistency(isWhole: true) {
          problems.append("\(event): \(problem)")
        }
      }
      let gate = fixture.stub.hold(.get, "/items?page=7")
      fixture.list.refresh()
      await gate.arrived()
      fixture.list.loadPreviousPage()
      #expect(fixture.list.inconsistency(isWhole: true) == nil)
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.inconsistency(isWhole: true) == nil)
      #expect(problems.first == nil)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A change just before a refresh that asks for nothing is not lost to observers",
    arguments: StoreActor.allCases)
  func changeBefore(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]]) { $0.publication = .whenComplete }
      let list = fixture.list
      // Receives the events of the page before the list does.
      fixture.page(2).addObserver(owner: fixture.mirror) { _, event in
        if case .newData(.localOverride) = event { list.refresh(.stale) }
      }
      await fixture.loadAll()
      fixture.page(2).updateContent { $0.items = [7, 8] }
      #expect(list.items == [1, 7, 8] && list.lastRefreshDate != nil)
      #expect(fixture.mirror.copy == [1, 7, 8])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("An item that ends with a reset sees items and pages of one state")
  func resetWhileWithheld() async throws {
    await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", PageListFixture.response([1, 2], next: nil))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var options = PagedCollection<DeinitItem>.Options()
      options.publication = .whenComplete
      let list = service.pages("items", of: DeinitItem.self, style: .linkHeader, options: options)
      list.loadAll()
      await list.settled()
      stub.on(.get, "/items", PageListFixture.response([3], next: "/items?page=2"))
      let gate = stub.hold(.get, "/items?page=2")
      list.refresh()
      await gate.arrived()
      let states = Locked<[String]>([])
      nonisolated(unsafe) let watched = list
      DeinitItem.atEnd.withLock {
        $0 = {
          let state = watched.inconsistency(isWhole: true) ?? "\(watched.items.count) items"
          states.withLock { $0.append(state) }
        }
      }
      list.reset()
      DeinitItem.atEnd.withLock { $0 = nil }
      #expect(states.withLock { $0 } == ["0 items", "0 items"])
    }
  }
}

/// An item that calls a closure when it is deallocated.
private final class DeinitItem: Decodable, Sendable {
  static let atEnd = Locked<(@Sendable () -> Void)?>(nil)
  let number: Int

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
  }

  deinit { Self.atEnd.withLock { $0 }?() }
}
