import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The order of the caches, and variants", .standardTimeLimit)
struct PendingConfirmationTests {
  private static func entry(_ headers: HTTPHeaders) -> CachedEntry {
    CachedEntry(
      response: HTTPResponse(
        status: 200, headers: headers, body: Data("a".utf8), url: URL(filePath: "/a")),
      timestamp: Date(timeIntervalSince1970: 0))
  }

  @Test("A use that began while a confirmation was pending has the entry after it was made")
  @MainActor func confirmedWhilePending() async throws {
    let cache = HeldCache()
    let key = ResourceKey(gettingPlainly: "https://api.test/a")
    let old: HTTPHeaders = ["ETag": "\"1\""]
    let new: HTTPHeaders = ["ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    await cache.put(Self.entry(old), for: key)
    let work = CacheWork(for: ManualClock()) { Issue.record($0) }
    await cache.hold(.store)
    let first = CacheUse(of: key, in: cache, work)
    first.append(.confirm(HTTPValidators(old), new, date: Date(timeIntervalSince1970: 1)))
    await cache.begun(.store)
    let second = CacheUse(of: key, in: cache, work)
    let during = try await second.entry()
    #expect(during?.response.headers == new, "while it is pending")
    await cache.release()
    await CacheQueue.shared.flush(cache)
    let after = try await second.entry()
    #expect(after?.response.headers == new, "once it was made")
    let third = CacheUse(of: key, in: cache, work)
    #expect(try await third.entry()?.response.headers == new)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("Two services that are confirmed by one server at once keep the entry")
  @MainActor func confirmedTwice() async throws {
    let cache = HeldCache()
    let key = ResourceKey(gettingPlainly: "https://api.test/a")
    let old: HTTPHeaders = ["ETag": "\"1\""]
    let new: HTTPHeaders = ["ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    await cache.put(Self.entry(old), for: key)
    let work = CacheWork(for: ManualClock()) { Issue.record($0) }
    let uses = [CacheUse(of: key, in: cache, work), CacheUse(of: key, in: cache, work)]
    for use in uses {
      use.append(.confirm(HTTPValidators(old), new, date: Date(timeIntervalSince1970: 1)))
    }
    await CacheQueue.shared.flush(cache)
    #expect(await cache.entries[key]?.response.headers == new)
    withExtendedLifetime(uses) {}
  }

  @Test("A local write stays fresh when an unrelated rule is added")
  @MainActor func localVariant() async throws {
    let fixture = ServiceFixture { $0.headers["Accept-Language"] = "en" }
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Vary": "Accept-Language"]))
    let resource = fixture.text("a")
    await resource.load().ended()
    let headers = try #require(resource.latestData).headers
    resource.overrideLocalContent(ResourceEntity("mine", headers: headers))
    #expect(resource.isUpToDate)
    fixture.service.configure("other") { $0.timeout = .seconds(1) }
    #expect(resource.isUpToDate, "after a rule for another path")
  }

  @Test("A local write in another language stays fresh when an unrelated rule is added")
  @MainActor func localVariantInOtherLanguage() async throws {
    let fixture = ServiceFixture { $0.headers["Accept-Language"] = "en" }
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Vary": "Accept-Language"]))
    let resource = fixture.text("a")
    await resource.load().ended()
    fixture.service.configure { $0.headers["Accept-Language"] = "de" }
    #expect(!resource.isUpToDate)
    var entity = try #require(resource.latestData)
    entity.content = "meins"
    resource.overrideLocalContent(entity)
    #expect(resource.isUpToDate)
    fixture.service.configure("other") { $0.timeout = .seconds(1) }
    #expect(resource.isUpToDate, "after a rule for another path")
  }
}
