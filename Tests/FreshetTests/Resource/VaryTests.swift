import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Content for a request with other header fields", .standardTimeLimit)
@MainActor struct VaryTests {
  /// Header fields of the configuration that a test changes.
  private final class Headers {
    var value: HTTPHeaders = [:]
  }

  private let headers = Headers()

  private func fixture(cache: MemoryCache? = nil) -> ServiceFixture {
    ServiceFixture { [headers] in
      $0.headers = headers.value
      $0.cache = cache
    }
  }

  private func set(_ value: HTTPHeaders, _ fixture: ServiceFixture) {
    headers.value = value
    fixture.service.reapplyConfiguration()
  }

  @Test("Content is stale while the request has other values for what Vary names")
  func memory() async throws {
    let fixture = fixture()
    set(["Accept-Language": "en"], fixture)
    fixture.stub.on(.get, "/a", .text("one", headers: ["Vary": "Accept-Language"]))
    let resource = fixture.text("a")
    await resource.load().completed()
    #expect(resource.isUpToDate)
    set(["Accept-Language": "en", "X-Other": "1"], fixture)
    #expect(resource.isUpToDate && resource.loadIfNeeded() == nil)
    set(["Accept-Language": "de"], fixture)
    #expect(!resource.isUpToDate && resource.content == "one")
    set([:], fixture)
    #expect(!resource.isUpToDate)
    set(["accept-language": "en"], fixture)
    #expect(resource.isUpToDate && resource.loadIfNeeded() == nil)
    set(["Accept-Language": "de"], fixture)
    fixture.stub.on(.get, "/a", .text("eins", headers: ["Vary": "Accept-Language"]))
    await resource.loadIfNeeded()?.completed()
    #expect(resource.content == "eins" && resource.isUpToDate)
    #expect(fixture.stub.requests.count == 2)
  }

