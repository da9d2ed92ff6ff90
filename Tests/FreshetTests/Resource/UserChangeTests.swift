import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a change of the user means for loads and entries", .standardTimeLimit)
@MainActor struct UserChangeTests {
  private final class Credentials {
    var account: String? = "A"
    var key = 0
  }

  private let cache = MemoryCache()
  private let credentials = Credentials()

  private func launch() -> ServiceFixture {
    ServiceFixture { [cache, credentials] in
      $0.cache = cache
      $0.userIdentifier = credentials.account
      if credentials.key > 0 { $0.headers["Idempotency-Key"] = "\(credentials.key)" }
    }
  }

  @Test("A key of a request is no user: its content stays fresh, and its entry is found")
  func idempotencyKey() async {
    (credentials.account, credentials.key) = (nil, 1)
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("one"))
    let resource = fixture.text("a")
    await resource.load().completed()
    credentials.key = 2
    fixture.service.reapplyConfiguration()
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    let later = launch()
    await later.text("a").loadIfNeeded()?.completed()
    #expect(later.text("a").content == "one" && later.stub.requests.isEmpty)
  }

  @Test("A load of another user is not joined, and its response makes nothing fresh")
  func otherLoad() async throws {
    let fixture = launch()
    let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
    let resource = fixture.text("a")
    let first = resource.load()
    await gates[0].arrived()
    #expect(resource.loadIfNeeded() === first)
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    let second = try #require(resource.loadIfNeeded())
    try #require(second !== first)
    #expect(resource.loadIfNeeded() === second)
    await gates[1].arrived()
    gates[0].release(with: .text("of A"))
    await first.completed()
    #expect(resource.content == "of A" && !resource.isUpToDate)
    // User B has no entry of it.
    await fixture.service.flushCache()
    let later = launch()
    later.stub.on(.get, "/a", .text("of B"))
    let recorder = later.record(later.text("a"))
    await later.text("a").loadIfNeeded()?.completed()
    #expect(recorder.events == [.requested, .newData(.network)])
    gates[1].release(with: .text("of B"))
    await second.completed()
    #expect(resource.content == "of B" && resource.isUpToDate && !resource.isLoading)
  }

  @Test("A change of the configuration that is none of the user leaves the load")
  func sameUser() async {
    let fixture = launch()
    let gate = fixture.stub.hold(.get, "/a")
    let resource = fixture.text("a")
    let first = resource.load()
    await gate.arrived()
    fixture.service.reapplyConfiguration()
    #expect(resource.loadIfNeeded() === first)
    gate.release(with: .text("of A"))
    await first.completed()
    #expect(resource.isUpToDate)
  }

  @Test("A list does not wait for a first page that loads for another user")
  func awaitedPage() async {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .json("[2]"))
    let gate = fixture.stub.hold(.get, "/a")
    let list = fixture.service.pages("a", of: Int.self, style: .linkHeader)
    list.loadIfNeeded()
    await gate.arrived()
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    list.loadIfNeeded()
    gate.release(with: .json("[1]"))
    await list.settled()
    #expect(list.items == [2] && list.state == .ended && list.firstPage.isUpToDate)
    #expect(fixture.stub.requests.count == 2)
  }

  @Test("A list waits for its first page after a change that is none of the user")
  func awaitedPageOfSameUser() async {
    let fixture = launch()
    let gate = fixture.stub.hold(.get, "/a")
    let list = fixture.service.pages("a", of: Int.self, style: .linkHeader)
    list.loadIfNeeded()
    await gate.arrived()
    fixture.service.reapplyConfiguration()
    list.loadIfNeeded()
    gate.release(with: .json("[1]"))
    await list.settled()
    #expect(list.items == [1] && list.state == .ended && list.firstPage.isUpToDate)
    #expect(fixture.stub.requests.count == 1)
  }

  @Test("Nor does it wait for such a page before the first one")
  func awaitedPreviousPage() async {
    let fixture = launch()
    let next: HTTPHeaders = ["Link": "</a?page=2>; rel=\"next\""]
    let previous: HTTPHeaders = ["Link": "</a?page=1>; rel=\"prev\""]
    fixture.stub.on(.get, "/a?page=1", .json("[10]", headers: next))
    fixture.stub.on(
      .get, "/a?page=2", .json("[2]", headers: previous), .json("[20]", headers: previous))
    let list = fixture.service.pages("a?page=2", of: Int.self, style: .linkHeader)
    list.loadIfNeeded()
    await list.settled()
    let gate = fixture.stub.hold(.get, "/a?page=1")
    list.loadPreviousPage()
    await gate.arrived()
    var shown: [[Int]] = []
    let token = list.observe { list, _ in shown.append(list.items) }
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    list.loadIfNeeded()
    gate.release(with: .json("[1]", headers: next))
    await list.settled()
    #expect(list.items == [10, 20] && list.pages.allSatisfy(\.isUpToDate))
    #expect(!shown.contains { $0.contains(1) }, "\(shown)")
    withExtendedLifetime(token) {}
    #expect(fixture.stub.requests.count == 4)
  }

  @Test("Fresh content is that of the user of now, also where that changes during the load")
  func freshContent() async throws {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("of B"))
    let gate = fixture.stub.hold(.get, "/a")
    let resource = fixture.text("a")
    let content = Task { try await resource.freshContent() }
    await gate.arrived()
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    gate.release(with: .text("of A"))
    #expect(try await content.value == "of B")
    #expect(resource.isUpToDate && fixture.stub.requests.count == 2)
  }

  @Test(
    "A refusal of one user, however long it is fresh, holds back no other one",
    arguments: [false, true])
  func refusal(isLate: Bool) async {
    let fixture = launch()
    fixture.service.configure {
      $0.responseFreshness = .init()
      $0.failureCooldown = .seconds(60)
    }
    fixture.stub.on(.get, "/a", .text("of B"))
    let gate = fixture.stub.hold(.get, "/a")
    let resource = fixture.text("a")
    let first = resource.load()
    await gate.arrived()
    if isLate { change(to: "B", in: fixture) }
    gate.release(with: .status(404, headers: ["Cache-Control": "max-age=3600"]))
    await first.completed()
    change(to: "A", in: fixture)
    #expect(resource.latestError?.status == 404 && resource.loadIfNeeded() == nil)
    change(to: "B", in: fixture)
    await resource.loadIfNeeded()?.completed()
    #expect(resource.content == "of B" && resource.isUpToDate)
  }

  @Test("A time that the server names holds for every user")
  func retryAfter() async {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "60"]), .text("of B"))
    let resource = fixture.text("a")
    await resource.load().completed()
    change(to: "B", in: fixture)
    #expect(resource.loadIfNeeded() == nil)
    fixture.clock.advance(by: .seconds(60))
    await resource.loadIfNeeded()?.completed()
    #expect(resource.content == "of B")
  }

  private func change(to account: String, in fixture: ServiceFixture) {
    credentials.account = account
    fixture.service.reapplyConfiguration()
  }

  @Test("Fresh content is not what was adopted from a request of another user")
  func adoptedContent() async throws {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("of B"))
    let gate = fixture.stub.hold(.put, "/a")
    let resource = fixture.text("a")
    let put = resource.load(using: resource.request(.put))
    await gate.arrived()
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    #expect(resource.loadIfNeeded() === put)
    let content = Task { try await resource.freshContent() }
    gate.release(with: .text("of A"))
    #expect(try await content.value == "of B")
    #expect(resource.isUpToDate)
  }

  @Test("A fresh entry of the user ends the load, whoever got what was shown before")
  func freshEntry() async {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("of A"))
    let resource = fixture.text("a")
    await resource.load().completed()
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    #expect(!resource.isUpToDate)
    resource.wipe()
    await fixture.service.flushCache()

    let other = launch()
    other.stub.on(.get, "/a", .text("of B"))
    await other.text("a").load().completed()
    await other.service.flushCache()

    let recorder = fixture.record(resource)
    await resource.loadIfNeeded()?.completed()
    #expect(recorder.events == [.requested, .newData(.cache)])
    #expect(resource.content == "of B" && resource.isUpToDate)
    #expect(fixture.stub.requests.count == 1)
  }

  @Test("A fresh entry ends the load of a resource that shows the item of a list until then")
  func freshEntryOfItem() async {
    let other = launch()
    other.stub.on(.get, "/a", .text("whole"))
    await other.text("a").load().completed()
    await other.service.flushCache()

    let fixture = launch()
    let resource = fixture.text("a")
    let item = ResourceEntity("item", timestamp: fixture.clock.date)
    resource.showPlaceholder(item.erased, asOf: 0)
    #expect(resource.content == "item" && !resource.isUpToDate)
    fixture.service.reapplyConfiguration()
    let recorder = fixture.record(resource)
    await resource.loadIfNeeded()?.completed()
    #expect(recorder.events == [.requested, .newData(.cache)])
    #expect(resource.content == "whole" && resource.isUpToDate)
  }
}
