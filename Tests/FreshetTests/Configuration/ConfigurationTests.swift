import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Configuration", .standardTimeLimit)
struct ConfigurationTests {
  private typealias Text = Resource<String>

  /// A service whose server responds to everything.
  private static func accepting(
    isolation: isolated any Actor = #isolation
  ) -> (stub: StubTransport, service: Service) {
    let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    return (stub, service)
  }

  @Test("Rules apply in order by pattern, method and predicate", arguments: StoreActor.allCases)
  func rules(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, service) = Self.accepting()
      service.configure { $0.headers["X"] = "all" }
      service.configure("a/*") { $0.headers["X", default: ""] += " pattern" }
      service.configure(methods: [.post]) { $0.headers["X", default: ""] += " post" }
      service.configure(where: { _, url in url.lastPathComponent == "2" }) {
        $0.headers["X", default: ""] += " two"
      }
      service.configure("a/*", methods: [.post], where: { method, _ in method == .post }) {
        $0.headers["X", default: ""] += " last"
      }
      let expected = ["a/1": "all pattern", "a/2": "all pattern two", "b": "all", "b/2": "all two"]
      for (path, header) in expected {
        let resource: Text = service.resource(path)
        _ = try await resource.load().value()
        #expect(stub.requests.last?.headers["X"] == header)
        #expect(resource.configuration.headers["X"] == header)
      }
      _ = try await service.resource("a/2", of: String.self).request(.post).value()
      #expect(stub.requests.last?.headers["X"] == "all pattern post two last")
    }
  }

  @Test("The initializer adds the first rule", arguments: StoreActor.allCases)
  func firstRule(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation
      ) {
        $0.headers["X"] = "first"
        $0.headers["Y"] = "first"
      }
      service.configure("a") { $0.headers["X"] = "second" }
      func headers(_ path: String) -> [String?] {
        let headers = service.resource(path, of: String.self).configuration.headers
        return [headers["X"], headers["Y"]]
      }
      #expect(headers("a") == ["second", "first"])
      #expect(headers("b") == ["first", "first"])
    }
  }

  @Test("A change reaches living resources", arguments: StoreActor.allCases)
  func livingResources(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let resource: Text = service.resource("a")
      _ = try await resource.load().value()
      clock.advance(by: .seconds(20))
      #expect(resource.isUpToDate)
      service.configure("a") { $0.freshnessLifetime = .seconds(10) }
      #expect(!resource.isUpToDate)
      service.configure { $0.headers["X"] = "new" }
      _ = try await resource.load().value()
      #expect(stub.requests.map { $0.headers["X"] } == [nil, "new"])
      service.configure("other") { $0.freshnessLifetime = .zero }
      #expect(resource.isUpToDate)
    }
  }

  @Test("A rule that was removed no longer applies", arguments: StoreActor.allCases)
  func removal(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
      var service: Service? = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource = try #require(service?.resource("a", of: String.self))
      let rules = ["one", "two", "three"].map { word in
        service?.configure { $0.headers["X", default: ""] += word }
      }
      for (index, header) in [(1, "onethree"), (1, "onethree"), (0, "three"), (2, "")] {
        rules[index]?.remove()
        _ = try await resource.load().value()
        #expect(stub.requests.last?.headers["X", default: ""] == header)
      }
      service = nil
      rules[0]?.remove()
    }
  }

  @Test(
    "Rules that depend on other state are applied again on request", arguments: StoreActor.allCases)
  func configurationChanged(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      var language = "en"
      service.configure { $0.headers["Accept-Language"] = language }
      let resource: Text = service.resource("a")
      #expect(resource.configuration.headers["Accept-Language"] == "en")
      language = "de"
      #expect(resource.configuration.headers["Accept-Language"] == "en")
      service.reapplyConfiguration()
      #expect(resource.configuration.headers["Accept-Language"] == "de")
    }
  }

  @Test("Headers that select content make other resources", arguments: StoreActor.allCases)
  func varyingHeaders(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, service) = Self.accepting()
      service.configure { $0.headers["Accept-Language"] = "en" }
      service.configure("feed/**") {
        // Depends on the rule before.
        if $0.headers["Accept-Language"] != nil {
          $0.varyingHeaders = ["accept-LANGUAGE", "X-None"]
        }
      }
      let english: Text = service.resource("feed/1")
      let plain: Text = service.resource("plain")
      service.configure { $0.headers["Accept-Language"] = "de" }
      let german: Text = service.resource("feed/1")
      #expect(english !== german)
      #expect(german === service.resource("feed/1", of: String.self))
      #expect(plain === service.resource("plain", of: String.self))
      #expect(german.key.headers.fields.map(\.name) == ["accept-language"])
      #expect(german.withParameter("a", "1").key.headers == german.key.headers)
      for resource in [english, german, plain] { _ = try await resource.load().value() }
      #expect(stub.requests.map { $0.headers["Accept-Language"] } == ["en", "de", "de"])
    }
  }

  @Test("Nothing that identifies the caller leaves the origin", arguments: StoreActor.allCases)
  func otherOrigins(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, service) = Self.accepting()
      service.configure {
        $0.headers = [
          "Authorization": "Basic s3cret", "X-Api-Key": "s3cret", "Cookie": "s3cret",
          "Accept-Language": "en", "User-Agent": "test",
        ]
        $0.varyingHeaders = ["X-Api-Key", "Accept-Language"]
        $0.authorizer = TokenAuthorizer(token: "s3cret") { "s3cret" }
      }
      for url in ["https://other.test/a", "http://api.test/a", "https://api.test:444/a"] {
        _ = try await service.resource(absoluteURL: url, of: String.self).load().value()
        let headers = try #require(stub.requests.last?.headers)
        #expect(
          Set(headers.fields.map { $0.name.lowercased() }) == ["accept-language", "user-agent"])
      }
      _ = try await service.resource(absoluteURL: "https://API.test:443/a", of: String.self)
        .load().value()
      #expect(stub.requests.last?.headers["X-Api-Key"] == "s3cret")
      #expect(stub.requests.last?.headers["Authorization"] == "Bearer s3cret")
    }
  }

  @Test("Decorations run in order, and may wait", arguments: StoreActor.allCases)
  func decorations(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, service) = Self.accepting()
      for name in ["1", "2", "3"] {
        service.configure {
          $0.decorate { request in
            await Task.yield()
            var request = request
            request.headers.append(name, for: "X")
            return request
          }
        }
      }
      let resource: Text = service.resource("a")
      _ = try await resource.load().value()
      #expect(stub.requests.last?.headers["X"] == "1, 2, 3")

      struct Refusal: Error { let secret = "s3cret" }
      service.configure { $0.decorate { _ in throw Refusal() } }
      let error = await resource.load().failure()
      #expect(error?.kind == .invalidRequest)
      #expect(error?.underlying is Refusal)
      #expect(error?.message.contains("s3cret") == false)
      #expect(stub.requests.count == 1)
    }
  }

  @Test(
    "A header with a line break is an error and is not sent",
    arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b"], StoreActor.allCases)
  func lineBreaks(value: String, actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource: Text = service.resource("a")
      let rules: [(inout Service.Configuration) -> Void] = [
        { $0.headers["X-Token"] = value },
        { $0.headers["X-Token"] = nil },
        { $0.authorizer = TokenAuthorizer(token: value) { value } },
      ]
      for (rule, isFine) in zip(rules, [false, true, false]) {
        service.configure(nil, rule)
        if isFine { continue }
        let error = await resource.load().failure()
        #expect(error?.kind == .invalidRequest)
        #expect(error?.message.contains("X-Evil") == false)
      }
      #expect(stub.requests.isEmpty)
    }
  }
}

extension HTTPHeaders {
  fileprivate subscript(name: String, default missing: String) -> String {
    get { self[name] ?? missing }
    set { self[name] = newValue }
  }
}
