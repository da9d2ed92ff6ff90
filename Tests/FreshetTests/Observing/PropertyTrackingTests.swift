import FreshetTesting
import Observation
import Testing

@testable import Freshet

@Suite("Properties that views track", .standardTimeLimit)
struct PropertyTrackingTests {
  @Test("A view is notified of what it reads, and of nothing else", arguments: StoreActor.allCases)
  func resource(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(304), .status(500))
      let resource = fixture.text("a")
      let views = Views(of: resource)
      let load = resource.load()
      #expect(views.notified() == ["isLoading"])
      await load.completed()
      #expect(views.notified() == ["content", "timestamp", "isUpToDate", "isLoading"])
      await resource.load().completed()
      #expect(views.notified() == ["timestamp", "isUpToDate", "isLoading"])
      await resource.load().completed()
      #expect(views.notified() == ["latestError", "isLoading"])
      resource.invalidate()
      #expect(views.notified() == ["isUpToDate"])
      resource.overrideLocalContent("two")
      #expect(views.notified() == ["content", "timestamp", "isUpToDate", "latestError"])
      resource.updateContent { $0 += "!" }?.rollBack()
      #expect(views.notified() == ["content", "timestamp", "isUpToDate"])
      resource.wipe()
      #expect(views.notified() == ["content", "timestamp", "isUpToDate"])
    }
  }

  @Test("A view of a list's items is not notified of its states", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let views = Views(of: fixture.list)
      fixture.list.loadIfNeeded()
      // Pages, counts and dates are reported together whenever the chain was changed.
      let chain: Set = ["pageCount", "lastLoadDate"]
      #expect(views.notified().subtracting(chain) == ["state", "isLoading"])
      await fixture.list.settled()
      #expect(
        views.notified() == [
          "items", "pageCount", "lastLoadDate", "state", "previousState", "isLoading",
        ])
      fixture.serve(2, [3, 4], next: nil)
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(
        views.notified() == ["items", "pageCount", "lastLoadDate", "state", "isLoading"])
      fixture.fail(1)
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(
        views.notified().isDisjoint(with: ["items", "state", "previousState"]),
        "a refresh that fails")
      #expect(fixture.list.latestError != nil)
    }
  }

  @Test("A paginator's properties are tracked", arguments: StoreActor.allCases)
  func paginator(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/rows?page=1", .json("[1, 2]"))
      fixture.stub.on(.get, "/rows?page=2", .status(500))
      let paginator = fixture.service.paginator("rows?page=:currentPage", of: Int.self)
      let views = Views()
      views.add("items") { "\(paginator.items)" }
      views.add("isLoading") { "\(paginator.isLoading)" }
      views.add("loadingPage") { String(describing: paginator.loadingPage) }
      views.add("latestError") { String(describing: paginator.latestError) }
      try paginator.loadPage(1)
      #expect(views.notified() == ["isLoading", "loadingPage"])
      await paginator.settled()
      #expect(views.notified() == ["items", "isLoading", "loadingPage"])
      try paginator.loadPage(2)
      await paginator.settled()
      #expect(views.notified() == ["isLoading", "loadingPage", "latestError"])
      #expect(paginator.items == [1, 2])
    }
  }

  @Test("A paginator's page size is tracked", arguments: StoreActor.allCases)
  func pageSize(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/rows?page=1", .json("[1, 2]", headers: ["X-Per-Page": "2"]))
      let paginator = fixture.service.paginator("rows?page=:currentPage", of: Int.self)
      let views = Views()
      views.add("perPage") { "\(paginator.perPage)" }
      paginator.perPage = 10
      #expect(views.notified() == ["perPage"])
      try paginator.loadPage(1)
      await paginator.settled()
      #expect(paginator.perPage == 2, "the server reports another size")
      #expect(views.notified() == ["perPage"])
    }
  }

  /// Where a property has another value, whoever read the old one has been notified.
  @Test("No change is missed, whatever comes", arguments: StoreActor.allCases)
  func random(actor: StoreActor) async {
    await actor.run { actor in
      for seed in UInt64(0)..<60 {
        var random = SeededGenerator(seed: seed)
        let fixture = PageListFixture([[1, 2], [3, 4], [5]])
        let (list, resource) = (fixture.list, fixture.page(1))
        let views = Views(of: list)
        views.add(resource, "resource ")
        var last = views.values
        for step in 0..<30 {
          let choice = Int.random(in: 0..<11, using: &random)
          switch choice {
          case 0: list.loadMore()
          case 1: list.refresh(RefreshScope.allCases.randomElement(using: &random) ?? .all)
          case 2: fixture.serve((0..<3).map { _ in [Int.random(in: 0..<9, using: &random)] })
          case 3: fixture.fail(Int.random(in: 1...3, using: &random))
          case 4: list.cancelLoad()
          case 5: resource.overrideLocalContent(Page(items: [7], next: nil))
          case 6: resource.invalidate()
          case 7: resource.wipe()
          case 8: list.loadAll()
          case 9: list.reset()
          default:
            // To grow stale is the one change that nothing notifies of.
            fixture.clock.advance(by: .seconds(31))
            last = views.values
          }
          if Bool.random(using: &random) { await list.settled() }
          let (now, notified) = (views.values, views.notified())
          let changed = Set(now.keys.filter { now[$0] != last[$0] })
          #expect(
            changed.isSubset(of: notified),
            "seed \(seed) step \(step) action \(choice): \(changed.subtracting(notified))")
          last = now
        }
      }
    }
  }

  @Test("What is only loaded and observed tracks nothing", arguments: StoreActor.allCases)
  func untracked(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let list = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      var eventCount = 0
      let token = list.observe { _, _ in eventCount += 1 }
      list.loadAll()
      await list.settled()
      await list.refreshAndWait()
      token.cancel()
      #expect(eventCount > 1)
      #expect(list.trackedIfAny == nil)
      #expect(fixture.page(1).trackedIfAny == nil)
    }
  }
}

