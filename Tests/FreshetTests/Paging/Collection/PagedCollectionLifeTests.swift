import FreshetTesting
import Testing

@testable import Freshet

@Suite("The end of a list of pages", .standardTimeLimit)
struct PagedCollectionLifeTests {
  /// When everything is dropped.
  enum Moment: CaseIterable, Sendable {
    case beforeLoading, loadingFirst, loadingNext, afterFailure, refreshing, complete
  }

  @Test("Dropping list and service at any moment frees everything", arguments: Moment.allCases)
  func dropsEverything(moment: Moment) async throws {
    for actor in StoreActor.allCases {
      await actor.run { actor in
        let stub = StubTransport()
        weak var list: PagedCollection<Int>?
        weak var service: Service?
        weak var store: Store?
        weak var first: AnyResource?
        weak var second: AnyResource?
        let gate = await Self.prepare(stub, moment) {
          list = $0
          service = $1
          store = $0.firstPage.store
          first = $0.firstPage
          second = $0.knownPages.count > 1 ? $0.knownPages[1] : nil
        }
        #expect(list == nil && service == nil && store == nil, "at \(moment)")
        #expect(first == nil && second == nil, "at \(moment)")
        if let gate {
          // The transport is notified of its end.
          await gate.cancelled()
        }
      }
    }
  }

