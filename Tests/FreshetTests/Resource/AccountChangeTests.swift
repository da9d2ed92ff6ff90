import FreshetTesting
import Testing

@testable import Freshet

@Suite("Content that was loaded before another user signed in", .standardTimeLimit)
@MainActor struct AccountChangeTests {
  private final class Credentials {
    var value = "Bearer A"
  }

  @Test("Content in memory is stale while another user asks, and is not confirmed")
  func memory() async {
    let credentials = Credentials()
    let fixture = ServiceFixture { $0.headers["Authorization"] = credentials.value }
    fixture.stub.on(.get, "/a") { request in
      .text(request.headers["Authorization"] ?? "", headers: ["ETag": "\"1\""])
    }
    let resource = fixture.text("a")
    await resource.load().completed()
    #expect(resource.isUpToDate)
    credentials.value = "Bearer B"
    fixture.service.reapplyConfiguration()
    #expect(!resource.isUpToDate)
    await resource.loadIfNeeded()?.completed()
    #expect(resource.isUpToDate && resource.content == "Bearer B")
    #expect(fixture.stub.requests.last?.headers["If-None-Match"] == nil)
    // A local write belongs to who makes it.
    resource.overrideLocalContent("local")
    fixture.service.reapplyConfiguration()
    #expect(resource.isUpToDate)
  }

  @Test("A header that makes another resource is no reason to be stale")
  func identity() async {
    let credentials = Credentials()
    let fixture = ServiceFixture {
      $0.varyingHeaders = ["Authorization"]
      $0.headers["Authorization"] = credentials.value
    }
    fixture.stub.on(.get, "/a") { .text($0.headers["Authorization"] ?? "") }
    let first = fixture.text("a")
    await first.load().completed()
    credentials.value = "Bearer B"
    fixture.service.reapplyConfiguration()
    #expect(first.isUpToDate && fixture.text("a") !== first)
  }

  @Test(
    "A load that waits for the persistent cache gets what the user has who is signed in by then")
  func changeWhileRestoring() async throws {
    let cache = HeldCache()
    let user = Locked("A")
    func launch() -> ServiceFixture {
      let fixture = ServiceFixture {
        $0.cache = cache
        $0.headers["Authorization"] = user.withLock { $0 }
        $0.freshnessLifetime = .seconds(60)
      }
      fixture.stub.on(.get, "/a") { .text($0.headers["Authorization"] ?? "anyone") }
      return fixture
    }
    let earlier = launch()
    await earlier.text("a").load().completed()
    await earlier.service.flushCache()
    await cache.begun(.entry)
    let fixture = launch()
    await cache.hold(.entry)
    let resource = fixture.text("a")
    let recorder = fixture.record(resource)
    let request = resource.loadIfNeeded()
    await cache.begun(.entry)
    user.withLock { $0 = "B" }
    fixture.service.reapplyConfiguration()
    // Nothing was sent yet, so it will be for the user of then.
    #expect(resource.loadIfNeeded() === request)
    await cache.release()
    await request?.completed()
    #expect(resource.content == "B" && !recorder.events.contains(.newData(.cache)))
    #expect(fixture.stub.requests.map { $0.headers["Authorization"] } == ["B"])
  }

  @Test(
    "A load that waits for the persistent cache ends with a response without its resource too")
  func releasedWhileRestoring() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("a"))
    await cache.hold(.entry)
    let request = fixture.text("a").load()
    await cache.begun(.entry)
    fixture.service.evictUnused()
    await cache.release()
    #expect(try await request.value() == "a")
  }

  @Test("A local write is fresh, also where the user has changed before")
  func localWrite() async {
    let credentials = Credentials()
    let fixture = ServiceFixture { $0.headers["Authorization"] = credentials.value }
    fixture.stub.on(.get, "/a", .text("one"))
    let resource = fixture.text("a")
    await resource.load().completed()
    credentials.value = "Bearer B"
    fixture.service.reapplyConfiguration()
    resource.overrideLocalContent("mine")
    #expect(resource.isUpToDate)
  }

  @Test(
    "An entry of a user that comes too late to be shown makes nothing fresh that another one got")
  func lateEntry() async {
    let (cache, credentials) = (HeldCache(), Credentials())
    let rule = { (configuration: inout Service.Configuration) in
      configuration.cache = cache
      configuration.headers["Authorization"] = credentials.value
    }
    credentials.value = "Bearer B"
    let earlier = ServiceFixture(configure: rule)
    earlier.stub.on(.get, "/a", .text("of B"))
    await earlier.text("a").load().completed()
    await earlier.service.flushCache()
    await cache.begun(.entry)
    credentials.value = "Bearer A"
    let fixture = ServiceFixture(configure: rule)
    let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
    let resource = fixture.text("a")
    let first = resource.load()
    await gates[0].arrived()
    await cache.begun(.entry)
    credentials.value = "Bearer B"
    fixture.service.reapplyConfiguration()
    await cache.hold(.entry)
    let second = resource.load()
    await cache.begun(.entry)
    gates[0].release(with: .text("of A"))
    await first.completed()
    #expect(resource.content == "of A" && !resource.isUpToDate)
    await cache.release()
    await gates[1].arrived()
    #expect(resource.content == "of A" && !resource.isUpToDate)
    gates[1].release(with: .text("of B"))
    await second.completed()
    #expect(resource.content == "of B" && resource.isUpToDate)
  }
}