/// Views that read one property each.
private final class Views {
  private var reads: [(name: String, read: () -> String)] = []
  private let changed = Locked<Set<String>>([])

  init() {}

  convenience init<Content>(of resource: Resource<Content>) {
    self.init()
    add(resource)
  }

  convenience init<Item>(of list: PagedCollection<Item>) {
    self.init()
    add("items") { "\(list.items)" }
    add("pageCount") { "\(list.pageCount)" }
    add("lastLoadDate") { String(describing: list.lastLoadDate) }
    add("state") { "\(list.state)" }
    add("previousState") { "\(list.previousState)" }
    add("refreshState") { "\(list.refreshState)" }
    add("isRefreshing") { "\(list.isRefreshing)" }
    add("isLoading") { "\(list.isLoading)" }
    add("latestError") { String(describing: list.latestError?.timestamp) }
  }

  func add<Content>(_ resource: Resource<Content>, _ prefix: String = "") {
    add(prefix + "content") { String(describing: resource.content) }
    add(prefix + "timestamp") { String(describing: resource.timestamp) }
    add(prefix + "isUpToDate") { "\(resource.isUpToDate)" }
    add(prefix + "isLoading") { "\(resource.isLoading)" }
    add(prefix + "latestError") { String(describing: resource.latestError?.timestamp) }
  }

  /// Adds a view that reads one property.
  func add(_ name: String, _ read: @escaping () -> String) {
    reads.append((name, read))
    track(name, read)
  }

  private func track(_ name: String, _ read: () -> String) {
    withObservationTracking {
      _ = read()
    } onChange: { [changed] in
      changed.withLock { _ = $0.insert(name) }
    }
  }

  /// The views that were notified since the last call; they track again.
  func notified() -> Set<String> {
    let names = changed.withLock { names in
      defer { names = [] }
      return names
    }
    for (name, read) in reads where names.contains(name) { track(name, read) }
    return names
  }

  /// What every view would show now.
  var values: [String: String] {
    Dictionary(uniqueKeysWithValues: reads.map { ($0.name, $0.read()) })
  }
}