  @Test("A dropped list does not keep the service from working", arguments: StoreActor.allCases)
  func dropsList(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let gate = fixture.stub.hold(.get, "/items?page=3")
      weak var dropped: PagedCollection<Int>?
      do {
        let list = fixture.service.pages("items?page=3", of: Int.self, style: .linkHeader)
        dropped = list
        list.loadAll()
        await gate.arrived()
      }
      #expect(dropped == nil)
      gate.release(with: .json("[3]"))
      await fixture.page(3).loadIfNeeded()?.completed()
      #expect(fixture.page(3).content?.items == [3])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test("A dropped service leaves the list working", arguments: StoreActor.allCases)
  func dropsService(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", PageListFixture.response([1], next: "/items?page=2"))
      stub.on(.get, "/items?page=2", .json("[2]"))
      weak var dropped: Service?
      let list: PagedCollection<Int>
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        dropped = service
        list = service.pages("items", of: Int.self, style: .linkHeader)
      }
      #expect(dropped == nil)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
    }
  }

  @Test(
    "A list without its service requests each page once, in a window too", arguments: [nil, 2],
    [1, 4])
  func pagesWithoutService(window: Int?, atOnce: Int) async throws {
    await StoreActor.plainActor.run { actor in
      let server = CountedServer(itemCount: 20)
      let (list, stub) = Self.listWithoutService(
        StubTransport { server.respond(to: $0) },
        style: .pageNumber("page", totalPageCount: "pages").items(at: "items"),
        options: .with {
          $0.retainedPageLimit = window
          $0.concurrentLoads = atOnce
        })
      list.loadAll()
      await list.settled()
      #expect(list.isEnded && list.items == Array((window == nil ? 0 : 16)..<20))
      #expect(stub.requests.count == 10)
      stub.forgetRequests()
      for _ in 0..<10 where list.hasPreviousPage {
        list.loadPreviousPage()
        await list.settled()
      }
      #expect(list.items.first == 0 && list.previousState == .ended)
      // The list holds its first page, which is fresh.
      #expect(stub.requests.count == (window == nil ? 0 : 7))
    }
  }

  @Test("Pages that it has loaded ahead are not requested again")
  func aheadWithoutService() async throws {
    await StoreActor.plainActor.run { actor in
      let server = CountedServer(itemCount: 20)
      let requests = HeldRequests { server.respond(to: $0) }
      let (list, stub) = Self.listWithoutService(
        StubTransport { try await requests.respond(to: $0) },
        style: .pageNumber("page", totalPageCount: "pages").items(at: "items"),
        options: .with { $0.concurrentLoads = 4 })
      list.loadAll()
      for page in 1...10 {
        await until { requests.count == (page == 1 ? 1 : min(4, 11 - page)) }
        requests.release(page == 1 ? "/rows" : "page=\(page)")
      }
      await until { !list.isLoading }
      #expect(list.isEnded && list.items == Array(0..<20))
      #expect(stub.requests.count == 10)
    }
  }

  @Test("A loop of its pages ends it", arguments: [nil, 2])
  func loopWithoutService(window: Int?) async throws {
    await StoreActor.plainActor.run { actor in
      let stub = StubTransport(numbered: { page in
        PageListFixture.response([page], next: "/rows?page=\(page == 4 ? 3 : page + 1)")
      })
      let (list, _) = Self.listWithoutService(
        stub, style: .linkHeader,
        options: .with {
          $0.retainedPageLimit = window
          $0.pageLimit = 10
        })
      list.loadAll()
      await list.settled()
      guard case .incomplete(let walk) = list.state, case .loop = walk.reason else {
        Issue.record("\(list.state)")
        return
      }
      #expect(stub.requests.count == 4)
    }
  }

  private static func listWithoutService(
    _ stub: StubTransport, style: PageStyle, options: PagedCollection<Int>.Options,
    isolation: isolated any Actor = #isolation
  ) -> (list: PagedCollection<Int>, stub: StubTransport) {
    let list: PagedCollection<Int>
    do {
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      list = service.pages("rows", of: Int.self, style: style, options: options)
    }
    #expect(list.firstPage.store.registry == nil)
    return (list, stub)
  }

  @Test("Observers do not keep the list, and it does not keep them", arguments: StoreActor.allCases)
  func observers(actor: StoreActor) async throws {
    await actor.run { actor in
      let owner = Owner()
      weak var dropped: PagedCollection<Int>?
      weak var observer: ListMirror<Int>?
      do {
        let fixture = PageListFixture([[1], [2]])
        dropped = fixture.list
        let mirror = ListMirror<Int>()
        observer = mirror
        fixture.list.addObserver(mirror)
        fixture.list.addObserver(owner: owner) { _, _ in }
        await fixture.loadAll()
      }
      #expect(dropped == nil && observer == nil)
      withExtendedLifetime(owner) {}
    }
  }

  @Test("An observer may drop the list", arguments: StoreActor.allCases)
  func droppedByObserver(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let gate = fixture.stub.hold(.get, "/items?page=3")
      var list: PagedCollection<Int>? = fixture.service.pages(
        "items?page=3", of: Int.self, style: .linkHeader)
      weak let dropped = list
      var token: ObservationToken?
      token = list?.observe { _, event in
        guard case .itemsChanged = event else { return }
        list = nil
      }
      list?.loadAll()
      await gate.arrived()
      let page = fixture.page(3)
      gate.release(with: PageListFixture.response([3], next: "/items?page=1"))
      await page.loadIfNeeded()?.completed()
      await page.loadIfNeeded()?.completed()
      token = nil
      #expect(list == nil && dropped == nil && token == nil)
    }
  }

  @Test("A page that has left the chain is not observed any more", arguments: StoreActor.allCases)
  func leftChain(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      let page = fixture.page(2)
      #expect(page.isObserved)
      fixture.page(1).overrideLocalContent(Page(items: [1]))
      #expect(!page.isObserved)
      page.overrideLocalContent(Page(items: [9]))
      #expect(fixture.list.items == [1])
    }
  }

  @Test("A task that waits for a list ends when it is cancelled", arguments: StoreActor.allCases)
  func cancelledWait(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadIfNeeded()
      await gate.arrived()
      let list = fixture.list
      let wait = Task {
        _ = actor
        await list.settled()
      }
      wait.cancel()
      await wait.value
      #expect(fixture.list.state.isLoading)
      gate.release()
      await fixture.list.settled()
    }
  }

  /// Brings a list to that moment, shows it, and drops it with its service.
  ///
  /// - Returns: the gate of the request that is still held then.
  private static func prepare(
    _ stub: StubTransport, _ moment: Moment, isolation: isolated any Actor = #isolation,
    show: (PagedCollection<Int>, Service) -> Void
  ) async -> StubTransport.Gate? {
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    let list = service.pages("items", of: Int.self, style: .linkHeader)
    stub.on(.get, "/items", PageListFixture.response([1], next: "/items?page=2"))
    stub.on(.get, "/items?page=2", moment == .afterFailure ? .status(500) : .json("[2]"))
    var gate: StubTransport.Gate?
    switch moment {
    case .beforeLoading: break
    case .loadingFirst, .loadingNext:
      gate = stub.hold(.get, moment == .loadingFirst ? "/items" : "/items?page=2")
      list.loadAll()
    case .afterFailure, .complete, .refreshing:
      list.loadAll()
      await list.settled()
    }
    if moment == .refreshing {
      gate = stub.hold(.get, "/items")
      list.refresh()
    }
    await gate?.arrived()
    show(list, service)
    return gate
  }
}
