import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A query that passes items on page after page", .standardTimeLimit)
struct PageQueryTests {
  @Test(
    "Items come in order, and after each page where it continues", arguments: StoreActor.allCases)
  func wholeList(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4]])
      let log = QueryLog(fixture.page(1))
      log.query.start()
      await log.query.settled()
      #expect(
        log.lines == [
          "1", "2", "next https://api.test/items?page=2", "3",
          "next https://api.test/items?page=3", "4", "end",
        ])
      #expect(log.query.isEnded && !log.query.isLoading && log.query.cursor == .end)
      log.query.start()
      #expect(!log.query.isLoading, "after the end there is nothing to do")
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test(
    "Fresh pages cost no request and no waiting, however many they are",
    arguments: StoreActor.allCases)
  func freshPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...2000).map { [$0] })
      await fixture.loadAll()
      let log = QueryLog(fixture.page(1))
      log.query.start()
      #expect(log.items == Array(1...2000) && log.lines.last == "end")
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test(
    "It stops at a limit of pages or items, and continues from there",
    arguments: StoreActor.allCases)
  func limits(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5, 6], [7]])
      let log = QueryLog(fixture.page(1))
      log.query.pageBudget = 1
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2] && fixture.asked == [1])
      log.query.pageBudget = .max
      log.query.itemBudget = 3
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2, 3, 4, 5, 6] && fixture.asked == [1, 2, 3])
      #expect(!log.query.isEnded)
      log.query.start()
      await log.query.settled()
      #expect(log.items == Array(1...7) && log.query.isEnded)
    }
  }

  @Test("A stored cursor begins another query, in another store", arguments: StoreActor.allCases)
  func storedCursor(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5]])
      let log = QueryLog(fixture.page(1))
      log.query.pageBudget = 1
      log.query.start()
      await log.query.settled()
      let stored = try JSONEncoder().encode(log.query.cursor)
      let later = PageListFixture([[1, 2], [3, 4], [5]])
      let cursor = try JSONDecoder().decode(PageCursor.self, from: stored)
      let rest = QueryLog(later.page(1), from: cursor)
      rest.query.start()
      await rest.query.settled()
      #expect(rest.items == [3, 4, 5] && later.asked == [2, 3])
      guard case .next(let link) = cursor else {
        Issue.record("\(cursor)")
        return
      }
      let list = try later.service.pages(
        "items?page=1", from: link, of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4, 5])
      let texts = try later.service.pages("items?page=1", from: link, of: JSONText.self)
      #expect(texts.firstPage.key == later.page(2).key)
    }
  }

  @Test("A stored cursor is held to the rule for links", arguments: StoreActor.allCases)
  func foreignCursor(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let foreign = PageLink(.follow("https://evil.test/items?page=2"))
      #expect(throws: IncompleteWalk.Reason.crossOrigin("https://evil.test")) {
        try fixture.service.pages("items?page=1", from: foreign, of: Int.self)
      }
      #expect(throws: IncompleteWalk.Reason.insecure) {
        try fixture.service.pages(
          "items?page=1", from: PageLink(.follow("http://api.test/x")), of: Int.self)
      }
      let log = QueryLog(fixture.page(1), from: .next(foreign))
      log.query.start()
      #expect(
        log.lines == [
          "link a page links to another origin, https://evil.test; allow it if it is to be trusted"
        ])
      #expect(fixture.asked.isEmpty && !log.query.isLoading)
      log.query.allowedOrigins = ["https://evil.test"]
      fixture.stub.on(.get, "https://evil.test/items?page=2", .json("[9]"))
      log.query.start()
      await log.query.settled()
      #expect(log.items == [9])
    }
  }

  @Test(
    "A failure is the last call, and the next start asks for that page",
    arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.fail(2)
      let log = QueryLog(fixture.page(1))
      log.query.start()
      await log.query.settled()
      #expect(log.lines.last == "load http")
      log.query.start()
      #expect(log.lines.suffix(2) == ["load http", "load http"], "not before the failure cooldown")
      fixture.serve([[1], [2], [3]])
      fixture.clock.advance(by: .seconds(2))
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2, 3] && fixture.asked == [1, 2, 2, 3])
    }
  }

  @Test("A retry requests the page that failed, without waiting", arguments: StoreActor.allCases)
  func retry(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let log = QueryLog(fixture.page(1))
      log.query.retry()
      #expect(!log.query.isLoading, "nothing has failed")
      fixture.fail(2)
      log.query.start()
      await log.query.settled()
      log.query.retry()
      log.query.retry()
      await log.query.settled()
      #expect(log.lines.suffix(2) == ["load http", "load http"] && fixture.asked == [1, 2, 2])
      fixture.serve([[1], [2], [3]])
      log.query.retry()
      await log.query.settled()
      #expect(log.items == [1, 2, 3] && fixture.asked == [1, 2, 2, 2, 3])
      log.query.retry()
      #expect(!log.query.isLoading && log.lines.last == "end")
    }
  }

  @Test(
    "A list that goes in a circle is never taken for one that ends", arguments: StoreActor.allCases)
  func circle(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.serve(2, [2], next: "/items?page=1")
      let log = QueryLog(fixture.page(1))
      log.query.start()
      await log.query.settled()
      #expect(
        log.lines.last?.hasPrefix("link a page links back to page 0;") == true && !log.query.isEnded
      )
    }
  }

  @Test("Cancelling ends it with one call", arguments: StoreActor.allCases)
  func cancel(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let gate = fixture.stub.hold(.get, "/items?page=2")
      let log = QueryLog(fixture.page(1))
      log.query.start()
      await gate.arrived()
      log.query.cancelLoad()
      log.query.cancelLoad()
      #expect(log.lines.last == "load cancelled" && !log.query.isLoading)
      #expect(log.lines.count { $0 == "load cancelled" } == 1)
      await gate.cancelled()
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2, 3])
    }
  }

  @Test(
    "The latest error is that of the page it stopped at, until the next start or retry",
    arguments: StoreActor.allCases)
  func latestError(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.fail(2)
      let query = PageQuery(firstPage: fixture.page(1))
      #expect(query.latestError == nil)
      query.start()
      await query.settled()
      guard case .load(let error) = query.latestError else {
        Issue.record("\(String(describing: query.latestError))")
        return
      }
      #expect(error == fixture.page(2).latestError && error.kind == .http)
      query.retry()
      #expect(query.isLoading && query.latestError == nil)
      await query.settled()
      #expect(query.latestError != nil, "it failed again")
      query.retry()
      query.cancelLoad()
      #expect(query.latestError == nil, "a cancellation is no error")
      fixture.serve([[1], [2]])
      fixture.clock.advance(by: .seconds(2))
      query.start()
      await query.settled()
      #expect(query.isEnded && query.latestError == nil)
    }
  }

  @Test("A link that is not followed is the latest error too", arguments: StoreActor.allCases)
  func latestLinkError(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.serve(2, [2], next: "/items?page=1")
      let query = PageQuery(firstPage: fixture.page(1))
      query.start()
      await query.settled()
      guard case .link(.loop(backTo: 0)) = query.latestError else {
        Issue.record("\(String(describing: query.latestError))")
        return
      }
    }
  }

  @Test(
    "A task waits until the query has stopped, however it does", arguments: StoreActor.allCases)
  func settled(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let query = PageQuery(firstPage: fixture.page(1))
      await query.settled()
      #expect(!query.isLoading, "it has not begun")
      query.pageBudget = 1
      query.start()
      await query.settled()
      #expect(!query.isLoading && ![.start, .end].contains(query.cursor), "a limit")
      let gate = fixture.stub.hold(.get, "/items?page=2")
      query.start()
      await gate.arrived()
      let waiter = Task {
        _ = actor
        await query.settled()
      }
      await Task.yield()
      query.cancelLoad()
      await waiter.value
      #expect(!query.isLoading, "a cancellation")
      await gate.cancelled()
      query.pageBudget = .max
      query.start()
      await query.settled()
      #expect(query.isEnded, "the end")
      await query.settled()
    }
  }

  @Test(
    "A task that is cancelled no longer waits, and the query continues",
    arguments: StoreActor.allCases)
  func cancelledWait(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let gate = fixture.stub.hold(.get, "/items?page=1")
      let query = PageQuery(firstPage: fixture.page(1))
      query.start()
      await gate.arrived()
      let waiter = Task {
        _ = actor
        await query.settled()
      }
      await Task.yield()
      waiter.cancel()
      await waiter.value
      #expect(query.isLoading)
      gate.release()
      await query.settled()
      #expect(query.isEnded)
    }
  }

  @Test(
    "A page that is wiped in its event or between its items fails, and the next start loads it again",
    arguments: [true, false], StoreActor.allCases)
  func wipedPage(isInEvent: Bool, actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let page = fixture.page(1)
      let log = QueryLog(page)
      var isFirst = true
      func wipe() {
        if isFirst { fixture.service.wipe() }
        isFirst = false
      }
      let token = page.observe { _, event in
        if isInEvent, event == .newData(.network) { wipe() }
      }
      log.onItem = { _ in wipe() }
      log.query.start()
      await log.query.settled()
      #expect(log.lines == (isInEvent ? ["load cancelled"] : ["1", "load cancelled"]))
      #expect(fixture.asked == [1])
      log.query.start()
      await log.query.settled()
      #expect(log.query.isEnded && log.items.suffix(3) == [1, 2, 3])
      withExtendedLifetime(token) {}
    }
  }

  @Test("Its closures may call anything", arguments: StoreActor.allCases)
  func reentrancy(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let log = QueryLog(fixture.page(1))
      var isFirst = true
      log.onItem = { item in
        guard item == 1, isFirst else { return }
        isFirst = false
        log.query.cancelLoad()
        log.query.start()
        log.query.start()
      }
      log.query.start()
      await log.query.settled()
      #expect(log.query.isEnded)
      #expect(log.items == [1, 1, 2, 3], "a page that was not finished comes again")
      #expect(log.lines.count { $0 == "load cancelled" } == 1)
    }
  }

  @Test(
    "A running query keeps itself alive, and is deallocated afterwards",
    arguments: StoreActor.allCases)
  func lifetime(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      var items: [Int] = []
      let (ends, end) = AsyncStream<Never>.makeStream()
      weak var query: PageQuery<Int>?
      do {
        let made = PageQuery(firstPage: fixture.page(1))
        made.itemReceived = { items.append($0) }
        made.pageCompleted = { if case .success(.end) = $0 { end.finish() } }
        made.start()
        query = made
      }
      #expect(query != nil)
      for await _ in ends {}
      #expect(items == [1, 2])
      fixture.stub.forgetRequests()
      await Task.yield()
      #expect(query == nil)
    }
  }
}
