import Freshet
import FreshetTesting
import Testing

@Suite("What a list says about itself before a refresh is published")
struct PagedCollectionPublicationTests {
  /// Serves pages with a total.
  private func serve(_ pages: [[Int]], total: Int, in scene: PageListScene) {
    for (index, items) in pages.enumerated() {
      let link = index + 1 < pages.count ? "</items?page=\(index + 2)>; rel=\"next\"" : ""
      scene.stub.on(
        .get, "/items?page=\(index + 1)",
        .json(
          "[\(items.map(String.init).joined(separator: ","))]",
          headers: ["X-Total-Count": "\(total)", "Link": link]))
    }
  }

  @Test(
    "All its properties describe the state before, at every event and in the middle",
    arguments: Home.allCases,
    [
      [[1], [2], [3], [4], [5]],
      [[1, 2], [2, 3], [4, 5]],
      [[9, 8, 7, 1, 2], [3, 4], [3, 4], [6]],
      [[], [], []],
      [[7]],
    ])
  func sameState(home: Home, pages: [[Int]]) async throws {
    for heldPage in 1...min(pages.count, 3) {
      await home.run { home in
        let scene = PageListScene([]) {
          $0.publication = .whenComplete
          $0.identity = ItemIdentity { $0 }
        }
        serve([[1, 2], [2, 3], [3, 4, 5]], total: 5, in: scene)
        await scene.loadAll()
        let before = ListDescription(scene.list)
        #expect(before.items == [1, 2, 3, 4, 5] && before.duplicateCount == 2)
        #expect(before.ranges == [0..<2, 2..<3, 3..<5] && before.total == 5)
        var problems: [String] = []
        scene.mirror.onEvent = { list, event in
          if let problem = list.inconsistency(isWhole: true) {
            problems.append("\(event): \(problem)")
          }
          if list.isRefreshing, ListDescription(list) != before {
            problems.append("\(event): \(ListDescription(list))")
          }
        }
        serve(pages, total: 50, in: scene)
        let gate = scene.stub.hold(.get, "/items?page=\(heldPage)")
        scene.list.refresh()
        await gate.arrived()
        #expect(ListDescription(scene.list) == before)
        gate.release()
        await scene.list.settled()
        await scene.loadAll()
        #expect(problems.first == nil)
        #expect(scene.list.inconsistency(isWhole: true) == nil)
        #expect(scene.list.pageCount == pages.count && scene.list.total == 50)
        var seen: Set<Int> = []
        #expect(scene.list.items == pages.flatMap(\.self).filter { seen.insert($0).inserted })
        #expect(scene.mirror.failure == nil)
      }
    }
  }

  @Test("A refresh that is cancelled or fails publishes one state", arguments: Home.allCases)
  func notCompleted(home: Home) async throws {
    for fails in [false, true] {
      await home.run { home in
        let scene = PageListScene([[1, 2, 3], [4, 5, 6], [7]]) { $0.publication = .whenComplete }
        await scene.loadAll()
        var problem: String?
        scene.mirror.onEvent = { list, event in
          if problem == nil {
            problem = list.inconsistency(isWhole: false).map { "\(event): \($0)" }
          }
        }
        scene.serve(1, [9], next: "/items?page=2")
        let gate = scene.stub.hold(.get, "/items?page=2")
        scene.list.refresh()
        await gate.arrived()
        #expect(scene.list.inconsistency(isWhole: true) == nil)
        if fails { gate.release(with: .status(500)) } else { scene.list.cancelLoad() }
        await scene.list.settled()
        #expect(scene.list.items == [9, 4, 5, 6, 7])
        #expect(scene.list.inconsistency(isWhole: true) == nil)
        #expect(problem == nil)
        #expect(scene.mirror.failure == nil)
      }
    }
  }

  @Test(
    "A page that is dropped or comes back while a refresh is not published",
    arguments: Home.allCases)
  func window(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<8).map { [$0 * 2, $0 * 2 + 1] }) {
        $0.publication = .whenComplete
        $0.maxPages = 3
      }
      await scene.loadAll()
      var problems: [String] = []
      scene.mirror.onEvent = { list, event in
        if let problem = list.inconsistency(isWhole: true) {
          problems.append("\(event): \(problem)")
        }
      }
      let gate = scene.stub.hold(.get, "/items?page=7")
      scene.list.refresh()
      await gate.arrived()
      scene.list.loadPrevious()
      #expect(scene.list.inconsistency(isWhole: true) == nil)
      gate.release()
      await scene.list.settled()
      #expect(scene.list.inconsistency(isWhole: true) == nil)
      #expect(problems.first == nil)
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A change just before a refresh that asks for nothing is not lost to observers",
    arguments: Home.allCases)
  func changeBefore(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]]) { $0.publication = .whenComplete }
      let list = scene.list
      // Receives the events of the page before the list does.
      scene.page(2).addObserver(owner: scene.mirror) { _, event in
        if case .newData(.localOverride) = event { list.refresh(.stale) }
      }
      await scene.loadAll()
      scene.page(2).updateContent { $0.items = [7, 8] }
      #expect(list.items == [1, 7, 8] && list.lastRefreshed != nil)
      #expect(scene.mirror.copy == [1, 7, 8])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("An item that ends with a reset sees items and pages of one state")
  func resetWhileWithheld() async throws {
    await Home.plainActor.run { home in
      let stub = StubTransport()
      stub.on(.get, "/items", PageListScene.answer([1, 2], next: nil))
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      var options = PagedCollection<Witness>.Options()
      options.publication = .whenComplete
      let list = service.pages("items", of: Witness.self, style: .linkHeader, options: options)
      list.loadAll()
      await list.settled()
      stub.on(.get, "/items", PageListScene.answer([3], next: "/items?page=2"))
      let gate = stub.hold(.get, "/items?page=2")
      list.refresh()
      await gate.arrived()
      let states = Locked<[String]>([])
      nonisolated(unsafe) let watched = list
      Witness.atEnd.withLock {
        $0 = {
          let state = watched.inconsistency(isWhole: true) ?? "\(watched.items.count) items"
          states.withLock { $0.append(state) }
        }
      }
      list.reset()
      Witness.atEnd.withLock { $0 = nil }
      #expect(states.withLock { $0 } == ["0 items", "0 items"])
    }
  }
}

/// An item that does something when it ends.
private final class Witness: Decodable, Sendable {
  static let atEnd = Locked<(@Sendable () -> Void)?>(nil)
  let number: Int

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
  }

  deinit { Self.atEnd.withLock { $0 }?() }
}
