import Freshet
import FreshetTesting
import Testing

@Suite("A list of pages as asynchronous sequences", .standardTimeLimit)
struct PagedCollectionSequenceTests {
  @Test("The items of all pages come in order, empty pages crossed", arguments: StoreActor.allCases)
  func items(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [], [3], [4]])
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 2, 3, 4])
      #expect(fixture.asked == [1, 2, 3, 4])
    }
  }

  @Test("They come also where no items are displayed", arguments: StoreActor.allCases)
  func noneDisplayed(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[], [1, 2], [3]]) { $0.displayedCount = 0 }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 2, 3])
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test("A page is requested when it is needed and not before", arguments: StoreActor.allCases)
  func backPressure(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4], [5]])
      var taken: [Int] = []
      for try await item in fixture.list.itemSequence {
        taken.append(item)
        if item == 2 { #expect(fixture.asked == [1]) }
        if item == 3 { break }
      }
      #expect(taken == [1, 2, 3])
      #expect(fixture.asked == [1, 2])
    }
  }

  @Test("After an error the same iterator continues", arguments: StoreActor.allCases)
  func continuing(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4]])
      fixture.stub.on(
        .get, "/items?page=2", .status(500),
        PageListFixture.response([3], next: "/items?page=3"))
      var iterator = fixture.list.itemSequence.makeAsyncIterator()
      var items: [Int] = []
      var errorCount = 0
      while true {
        do {
          guard let item = try await iterator.next(isolation: actor) else { break }
          items.append(item)
          if item == 3 { #expect(fixture.stub.count(.get, "/items?page=3") == 0) }
        } catch {
          errorCount += 1
          #expect((error as? ResourceError)?.status == 500)
        }
      }
      #expect(items == [1, 2, 3, 4] && errorCount == 1)
    }
  }

  @Test("The pages come one by one", arguments: StoreActor.allCases)
  func pages(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [], [3]])
      var pages: [[Int]] = []
      for try await page in fixture.list.pageSequence { pages.append(page.items) }
      #expect(pages == [[1, 2], [], [3]])
    }
  }

  @Test("A page that fails is thrown after the items before it", arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.fail(3)
      var items: [Int] = []
      do {
        for try await item in fixture.list.itemSequence { items.append(item) }
        Issue.record("it ended")
      } catch {
        #expect((error as? ResourceError)?.status == 500)
      }
      #expect(items == [1, 2])
    }
  }

  @Test("A walk that stops early throws why", arguments: StoreActor.allCases)
  func incomplete(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.serve(2, [2], next: "/items?page=1")
      let error = await failure(of: fixture.list)
      #expect((error as? IncompleteWalk)?.reason == .loop(backTo: 0))
    }
  }

  @Test("A stale page is loaded again when its turn comes", arguments: StoreActor.allCases)
  func stale(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      fixture.serve([[8], [9]])
      fixture.clock.advance(by: .seconds(31))
      var items: [Int] = []
      for try await item in fixture.list.itemSequence {
        items.append(item)
        if item == 8 { #expect(fixture.asked == [1]) }
      }
      #expect(items == [8, 9])
      #expect(fixture.asked == [1, 2])
      fixture.serve(2, [7], next: nil)
      fixture.page(2).invalidate()
      items = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [8, 7])
    }
  }

  @Test("What expires at once is loaded once", arguments: StoreActor.allCases)
  func expiring(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.service.configure { $0.freshnessLifetime = .zero }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 2, 3])
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test("That holds also for what was loaded on the way to the first item")
  func expiringEmpty() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[], [1], [2]])
      fixture.service.configure { $0.freshnessLifetime = .zero }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 2])
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test("A stale page whose load was cancelled is loaded, not passed on")
  func staleCancelled() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let page = fixture.page(2)
      await page.load().completed()
      fixture.clock.advance(by: .seconds(31))
      fixture.serve([[1], [9]])
      var hasCancelled = false
      fixture.mirror.onEvent = { list, event in
        guard !hasCancelled, case .stateChanged(.loading) = event, list.items == [1, 2] else {
          return
        }
        hasCancelled = true
        list.cancelLoad()
      }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 9] && hasCancelled)
    }
  }

  @Test("After the error of a stale page the same iterator continues")
  func staleFailure() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      fixture.serve([[8], [9]])
      fixture.fail(2)
      fixture.clock.advance(by: .seconds(31))
      var iterator = fixture.list.itemSequence.makeAsyncIterator()
      let first = try await iterator.next(isolation: actor)
      #expect(first == 8)
      do {
        _ = try await iterator.next(isolation: actor)
        Issue.record("the stale page was returned")
      } catch {
        #expect((error as? ResourceError)?.status == 500)
      }
      fixture.serve([[8], [9]])
      let second = try await iterator.next(isolation: actor)
      #expect(second == 9)
      #expect(fixture.asked == [1, 2, 2])
    }
  }

  @Test("What was dropped from memory is not needed again", arguments: StoreActor.allCases)
  func window(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture((0..<20).map { [$0] }) { $0.retainedPageLimit = 2 }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence {
        items.append(item)
        #expect(fixture.list.pageCount <= 2)
      }
      #expect(items == Array(0..<20))
      #expect(fixture.asked == Array(1...20))
    }
  }

  @Test("With an identity each item comes once", arguments: StoreActor.allCases)
  func once(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [2, 3], [3, 1, 4]]) {
        $0.identity = ItemIdentity { $0 }
      }
      var items: [Int] = []
      for try await item in fixture.list.itemSequence { items.append(item) }
      #expect(items == [1, 2, 3, 4])
    }
  }

  @Test("A list that is reset or wiped is loaded again", arguments: [false, true])
  func begunAgain(isWiped: Bool) async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]])
      var items: [Int] = []
      for try await item in fixture.list.itemSequence {
        items.append(item)
        if item == 2 { isWiped ? fixture.list.firstPage.wipe() : fixture.list.reset() }
      }
      #expect(items == [1, 2, 3, 4] && fixture.list.items == items)
      #expect(fixture.asked == [1, 2] + (isWiped ? [1] : []) + [3, 4])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A load that is cancelled ends the iteration", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      _ = fixture.stub.hold(.get, "/items?page=2")
      fixture.mirror.onEvent = { list, event in
        if case .stateChanged(.loading) = event, list.items == [1] { list.cancelLoad() }
      }
      #expect(await failure(of: fixture.list) is CancellationError)
    }
  }

  @Test(
    "All items are returned together, from fresh pages if there are", arguments: StoreActor.allCases
  )
  func freshItems(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [], [3], [4]])
      for _ in 1...2 {
        let items = try await fixture.list.freshItems()
        #expect(items == [1, 2, 3, 4])
        #expect(fixture.asked == [1, 2, 3, 4])
      }
      fixture.serve(3, [5], next: "/items?page=4")
      fixture.list.pages[2].invalidate()
      let items = try await fixture.list.freshItems()
      #expect(items == [1, 2, 5, 4])
      #expect(fixture.asked == [1, 2, 3, 4, 3])
    }
  }

  @Test("All items are returned with several loads at once too", arguments: StoreActor.allCases)
  func freshItemsAtOnce(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4]]) { $0.concurrentLoads = 2 }
      let items = try await fixture.list.freshItems()
      #expect(items == [1, 2, 3, 4] && fixture.list.isEnded)
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test("No page is requested twice, even if each expires at once", arguments: StoreActor.allCases)
  func expiredAtOnce(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4]]) { $0.concurrentLoads = 2 }
      fixture.service.configure { $0.freshnessLifetime = .zero }
      let items = try await fixture.list.freshItems()
      #expect(items == [1, 2, 3, 4])
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test("An error is thrown where a part of the items is loaded", arguments: StoreActor.allCases)
  func failedItems(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      fixture.stub.on(.get, "/items?page=2", .status(500))
      do {
        let items = try await fixture.list.freshItems()
        Issue.record("\(items)")
      } catch {
        #expect((error as? ResourceError)?.status == 500)
      }
      #expect(fixture.list.items == [1, 2])
    }
  }

  /// What ends an iteration of the whole list; nil for its end. (`#expect(throws:)` takes a closure
  /// that leaves the actor.)
  private nonisolated(nonsending) func failure(of list: PagedCollection<Int>) async -> (any Error)?
  {
    do {
      for try await _ in list.itemSequence {}
      return nil
    } catch {
      return error
    }
  }
}
