import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@Suite("What a view shows of resources and lists", .standardTimeLimit)
struct ResourceStatusTests {
  @Test("A resource: first load, content, empty, failed", arguments: StoreActor.allCases)
  func resource(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .status(500), .text(""))
      let resource = fixture.text("a")
      #expect(ResourceStatus(of: resource).phase == .idle)
      let load = resource.load()
      #expect(ResourceStatus(of: resource).phase == .loading)
      await load.completed()
      #expect(ResourceStatus(of: resource).phase == .content)
      let again = resource.load()
      #expect(ResourceStatus(of: resource).phase == .content, "a reload of what is shown")
      await again.completed()
      let failed = ResourceStatus(of: resource)
      guard case .failed(let error) = failed.phase else {
        Issue.record("\(failed)")
        return
      }
      #expect(error.status == 500 && failed.hasContent && failed.canRetry)
      failed.retry()
      #expect(ResourceStatus(of: resource).phase == .content, "the retry is under way")
      await resource.load().completed()
      #expect(ResourceStatus(of: resource).phase == .empty)
    }
  }

  @Test(
    "A resource retries a load that failed, at once and one time, and no other",
    arguments: StoreActor.allCases)
  func retry(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one"), .status(429, headers: ["Retry-After": "9"]), .text("two"))
      let resource = fixture.text("a")
      resource.retry()
      #expect(!resource.isLoading, "nothing was loaded")
      await resource.load().completed()
      resource.retry()
      #expect(!resource.isLoading, "nothing failed")
      await resource.load().completed()
      let recorder = fixture.record(resource)
      resource.retry()
      resource.retry()
      #expect(recorder.drain() == [.requested])
      await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "two" && resource.latestError == nil)
      #expect(fixture.stub.requests.count == 3)
      resource.retry()
      #expect(!resource.isLoading, "the error is cleared")
    }
  }

  @Test("A list: first load, content, appending, failed at its end", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]]) { $0.prefetchDistance = 0 }
      let list = fixture.list
      fixture.fail(2)
      list.loadIfNeeded()
      #expect(ResourceStatus(of: list).phase == .loading)
      await list.settled()
      #expect(ResourceStatus(of: list).phase == .content)
      list.loadMore()
      #expect(ResourceStatus(of: list).phase == .appending)
      await list.settled()
      let failed = ResourceStatus(of: list)
      guard case .failed = failed.phase else {
        Issue.record("\(failed)")
        return
      }
      #expect(failed.hasContent && failed.isAppendFailure)
      fixture.stub.forgetRequests()
      fixture.serve([[1, 2], [3]])
      failed.retry()
      await list.settled()
      #expect(fixture.asked == [2])
      #expect(ResourceStatus(of: list).phase == .content)
      failed.retry()
      #expect(!list.isLoading, "what was loaded since is left alone")
      // What a refresh does not get is none.
      fixture.fail(1)
      await list.refreshAndWait()
      let refreshed = ResourceStatus(of: list)
      #expect(refreshed.canRetry && refreshed.hasContent && !refreshed.isAppendFailure)
    }
  }

  @Test(
    "A page that is shown and loads again is not appended, nor is its failure",
    arguments: StoreActor.allCases)
  func revalidated(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let list = fixture.list
      await fixture.loadAll()
      fixture.fail(1)
      for invalidates in [false, true] {
        if invalidates {
          fixture.service.invalidate()
        } else {
          fixture.clock.advance(by: .seconds(3600))
          list.loadIfNeeded()
        }
        #expect(list.isLoading && ResourceStatus(of: list).phase == .content)
        await list.settled()
        let failed = ResourceStatus(of: list)
        guard case .failed = failed.phase else {
          Issue.record("\(failed)")
          return
        }
        #expect(failed.hasContent && !failed.isAppendFailure)
        fixture.clock.advance(by: .seconds(3600))
      }
    }
  }

  @Test(
    "No connection, and a server that asks to wait, have phases of their own",
    arguments: StoreActor.allCases)
  func offlineAndLimited(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .failure(TransportError(.unreachable, "no network")))
      fixture.stub.on(.get, "/b", .status(429, headers: ["Retry-After": "9"]))
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      await a.load().completed()
      guard case .offline = ResourceStatus(of: a).phase else {
        Issue.record("\(ResourceStatus(of: a))")
        return
      }
      let first = ResourceStatus(of: a, b)
      await b.load().completed()
      #expect(
        ResourceStatus(of: a, b).phase
          == .rateLimited(until: fixture.clock.date.addingTimeInterval(9)))
      // What the server asks to wait for is not retried before that.
      let limited = ResourceStatus(of: b)
      #expect(!limited.canRetry && ResourceStatus(of: a, b).canRetry)
      #expect(ResourceStatus(of: a, b) == ResourceStatus(of: b, a))
      ResourceStatus(of: a, b).retry()
      #expect(a.isLoading && !b.isLoading)
      await a.settled()
      #expect(!a.isLoading && a.latestError != nil)
      fixture.clock.advance(by: .seconds(10))
      guard case .offline = ResourceStatus(of: a, b).phase else {
        Issue.record("\(ResourceStatus(of: a, b))")
        return
      }
      #expect(ResourceStatus(of: b).canRetry)
      #expect(ResourceStatus(of: a, b).phase == first.phase)
      #expect(ResourceStatus(of: a, b) != first, "it retries one more")
      // What decides is the time of the call.
      limited.retry()
      #expect(b.isLoading)
    }
  }

  @Test(
    "A wait that the server asked for is the same for a resource, a list and a paginator",
    arguments: StoreActor.allCases)
  func waitingSources(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.get, "/rows?page=1", .status(503, headers: ["Retry-After": "5"]))
      let style = PageStyle.pageNumber("page")
      let list = fixture.service.pages("rows?page=1", of: Int.self, style: style)
      let paginator = fixture.service.paginator("rows?page=:currentPage", of: Int.self)
      let changed = Locked(false)
      try paginator.loadPage(1)
      withObservationTracking {
        #expect(ResourceStatus(of: paginator).phase == .loading)
      } onChange: {
        changed.withLock { $0 = true }
      }
      list.loadIfNeeded()
      await until { list.state != .loading }
      await until { changed.withLock { $0 } }
      let expected = ResourceStatus.Phase.rateLimited(
        until: fixture.clock.date.addingTimeInterval(5))
      #expect(ResourceStatus(of: list.firstPage).phase == expected)
      #expect(ResourceStatus(of: list).phase == expected)
      #expect(ResourceStatus(of: paginator).phase == expected)
      list.cancelLoad()
      paginator.cancelLoad()
    }
  }

  @Test(
    "A wait before an attempt is a limit where the server asked for it",
    arguments: StoreActor.allCases)
  func waiting(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "5"]))
      let resource = fixture.text("a")
      let changed = Locked(false)
      let request = resource.load()
      withObservationTracking {
        #expect(ResourceStatus(of: resource).phase == .loading)
      } onChange: {
        changed.withLock { $0 = true }
      }
      await withCheckedContinuation { waiting in
        request.onWait { if $0 != nil { waiting.resume() } }
      }
      #expect(changed.withLock { $0 })
      #expect(
        ResourceStatus(of: resource).phase
          == .rateLimited(until: fixture.clock.date.addingTimeInterval(5)))
      resource.cancelLoad()
      #expect(ResourceStatus(of: resource).phase == .idle)
    }
  }

  @Test(
    "What tracks a status is notified when a retry is possible", arguments: StoreActor.allCases)
  func retryDatePasses(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      for path in ["/a", "/list", "/rows?page=1"] {
        fixture.stub.on(.get, path, .status(429, headers: ["Retry-After": "9"]))
      }
      let a = fixture.text("a")
      let list = fixture.service.pages("list", of: Int.self)
      let rows = fixture.service.paginator("rows?page=:currentPage", of: Int.self)
      for source in [a, list, rows] as [any StatusSource] {
        await a.load().completed()
        list.refresh()
        await list.settled()
        try rows.loadPage(1)
        await rows.settled()
        #expect(fixture.clock.timers.isEmpty, "nothing has read it")
        let changed = Locked(0)
        func draw() -> Bool {
          withObservationTracking {
            ResourceStatus(of: source).canRetry
          } onChange: {
            changed.withLock { $0 += 1 }
          }
        }
        #expect(!draw())
        #expect(!ResourceStatus(of: source).canRetry)
        // One timer for all that read it.
        await until { fixture.clock.timers.count == 1 }
        fixture.clock.advance(by: .seconds(9))
        await until { changed.withLock { $0 } == 1 }
        #expect(draw())
        #expect(fixture.clock.timers.isEmpty)
      }
    }
  }

  @Test(
    "The first rule that applies decides, and only what failed is retried",
    arguments: StoreActor.allCases)
  func rules(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      fixture.stub.on(.get, "/b", .status(500))
      let (a, b, c) = (fixture.text("a"), fixture.text("b"), fixture.text("c"))
      await a.load().completed()
      await b.load().completed()
      #expect(ResourceStatus(of: [a, b, c], rules: [.anyContent, .error]).phase == .content)
      #expect(ResourceStatus(of: [a, c], rules: [.allContent]).phase == .idle)
      #expect(ResourceStatus(of: [], rules: ResourceStatus.Rule.allCases).phase == .idle)
      fixture.stub.forgetRequests()
      let status = ResourceStatus(of: a, b)
      #expect(status == ResourceStatus(of: b, a))
      #expect(status != ResourceStatus(of: a))
      status.retry()
      await b.load().completed()
      #expect(fixture.stub.requests.allSatisfy { $0.url.path == "/b" })
    }
  }

  /// Against the rules as the documentation words them, one after the other.
  @Test("Any combination of sources is decided as documented")
  func model() throws {
    var random = SeededGenerator(seed: 14)
    let error = ResourceError(.http, "500", status: 500, timestamp: .distantPast)
    let offline = ResourceError(.unreachable, "no network", timestamp: .distantPast)
    for _ in 0..<5_000 {
      let parts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        var part = ResourceStatus.Part()
        part.hasContent = .random(using: &random)
        part.isEmpty = .random(using: &random)
        part.isLoading = .random(using: &random)
        part.isAppending = part.isLoading && part.hasContent && .random(using: &random)
        part.latestError = [nil, error, offline].randomElement(using: &random) ?? nil
        part.retryDate = Int.random(in: 0..<6, using: &random) == 0 ? .distantFuture : nil
        return part
      }
      let rules = ResourceStatus.Rule.allCases.shuffled(using: &random)
      let phase = rules.lazy.compactMap { $0.phase(of: parts) }.first ?? .idle
      let shown = parts.filter(\.hasContent)
      let failed = parts.filter { $0.latestError != nil && !$0.isLoading }
      switch phase {
      case .loading: #expect(parts.contains { $0.isLoading && !$0.hasContent })
      case .appending: #expect(parts.contains { $0.isAppending })
      case .rateLimited: #expect(parts.contains { $0.retryDate != nil })
      case .offline: #expect(failed.contains { $0.latestError == offline })
      case .failed: #expect(!failed.isEmpty && !failed.contains { $0.latestError == offline })
      case .content: #expect(!shown.allSatisfy { $0.isEmpty })
      case .empty: #expect(!shown.isEmpty && shown.contains { $0.isEmpty })
      case .idle: #expect(shown.isEmpty && failed.isEmpty)
      }
    }
  }
}
