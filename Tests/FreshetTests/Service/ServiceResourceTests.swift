import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Resources of a service", .standardTimeLimit)
struct ServiceResourceTests {
  private typealias Text = Resource<String>

  @Test("A leading slash makes no difference", arguments: StoreActor.allCases)
  func leadingSlash(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test/v1", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      let plain: Text = service.resource("gists")
      #expect(plain === service.resource("/gists", of: String.self))
      #expect(plain.url?.absoluteString == "https://api.test/v1/gists")
      #expect(plain === service.resource(absoluteURL: "https://api.test/v1/gists", of: String.self))
      #expect(plain !== service.resource("gists/", of: String.self))
      #expect(plain !== service.resource("gists?", of: String.self))
    }
  }

  @Test("Names that differ in their bytes are different resources", arguments: StoreActor.allCases)
  func normalizationForms(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let composed: Text = service.resource("caf\u{E9}")
      let decomposed: Text = service.resource("cafe\u{301}")
      #expect(composed !== decomposed)
      #expect(composed === service.resource("caf%C3%A9", of: String.self))
      #expect(composed !== service.resource("caf%c3%a9", of: String.self))
      #expect(composed.key != decomposed.key)
    }
  }

  @Test("Another content type or decoder is another instance", arguments: StoreActor.allCases)
  func contentTypes(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let text: Text = service.resource("a")
      let data = service.resource("a", of: Data.self)
      let shout = ContentDecoder<String>("shout") {
        String(decoding: $0.response.body, as: UTF8.self)
      }
      let shouted = service.resource("a", decoder: shout)
      #expect(text !== data as AnyResource)
      #expect(text !== shouted)
      #expect(shouted === service.resource("/a", decoder: shout))
      #expect(text.key == data.key)
      #expect(service.resources.count == 3)
    }
  }

  @Test("Decoders of one name for two types give two instances", arguments: StoreActor.allCases)
  func oneNameForTwoTypes(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      // Whichever way is asked first makes the instance.
      let (a, b) = ("https://api.test/a", "https://api.test/b")
      let numbers = service.resource("a", of: [Int].self)
      let number = service.resource("a", of: Int.self)
      #expect(service.resource(absoluteURL: a, of: [Int].self) === numbers)
      #expect(service.resource(absoluteURL: a, of: Int.self) === number)
      let text = service.resource(absoluteURL: b, decoder: Self.same(String.self))
      let data = service.resource(absoluteURL: b, decoder: Self.same(Data.self))
      #expect(service.resource("b", decoder: Self.same(String.self)) === text)
      #expect(service.resource("b", decoder: Self.same(Data.self)) === data)
      #expect(Set(service.resources.map(\.id)) == [numbers.id, number.id, text.id, data.id])
      #expect(service.resources.count == 4)
      numbers.overrideLocalContent([1])
      number.overrideLocalContent(2)
      text.overrideLocalContent("3")
      data.overrideLocalContent(Data([4]))
      #expect(numbers.content == [1] && number.content == 2)
      #expect(text.content == "3" && data.content == Data([4]))
    }
  }

  /// A decoder of the same name, whatever it makes.
  private static func same<Content: Sendable>(_ type: Content.Type) -> ContentDecoder<Content> {
    ContentDecoder("same") { _ in throw CancellationError() }
  }

  @Test(
    "A path and the absolute URL that it stands for are one resource",
    arguments: [
      "a", "/things/12?page=2", "%C3%A9", "a/../b", "é", "", String(repeating: "a/", count: 999),
    ])
  @MainActor func pathsAndURLs(path: String) throws {
    let service = ServiceFixture().service
    let resource = service.resource(path, of: String.self)
    #expect(service.resource(absoluteURL: resource.key.url, of: String.self) === resource)
    #expect(service.resource(path, of: String.self) === resource)
    #expect(service.resources.count == 1)
  }

  @Test("What cannot be used fails its loads and says why", arguments: StoreActor.allCases)
  func unusable(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let broken = Service(baseURL: "no url", transport: stub, clock: clock, isolation: #isolation)
      let cases: [(Text, String)] = [
        (service.resource("https://other.test/a"), "resource(absoluteURL:)"),
        (service.resource(absoluteURL: "a/b"), "absolute"),
        (broken.resource("a"), "base URL"),
        (broken.resource("a", of: String.self).child("b"), "base URL"),
        (broken.resource("a", of: String.self).relative("b"), "base URL"),
        (broken.resource("a", of: String.self).withParameter("b", "1"), "base URL"),
      ]
      for (resource, words) in cases {
        #expect(resource.url == nil)
        let recorder = EventRecorder()
        resource.addObserver(recorder)
        await resource.load().completed()
        #expect(recorder.events == [.observerAdded, .requested, .error])
        #expect(resource.latestError?.kind == .invalidRequest)
        #expect(resource.latestError?.message.contains(words) == true, "\(words)")
        #expect(resource.loadIfNeeded() == nil)
      }
      #expect(stub.requests.isEmpty)
      #expect(service.resources.isEmpty)
    }
  }

  @Test("Resources are found by pattern, and changed by it", arguments: StoreActor.allCases)
  func patterns(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test/v1", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      let held = ["a", "a/1", "a/1/x", "b?a/1"].map { service.resource($0, of: String.self) }
      let other = service.resource(absoluteURL: "https://other.test/v1/a", of: String.self)
      for resource in held + [other] { resource.overrideLocalContent("x") }
      #expect(service.resources(matching: "a/*").map(\.key) == [held[1].key])
      #expect(Set(service.resources(matching: "/a/**").map(\.key)) == Set(held[1...2].map(\.key)))
      #expect(service.resources(matching: "**").count == 4)
      #expect(service.resources(matching: "https://other.test/**").count == 1)
      service.invalidate(matching: "a")
      #expect(held.map(\.isUpToDate) == [false, true, true, true])
      service.wipe(matching: "b")
      #expect(held.map(\.content) == ["x", "x", "x", nil])
      service.wipe(matching: "**")
      #expect(held.allSatisfy { $0.content == nil })
      #expect(other.content == "x")
    }
  }

  @Test("Without a pattern all are meant, on whatever host", arguments: StoreActor.allCases)
  func all(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test/v1", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      let resources: [Text] = [
        service.resource("a"), service.resource("/../outside"),
        service.resource(absoluteURL: "https://other.test/a"),
      ]
      for resource in resources { resource.overrideLocalContent("x") }
      service.invalidate()
      #expect(resources.allSatisfy { !$0.isUpToDate && $0.content == "x" })
      service.wipe()
      #expect(resources.allSatisfy { $0.content == nil })
    }
  }

  @Test(
    "Of a change to many, observers are notified when all have changed",
    arguments: StoreActor.allCases)
  func manyAtOnce(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let owner = Owner()
      let resources: [Text] = ["a", "b", "c"].map { service.resource($0) }
      var seen: [[String?]] = []
      for resource in resources {
        resource.overrideLocalContent("x")
        resource.addObserver(owner: owner) { _, event in
          if event == .newData(.wipe) { seen.append(resources.map(\.content)) }
        }
      }
      service.wipe()
      #expect(seen == [[nil, nil, nil], [nil, nil, nil], [nil, nil, nil]])
    }
  }

  @Test(
    "A query by POST is a resource, distinguished by its body", arguments: StoreActor.allCases)
  func postResources(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.post, "/search", .json("[1]"), .json("[2]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let query = { (body: String) in
        service.resource(
          .post, absoluteURL: "https://api.test/search", body: try JSONText(parsing: body),
          decoder: ContentDecoder<[Int]>.json)
      }
      let first = try query(#"{"q": "x", "page": {"size": 2, "after": null}}"#)
      #expect(try query(#"{"q":"x","page":{"size":2,"after":null}}"#) === first)
      let second = try query(#"{"q": "x"}"#)
      #expect(second !== first)
      _ = try await first.load().value()
      _ = try await second.load().value()
      #expect(first.content == [1])
      #expect(second.content == [2])
      let sent = try #require(stub.requests.first)
      #expect(sent.body == Data(#"{"q": "x", "page": {"size": 2, "after": null}}"#.utf8))
      #expect(sent.headers["Content-Type"] == "application/json")
    }
  }

  @Test(
    "Dropping the service ends its requests and frees everything", arguments: StoreActor.allCases)
  func dropping(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a")
      weak var freed: AnyResource?
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let resource: Text = service.resource("a")
        resource.load()
        freed = resource
        await gate.arrived()
      }
      await gate.cancelled()
      #expect(freed == nil)
    }
  }

  @Test("A resource that is held works on without its service", arguments: StoreActor.allCases)
  func heldResource(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .text("1"))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: String.self)
      let content = try await resource.load().value()
      #expect(content == "1")
      #expect(resource.child("b", of: String.self).url?.absoluteString == "https://api.test/a/b")
    }
  }
}
