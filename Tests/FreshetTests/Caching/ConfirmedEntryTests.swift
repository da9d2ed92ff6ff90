import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a 304 does to the persistent cache", .standardTimeLimit)
@MainActor struct ConfirmedEntryTests {
  @Test("A 304 about an earlier response removes the entry of a newer one")
  func supersededConfirmation() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    let resource = fixture.text("a")
    fixture.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]))
    _ = try await resource.load().value()
    await cache.written(resource.key)
    let (first, second) = (fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a"))
    let older = resource.load()
    await first.arrived()
    let newer = resource.load()
    await second.arrived()
    first.release(with: .text("two", headers: ["ETag": "\"2\""]))
    _ = try await older.value()
    await cache.written(resource.key)
    second.release(with: .status(304, headers: ["ETag": "\"1\""]))
    _ = try await newer.value()
    await cache.written(resource.key)
    #expect(resource.content == "one")
    // The entry of the newer response is removed: its body is not what the server confirmed.
    #expect(await cache.entries[resource.key] == nil)
    // After the next start of the program: the server has "one", and says so.
    let next = Service(
      baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock,
      isolation: MainActor.shared)
    next.configure { $0.cache = cache }
    fixture.stub.on(.get, "/a") { request in
      request.headers["If-None-Match"] == "\"1\""
        ? .status(304, headers: ["ETag": "\"1\""]) : .text("one", headers: ["ETag": "\"1\""])
    }
    let again = next.resource("a", of: String.self)
    _ = try await again.load().value()
    #expect(again.content == "one")
  }

  @Test("The same for two resources of one request")
  func twoTypes() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    let (text, data) = (fixture.text("a"), fixture.service.resource("a", of: Data.self))
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .text("two", headers: ["ETag": "\"2\""])
    )
    _ = try await text.load().value()
    await cache.written(text.key)
    let gate = fixture.stub.hold(.get, "/a")
    let slow = text.load()
    await gate.arrived()
    data.overrideLocalContent(Data())
    _ = try await data.load().value()
    await cache.written(text.key)
    #expect(await cache.text(of: text.key) == "two")
    gate.release(with: .status(304, headers: ["ETag": "\"1\""]))
    _ = try await slow.value()
    await cache.written(text.key)
    #expect(await cache.entries[text.key] == nil)
  }
}
