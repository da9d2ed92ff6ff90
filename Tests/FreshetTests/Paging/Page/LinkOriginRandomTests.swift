import Foundation
import Freshet
import FreshetTesting
import Testing

/// Random requests, redirects and links, compared to a plain implementation of the rule.
@Suite("Links to other origins, against a model", .standardTimeLimit)
struct LinkOriginRandomTests {
  struct Origin: Hashable {
    var scheme: String
    var host: String
    var port: Int
    var isSecure: Bool { scheme == "https" }
    var hasDefaultPort: Bool { port == (isSecure ? 443 : 80) }
    var text: String { "\(scheme)://\(host)" + (hasDefaultPort ? "" : ":\(port)") }

    func isUpgrade(of other: Origin) -> Bool {
      !other.isSecure && isSecure && host == other.host && hasDefaultPort && other.hasDefaultPort
    }

    /// The origin in one of the spellings that are the same.
    func spelled(_ random: inout SeededGenerator) -> String {
      let host = random.chance(0.2) ? host.uppercased() : host
      let port = hasDefaultPort && random.chance(0.8) ? "" : ":\(port)"
      return "\(random.chance(0.1) ? scheme.uppercased() : scheme)://\(host)\(port)"
    }

    static func random(_ random: inout SeededGenerator) -> Origin {
      let scheme = random.pick(["http", "https"])
      return Origin(
        scheme: scheme, host: random.pick(["a.test", "a.test", "b.test"]),
        port: random.chance(0.7) ? (scheme == "https" ? 443 : 80) : 8080)
    }
  }

  /// The expected result of following a link.
  enum Expectation: Equatable {
    case insecure
    case crossOrigin(String)
    case bodyRefused
    case followed(isSame: Bool)
  }

  /// The rule.
  static func expectation(
    own: Origin, responder: Origin, target: Origin, allowed: Set<Origin>, hasBody: Bool
  ) -> Expectation {
    if !target.isSecure && (own.isSecure || responder.isSecure) { return .insecure }
    if target == own { return .followed(isSame: true) }
    if responder.isUpgrade(of: own) && target == responder { return .followed(isSame: true) }
    if hasBody { return .bodyRefused }
    return allowed.contains(target) ? .followed(isSame: false) : .crossOrigin(target.text)
  }

  @Test("Nothing reaches an origin that the rule keeps it from", arguments: 1...8 as ClosedRange)
  func random(seed: UInt64) async throws {
    try await StoreActor.plainActor.run { actor in
      var random = SeededGenerator(seed: seed)
      for round in 0..<trialCount(250) {
        try await Self.run(&random, "seed \(seed) round \(round)", actor)
      }
    }
  }

  private static func run(
    _ random: inout SeededGenerator, _ place: String, _ actor: isolated any Actor
  ) async throws {
    let (own, base) = (Origin.random(&random), Origin.random(&random))
    let responder = random.chance(0.5) ? own : Origin.random(&random)
    let isRelative = random.chance(0.3)
    let target = isRelative ? responder : random.pick([own, responder, base, .random(&random)])
    let allowed = Set((0..<random.pick([0, 1, 2])).map { _ in Origin.random(&random) })
    let varies = random.chance(0.5)
    let hasBody = random.chance(0.3)
    let hasToken = random.chance(0.4)

    let stub = StubTransport { request in
      HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Data("[]".utf8),
        url: request.url)
    }
    let service = Service(
      baseURL: base.spelled(&random), transport: stub, clock: ManualClock(), isolation: actor)
    service.configure {
      $0.headers = ["Authorization": "secret", "X-Key": "secret", "Accept-Language": "en"]
      if varies { $0.varyingHeaders = ["Authorization", "Accept-Language"] }
    }
    let page: Resource<Page<Int>> = service.resource(
      hasBody ? .post : random.pick([.get, .post]),
      absoluteURL: own.spelled(&random) + "/items?page=1",
      body: hasBody ? try JSONText(parsing: #"{"q": "secret"}"#) : nil,
      decoder: .page(.linkHeader))
    let reference =
      isRelative
      ? random.pick(["?page=2", "/items?page=2", "items?a=%2f"])
      : target.spelled(&random) + random.pick(["/items?page=2", "/a/../b", "?page=2", ""])
    var link = PageLink(.follow(reference))
    if hasToken { link.edits.append(.header("X-Token", "secret")) }
    if hasBody, random.chance(0.5) { link.edits.append(.body("after", JSONText(int: 2))) }
    page.overrideLocalContent(
      ResourceEntity(
        Page(items: [1], next: link, style: .linkHeader),
        url: URL(string: responder.spelled(&random) + "/items")))

    let expected = expectation(
      own: own, responder: responder, target: target, allowed: allowed, hasBody: hasBody)
    let situation =
      "\(place): own \(own.text) responder \(responder.text) target \(target.text) base \(base.text)"
    let next: Resource<Page<Int>>
    do throws(IncompleteWalk.Reason) {
      next = try page.following(link, allowing: Set(allowed.map(\.text)))
    } catch {
      let outcome: Expectation? =
        switch error {
        case .insecure: .insecure
        case .crossOrigin(let origin): .crossOrigin(origin)
        case .unusableLink(let error) where "\(error)".contains("body"): .bodyRefused
        default: nil
        }
      #expect(outcome == expected, "\(situation): \(error)")
      return
    }
    guard case .followed(let isSame) = expected else {
      Issue.record("\(situation): followed, but \(expected) is expected")
      return
    }
    // Once more with nothing allowed: only a link within the origin may be remembered.
    if !isSame {
      #expect(throws: IncompleteWalk.Reason.crossOrigin(target.text), "\(situation)") {
        try page.following(link)
      }
    }
    await next.load().completed()
    let sent = try #require(stub.requests.last)
    var names: Set = ["accept-language"]
    if target == base || target.isUpgrade(of: base) { names.formUnion(["authorization", "x-key"]) }
    if isSame && own == base && varies { names.insert("authorization") }
    if isSame && hasToken { names.insert("x-token") }
    if isSame && hasBody { names.insert("content-type") }
    #expect(Set(sent.headers.fields.map { $0.name.lowercased() }) == names, "\(situation)")
    #expect((sent.body != nil) == (isSame && hasBody), "\(situation)")
  }
}
