import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The order of the caches, and variants", .standardTimeLimit)
struct PendingConfirmationTests {
  private static let key = ResourceKey(gettingPlainly: "https://api.test/a")
  private static let headers: HTTPHeaders = [
    "ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
  ]

  /// A cache with an entry, and a 304 that is to change its header fields.
  private func cache() async -> (cache: HeldCache, work: CacheWork, confirmation: CacheChange) {
    let cache = HeldCache()
    let work = CacheWork(for: ManualClock()) { Issue.record($0) }
    let entry = CachedEntry.text("one", age: 1, ManualClock())
    await cache.put(entry, for: Self.key)
    let confirmation = CacheChange.Confirmation(
      validators: HTTPValidators(entry.response.headers), headers: Self.headers,
      date: entry.timestamp + 1)
    return (cache, work, .confirm(confirmation))
  }

  @Test("A use that began while a confirmation was pending has the entry after it was made")
  @MainActor func confirmedWhilePending() async throws {
    let (cache, work, confirmation) = await cache()
    await cache.hold(.store)
    let first = CacheUse(of: Self.key, in: cache, work)
    first.append(confirmation)
    await cache.begun(.store)
    let second = CacheUse(of: Self.key, in: cache, work)
    let during = try await second.entry()
    #expect(during?.response.headers == Self.headers, "while it is pending")
    await cache.release()
    await CacheQueue.shared.flush(cache)
    let after = try await second.entry()
    #expect(after?.response.headers == Self.headers, "once it was made")
    let third = CacheUse(of: Self.key, in: cache, work)
    #expect(try await third.entry()?.response.headers == Self.headers)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("Two services that are confirmed by one server at once keep the entry")
  @MainActor func confirmedTwice() async throws {
    let (cache, work, confirmation) = await cache()
    let uses = [CacheUse(of: Self.key, in: cache, work), CacheUse(of: Self.key, in: cache, work)]
    for use in uses { use.append(confirmation) }
    await CacheQueue.shared.flush(cache)
    #expect(await cache.entries[Self.key]?.response.headers == Self.headers)
    withExtendedLifetime(uses) {}
  }

  @Test(
    "A local write stays fresh when an unrelated rule is added, in whatever language it was made",
    arguments: ["en", "de"])
  @MainActor func localVariant(language: String) async throws {
    let fixture = ServiceFixture { $0.headers["Accept-Language"] = "en" }
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Vary": "Accept-Language"]))
    let resource = fixture.text("a")
    await resource.load().completed()
    fixture.service.configure { $0.headers["Accept-Language"] = language }
    #expect(resource.isUpToDate == (language == "en"))
    var entity = try #require(resource.latestData)
    entity.content = "mine"
    resource.overrideLocalContent(entity)
    #expect(resource.isUpToDate)
    fixture.service.configure("other") { $0.timeout = .seconds(1) }
    #expect(resource.isUpToDate, "after a rule for another path")
  }
}
