import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A list in numbered pages of one row that link both ways, whose responses come in the order that a
/// test chooses.
private struct LimitFixture: HeldListFixture {
  let requests: HeldRequests
  let service: Service
  let list: PagedCollection<Int>
  let stub: StubTransport
  let clock = ManualClock()
  let failing = Locked<Int?>(nil)

  init(
    pageCount: Int, startingAt start: Int, limit: Int, isolation: isolated any Actor = #isolation
  ) {
    let failing = failing
    let requests = HeldRequests { request in
      let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      guard failing.withLock({ $0 }) != page else {
        return HTTPResponse(status: 500, url: request.url)
      }
      var links: [String] = []
      if page < pageCount { links.append("</rows?page=\(page + 1)>; rel=\"next\"") }
      if page > 1 { links.append("</rows?page=\(page - 1)>; rel=\"prev\"") }
      return HTTPResponse(
        status: 200,
        headers: ["Content-Type": "application/json", "Link": links.joined(separator: ", ")],
        body: Data("[\(page)]".utf8), url: request.url)
    }
    self.requests = requests
    stub = StubTransport { try await requests.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    var options = PagedCollection<Int>.Options()
    options.concurrentLoads = limit
    options.prefetchDistance = 1
    list = service.pages("rows?page=\(start)", of: Int.self, style: .linkHeader, options: options)
  }

  /// A list of that many pages that has the second, and was asked for the one before and the one after.
  init(
    loadingAtBothEndsOf pageCount: Int, limit: Int, isolation: isolated any Actor = #isolation
  ) async {
    self.init(pageCount: pageCount, startingAt: 2, limit: limit)
    list.loadIfNeeded()
    await respondToAll()
    list.loadMore()
    list.loadPreviousPage()
  }

  var asked: [String] { stub.requests.map { $0.url.query ?? "" } }
}

@Suite("The limit of requests holds over both ends of a list", .standardTimeLimit)
struct RequestLimitTests {
  @Test(
    "A list that loads at both ends sends as many requests at once as it may", arguments: [1, 2])
  func bothDirections(limit: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LimitFixture(loadingAtBothEndsOf: 3, limit: limit)
      #expect(await fixture.inFlight() == limit)
      let most = await fixture.respondToAll()
      #expect(most == limit, "\(most) requests were under way at once")
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test("A refresh cancels the load that it supersedes", arguments: [1, 2])
  func refreshWhileLoading(limit: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LimitFixture(loadingAtBothEndsOf: 4, limit: limit)
      #expect(await fixture.inFlight() == limit)
      fixture.list.refresh()
      #expect(await fixture.inFlight() <= limit, "asked for \(fixture.asked)")
      let most = await fixture.respondToAll()
      #expect(most <= limit)
      #expect(fixture.list.items == [1, 2, 3], "\(fixture.list.state)")
      #expect(fixture.list.refreshState == .idle)
    }
  }

  @Test("A refresh leaves a load alone that the program has joined")
  func refreshWhileProgramLoads() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = LimitFixture(pageCount: 3, startingAt: 1, limit: 1)
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      fixture.list.loadMore()
      _ = await fixture.inFlight()
      let page: Resource<Page<Int>> = fixture.service.resource(
        "rows?page=2", decoder: .page(.linkHeader))
      let request = page.loadIfNeeded()
      fixture.list.refresh()
      #expect(request?.isCompleted == false)
      await fixture.respondToAll()
      #expect(request?.isCompleted == true && page.content?.items == [2])
    }
  }

  @Test("Whatever is asked for, no more requests are under way than the options allow")
  func random() async throws {
    await StoreActor.mainActor.run { actor in
      for seed in UInt64(1)...120 {
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([1, 1, 2, 3])
        let fixture = LimitFixture(pageCount: 9, startingAt: random.pick([1, 4, 9]), limit: limit)
        let list = fixture.list
        var script: [String] = []
        for _ in 0..<40 {
          switch Int.random(in: 0..<12, using: &random) {
          case 0: script.append("more"); list.loadMore()
          case 1, 2: script.append("previous"); list.loadPreviousPage()
          case 3: script.append("all"); list.loadAll()
          case 4:
            let scope = random.pick(RefreshScope.allCases)
            script.append("refresh \(scope)")
            list.refresh(scope)
          case 5 where !list.items.isEmpty:
            script.append("shown")
            list.itemShown(at: Int.random(in: list.items.indices, using: &random))
          case 6: script.append("retry"); list.retry()
          case 7:
            script.append("failing")
            let page = Int.random(in: 1...18, using: &random)
            fixture.failing.withLock { $0 = page }
          case 8: script.append("cancel"); list.cancelLoad()
          case 9:
            script.append("time")
            fixture.clock.advance(by: .seconds(random.pick([1, 31])))
          case 10:
            script.append("invalidate")
            list.pages.randomElement(using: &random)?.invalidate()
          default: script.append("load"); list.loadIfNeeded()
          }
          let count = await fixture.inFlight()
          guard count >= 0, count <= limit else {
            Issue.record("seed \(seed): \(count) of \(limit) after \(script)")
            return
          }
          if random.chance(0.7) { fixture.requests.release(&random) }
          script.append("response")
          guard await fixture.inFlight() <= limit else {
            Issue.record("seed \(seed): more than \(limit) after \(script)")
            return
          }
          list.checkInvariants()
          list.firstPage.store.checkInvariants()
        }
        fixture.failing.withLock { $0 = nil }
        fixture.clock.advance(by: .seconds(2))
        list.refresh()
        await fixture.respondToAll(seed: seed)
        list.loadAll()
        await fixture.respondToAll(seed: seed)
        #expect(list.state == .ended && !list.isLoading, "seed \(seed): \(list.state) \(script)")
        #expect(list.items.isEnd(of: Array(1...9)), "seed \(seed): \(list.items)")
      }
    }
  }
}
