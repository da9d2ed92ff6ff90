import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A response with an earlier date may be that of a cache on the way, so the server is asked once more, past such
/// caches. Then the order of the requests decides: what a server was restored to from a backup is older by its
/// dates, and is what it has now.
@Suite("A response with an earlier date than the one before", .standardTimeLimit)
struct OlderResponseTests {
  private static let newer: HTTPHeaders = [
    "Date": "Sat, 10 Jan 2026 00:00:10 GMT", "Last-Modified": "Fri, 09 Jan 2026 00:00:00 GMT",
    "ETag": "\"2\"",
  ]
  private static let older: HTTPHeaders = [
    "Date": "Sat, 10 Jan 2026 00:00:00 GMT", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
    "ETag": "\"1\"",
  ]

  @Test("Is asked for once more, and what comes then counts", arguments: StoreActor.allCases)
  func cacheOnTheWay(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      var newest = Self.newer
      newest["ETag"] = "\"3\""
      fixture.stub.on(
        .get, "/a", .text("newer", headers: Self.newer), .text("older", headers: Self.older),
        .text("newest", headers: newest))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      for content in ["newer", "newest"] {
        _ = try await resource.load().value()
        #expect(resource.content == content)
      }
      #expect(
        recorder.events == [.requested, .newData(.network), .requested, .newData(.network)])
      #expect(
        fixture.stub.requests.map { $0.headers["Cache-Control"] } == [nil, nil, "no-cache"])
    }
  }

  @Test(
    "Replaces it where the server says so again, in memory and in the persistent cache",
    arguments: StoreActor.allCases)
  func laterRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(
        .get, "/a", .text("newer", headers: Self.newer), .text("older", headers: Self.older),
        .text("older", headers: Self.older), .status(304, headers: Self.older))
      let resource = fixture.text("a")
      for content in ["newer", "older", "older"] {
        _ = try await resource.load().value()
        #expect(resource.content == content)
      }
      let conditions = fixture.stub.requests.map { $0.headers["If-None-Match"] }
      #expect(conditions == [nil, "\"2\"", nil, "\"1\""])
      await fixture.service.flushCache()
      #expect(await cache.text(of: resource.key) == "older")
    }
  }

  @Test("Is dropped where its request is the older one", arguments: StoreActor.allCases)
  func earlierRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let gate = fixture.stub.hold(.get, "/a")
      let resource = fixture.text("a")
      let first = resource.load()
      await gate.arrived()
      fixture.stub.on(.get, "/a", .text("older", headers: Self.older))
      _ = try await resource.load().value()
      gate.release(with: .text("newer", headers: Self.newer))
      await first.completed()
      #expect(resource.content == "older")
      await fixture.service.flushCache()
      #expect(await cache.text(of: resource.key) == "older")
    }
  }
}
