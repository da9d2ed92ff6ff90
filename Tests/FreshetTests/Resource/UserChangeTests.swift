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
      $0.account = credentials.account
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
    fixture.service.configurationChanged()
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    let later = launch()
    await later.text("a").loadIfNeeded()?.completed()
    #expect(later.text("a").content == "one" && later.stub.requests.isEmpty)
  }

  @Test("A fresh entry of the user ends the load, whoever got what was shown before")
  func freshEntry() async {
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("of A"))
    let resource = fixture.text("a")
    await resource.load().completed()
    credentials.account = "B"
    fixture.service.configurationChanged()
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
    resource.placehold(item.erased, asOf: 0)
    #expect(resource.content == "item" && !resource.isUpToDate)
    fixture.service.configurationChanged()
    let recorder = fixture.record(resource)
    await resource.loadIfNeeded()?.completed()
    #expect(recorder.events == [.requested, .newData(.cache)])
    #expect(resource.content == "whole" && resource.isUpToDate)
  }
}