  @Test("What another request got is not confirmed")
  func validators() async throws {
    let fixture = fixture()
    let vary: HTTPHeaders = [
      "Vary": "Accept-Language", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
    ]
    set(["Accept-Language": "en"], fixture)
    fixture.stub.on(.get, "/a", .text("one", headers: vary))
    await fixture.text("a").load().completed()
    await fixture.text("a").load().completed()
    #expect(fixture.stub.requests.map { $0.headers["If-Modified-Since"] != nil } == [false, true])
    set(["Accept-Language": "de"], fixture)
    await fixture.text("a").load().completed()
    await fixture.text("a").load().completed()
    #expect(
      fixture.stub.requests.map { $0.headers["If-Modified-Since"] != nil } == [
        false, true, false, true,
      ])
  }

  @Test("A response to a request of an earlier configuration is stale when it arrives")
  func changedDuringLoad() async throws {
    let fixture = fixture()
    set(["Accept-Language": "en"], fixture)
    let gate = fixture.stub.hold(.get, "/a")
    let resource = fixture.text("a")
    var seen: [Bool] = []
    let token = resource.observe { resource, event in
      if case .newData = event { seen.append(resource.isUpToDate) }
    }
    let request = resource.load()
    await gate.arrived()
    set(["Accept-Language": "de"], fixture)
    // The configuration that the resource has seen is the new one by then.
    #expect(!resource.isUpToDate)
    gate.release(with: .text("one", headers: ["Vary": "Accept-Language"]))
    await request.completed()
    #expect(seen == [false] && !resource.isUpToDate)
    token.cancel()
  }

  @Test("An entry of the persistent cache is for requests with the same values")
  func persistent() async throws {
    let cache = MemoryCache()
    let first = fixture(cache: cache)
    set(["Authorization": "Bearer hers"], first)
    first.stub.on(.get, "/a", .text("hers", headers: ["Vary": "Accept, Authorization"]))
    await first.text("a").load().completed()
    await cache.writes(atLeast: 1)
    let entry = try #require(await cache.peek(first.text("a").key))
    #expect(entry.variant != 0)
    #expect(!String(decoding: try JSONEncoder().encode(entry), as: UTF8.self).contains("Bearer"))

    let same = fixture(cache: cache)
    await same.text("a").loadIfNeeded()?.completed()
    #expect(same.text("a").content == "hers" && same.stub.requests.isEmpty)

    let other = fixture(cache: cache)
    set(["Authorization": "Bearer his"], other)
    other.stub.on(.get, "/a", .text("his", headers: ["Vary": "Accept, Authorization"]))
    let recorder = other.record(other.text("a"))
    await other.text("a").loadIfNeeded()?.completed()
    #expect(recorder.drain() == [.requested, .newData(.network)])
    #expect(other.text("a").content == "his")
    #expect(other.stub.requests.map { $0.headers["If-None-Match"] } == [nil])
  }

  @Test("An entry whose 304 first names a field in Vary is for requests with the same value")
  func changedVary() async throws {
    let cache = MemoryCache()
    let fixture = fixture(cache: cache)
    set(["Accept-Language": "en"], fixture)
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
      .status(304, headers: ["ETag": "\"1\"", "Vary": "Accept-Language"]))
    await fixture.text("a").load().completed()
    await fixture.text("a").load().completed()
    #expect(fixture.text("a").isUpToDate)
    await fixture.service.flushCache()

    let same = self.fixture(cache: cache)
    await same.text("a").loadIfNeeded()?.completed()
    #expect(same.text("a").content == "one" && same.stub.requests.isEmpty)

    set(["Accept-Language": "de"], fixture)
    #expect(!fixture.text("a").isUpToDate)
    let other = self.fixture(cache: cache)
    other.stub.on(.get, "/a", .text("eins", headers: ["Vary": "Accept-Language"]))
    await other.text("a").loadIfNeeded()?.completed()
    #expect(other.text("a").content == "eins")
    #expect(other.stub.requests.map { $0.headers["If-None-Match"] } == [nil])
  }

  @Test(
    "A 304 does not confirm an entry that another request got, though the validators are the same")
  func confirmedVariant() async throws {
    let cache = MemoryCache()
    let tag: HTTPHeaders = ["ETag": "W/\"1\"", "Vary": "Accept-Language"]
    let english = fixture(cache: cache)
    set(["Accept-Language": "en"], english)
    english.stub.on(.get, "/a", .text("one", headers: tag), .status(304, headers: tag))
    await english.text("a").load().completed()
    let german = ServiceFixture {
      $0.headers = ["Accept-Language": "de"]
      $0.cache = cache
    }
    german.stub.on(.get, "/a", .text("eins", headers: tag))
    await german.text("a").load().completed()
    await english.text("a").load().completed()
    await english.service.flushCache()
    #expect(english.text("a").content == "one")

    let next = fixture(cache: cache)
    next.stub.on(.get, "/a", .text("one", headers: tag))
    await next.text("a").loadIfNeeded()?.completed()
    #expect(next.text("a").content == "one")
  }

  /// A service whose decoration sets a field.
  private func decorating(
    _ name: String, _ value: String, _ cache: MemoryCache, statesFreshness: Bool = true,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) -> ServiceFixture {
    ServiceFixture {
      $0.log = { if $0.category == .cacheFailure { log($0.message) } }
      $0.cache = cache
      $0.userIdentifier = "me"
      $0.responseFreshness = statesFreshness ? .init() : nil
      $0.decorate {
        var request = $0
        request.headers[name] = value
        return request
      }
    }
  }

  @Test(
    "What depends on a field that a decoration sets is not stored, nor fresh as the response states",
    arguments: [true, false])
  func decorated(statesFreshness: Bool) async throws {
    let cache = MemoryCache()
    let stated: HTTPHeaders = [
      "Vary": "Accept, Accept-Language", "Cache-Control": "max-age=3600", "ETag": "\"1\"",
    ]
    let german = decorating("accept-language", "de", cache, statesFreshness: statesFreshness)
    german.stub.on(.get, "/a", .text("eins", headers: stated), .status(304, headers: stated))
    for _ in 0..<2 {
      await german.text("a").load().completed()
      await german.service.flushCache()
      #expect(german.text("a").isUpToDate == !statesFreshness)
      #expect(await cache.peek(german.text("a").key) == nil)
    }
    #expect(german.stub.requests.last?.headers["If-None-Match"] == "\"1\"")

    let english = decorating("Accept-Language", "en", cache, statesFreshness: statesFreshness)
    english.stub.on(.get, "/a", .text("one", headers: stated))
    let recorder = english.record(english.text("a"))
    await english.text("a").loadIfNeeded()?.completed()
    #expect(recorder.drain() == [.requested, .newData(.network)])
    #expect(english.text("a").content == "one")
  }

  @Test(
    "A date alone does not confirm what depends on a field that a decoration sets; a tag does",
    arguments: [nil, "\"1\""], ["Accept-Language", "Accept"])
  func decoratedDate(tag: String?, vary: String) async throws {
    let language = Locked("de")
    let fixture = ServiceFixture {
      $0.decorate {
        var request = $0
        request.headers["Accept-Language"] = language.withLock { $0 }
        return request
      }
    }
    let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    fixture.stub.on(.get, "/a") { request in
      // As servers do: a tag is of one representation, and takes precedence over a date.
      let isConfirmed =
        request.headers["If-None-Match"] == nil && request.headers["If-Modified-Since"] != nil
      guard !isConfirmed else { return .status(304) }
      var headers: HTTPHeaders = ["Vary": vary, "Last-Modified": date]
      headers["ETag"] = tag
      return .text(request.headers["Accept-Language"] ?? "", headers: headers)
    }
    let resource = fixture.text("a")
    await resource.load().completed()
    language.withLock { $0 = "en" }
    await resource.load().completed()
    let isKept = tag == nil && vary == "Accept"
    #expect(resource.content == (isKept ? "de" : "en"))
    let sent = try #require(fixture.stub.requests.last).headers
    #expect(sent["If-None-Match"] == tag)
    #expect((sent["If-Modified-Since"] != nil) == (tag != nil || isKept))
    #expect(fixture.stub.requests.count == 2)
  }

  @Test("That such a response is not stored is logged once for each field")
  func reported() async {
    let messages = Locked<[String]>([])
    let fixture = decorating("Accept", "text/plain", MemoryCache()) { message in
      messages.withLock { $0.append(message) }
    }
    for (path, vary) in [("a", "Origin"), ("b", "Origin, accept"), ("c", "Accept")] {
      fixture.stub.on(.get, "/\(path)", .text("one", headers: ["Vary": vary]))
      await fixture.text(path).load().completed()
    }
    #expect(messages.withLock { $0 }.count == 1)
    let message = messages.withLock { $0 }.first ?? ""
    #expect(message.contains("/b is not stored"), "\(message)")
    #expect(message.contains("a decoration changes Accept, by which the response varies"))
  }

  @Test(
    "A field that a decoration sets does not matter where Vary does not name it, nor a credential",
    arguments: [("Accept-Language", "Accept"), ("Authorization", "Authorization")])
  func decoratedOtherwise(name: String, vary: String) async throws {
    let cache = MemoryCache()
    let fixture = decorating(name, "de", cache)
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["Vary": vary, "Cache-Control": "max-age=3600"]))
    await fixture.text("a").load().completed()
    await fixture.service.flushCache()
    #expect(fixture.text("a").isUpToDate)
    #expect(await cache.peek(fixture.text("a").key) != nil)
  }

  @Test("Content of a PUT is stale where its request had other values")
  func adopted() async throws {
    let fixture = fixture()
    fixture.service.configure(methods: [.put]) { $0.headers["Accept-Language"] = "en" }
    fixture.stub.on(.put, "/a", .text("one", headers: ["Vary": "Accept-Language"]))
    let resource = fixture.text("a")
    await resource.load(using: resource.request(.put)).completed()
    #expect(resource.content == "one" && !resource.isUpToDate)
    resource.overrideLocalContent("mine")
    #expect(resource.isUpToDate)
  }

  @Test(
    "The digest depends on the values of the named fields, and on nothing else",
    arguments: 1...5 as ClosedRange<UInt64>)
  func digest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = ["Accept", "Accept-Language", "Cookie", "X-A", "X-B"]
    func request(_ values: [String]) -> HTTPHeaders {
      HTTPHeaders(
        zip(names, values).filter { !$0.1.isEmpty }.shuffled(using: &random)
          .map { .init(name: $0.0, value: $0.1) })
    }
    for _ in 0..<500 {
      let named = names.filter { _ in random.chance(0.4) }
      let vary = HTTPHeaders(
        named.shuffled(using: &random).map { .init(name: "vary", value: $0.lowercased()) })
      let left = names.map { _ in random.pick(["", "1", "2"]) }
      let right = names.map { _ in random.pick(["", "1", "2"]) }
      let isSame = zip(names, zip(left, right)).allSatisfy { name, values in
        !named.contains(name) || values.0 == values.1
      }
      let digests = [left, right].map { HTTPVariant.digest(of: request($0), varyingBy: vary) }
      #expect((digests[0] == digests[1]) == isSame, "seed \(seed)")
    }
  }
}
