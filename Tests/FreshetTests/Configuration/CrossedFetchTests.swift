import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Fetches of several authorizers that wait for one another", .standardTimeLimit)
@MainActor struct CrossedFetchTests {
  private let stub = StubTransport()
  private let clock = ManualClock()

  private func service(_ name: String) -> Service {
    Service(
      baseURL: "https://\(name).test", transport: stub, clock: clock, isolation: MainActor.shared)
  }

  /// Services in a circle: the token of each is fetched with the next one.
  ///
  /// - Parameter joins: whether a fetch waits for a load that is under way.
  private func circle(_ count: Int, joins: Bool = false) -> (
    services: [Service], scripts: [FetchScript]
  ) {
    let services = (0..<count).map { service("s\($0)") }
    let scripts = services.map { _ in FetchScript() }
    for index in 0..<count {
      let (next, script) = (services[(index + 1) % count], scripts[index])
      let resource = next.resource("token", of: String.self)
      let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
        @MainActor in
        _ = try await script.fetch()
        let load = joins ? resource.loadIfNeeded() : resource.load()
        return try await load?.value() ?? ""
      }
      services[index].configure { $0.authorizer = tokens }
    }
    return (services, scripts)
  }

  @Test("All end at once with the error of a fetch that waits for itself", arguments: [2, 3, 5])
  func circle(count: Int) async {
    let (services, scripts) = circle(count)
    let loads = services.map { $0.resource("x", of: String.self).load() }
    for script in scripts { await script.begins() }
    for script in scripts { await script.end(1, with: .success("")) }
    #expect(await soon { loads.allSatisfy { $0.isCompleted } }, "Each waits for the next")
    for load in loads {
      load.cancel()
      #expect(await load.failure()?.isOfRecursiveFetch == true)
    }
    #expect(stub.requests.isEmpty)
  }

  @Test("They end however late the circle closes", arguments: [2, 3])
  func joined(count: Int) async {
    let (services, scripts) = circle(count, joins: true)
    // The last fetch waits for a request that it did not begin.
    let loads = services.map { $0.resource("x", of: String.self).load() }
    let token = services[0].resource("token", of: String.self).load()
    for script in scripts { await script.begins() }
    for script in scripts.reversed() {
      await script.end(1, with: .success(""))
      for _ in 0..<500 { await Task.yield() }
    }
    #expect(await soon { loads.allSatisfy { $0.isCompleted } }, "Each waits for the next")
    for load in loads { #expect(await load.failure()?.isOfRecursiveFetch == true) }
    token.cancel()
  }

  @Test("A fetch that waits for another one, which waits for nothing, continues")
  func chain() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (one, two, three) = (service("one"), service("two"), service("three"))
    let script = FetchScript()
    let last = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
      try await script.fetch()
    }
    let (first, second) = (
      three.resource("a", of: String.self), three.resource("b", of: String.self)
    )
    for (service, token) in [(one, first), (two, second)] {
      let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) { @MainActor in
        try await token.load().value()
      }
      service.configure { $0.authorizer = tokens }
    }
    three.configure { $0.authorizer = last }
    let loads = [one, two].map { $0.resource("x", of: String.self).load() }
    await script.begins()
    await script.end(1, with: .success("t"))
    for load in loads {
      let content = try await load.value()
      #expect(content == "x")
    }
  }

  @Test("What waited in vain does not count: the next fetch continues")
  func later() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (services, scripts) = circle(2)
    let failed = services.map { $0.resource("x", of: String.self).load() }
    for script in scripts { await script.begins() }
    for script in scripts { await script.end(1, with: .success("")) }
    await until { failed.allSatisfy { $0.isCompleted } }
    for load in failed { load.cancel() }
    // The second service needs no token any more, so nothing is left of the circle.
    services[1].configure { $0.authorizer = nil }
    let load = services[0].resource("y", of: String.self).load()
    await scripts[0].begins()
    await scripts[0].end(2, with: .success(""))
    #expect(try await load.value() == "x")
  }

  /// A request that a test makes later.
  private final class Later {
    var request: Request<String>?
  }

  @Test("What follows from a refusal is no part of the fetch that has asked for the refused token")
  func refusal() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (one, two) = (service("one"), service("two"))
    let (script, notice) = (FetchScript(), Later())
    let refused = TokenAuthorizer(
      token: nil, fetchTimeout: nil, clock: clock,
      onRenewalRefused: { @MainActor in
        notice.request = one.resource("notice", of: String.self).load()
      }
    ) { throw TokenAuthorizer.Failure.renewalRefused }
    two.configure { $0.authorizer = refused }
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) { @MainActor in
      _ = await two.resource("token", of: String.self).load().failure()
      return try await script.fetch()
    }
    one.configure { $0.authorizer = tokens }
    let load = one.resource("x", of: String.self).load()
    await script.begins()
    await until { notice.request != nil }
    for _ in 0..<500 { await Task.yield() }
    await script.end(1, with: .success("t"))
    #expect(try await load.value() == "x")
    #expect(try await notice.request?.value() == "x")
  }

  @Test(
    "A request that a fetch joins is decorated once, whenever that is", arguments: [false, true])
  func decoratedOnce(whileDecorating: Bool) async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (one, two) = (service("one"), service("two"))
    let (count, decoration, slow) = (Locked(0), FetchScript(), FetchScript())
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
      try await slow.fetch()
    }
    two.configure {
      $0.authorizer = tokens
      $0.decorate { request in
        count.withLock { $0 += 1 }
        if whileDecorating { _ = try await decoration.fetch() }
        return request
      }
    }
    let held = two.resource("y", of: String.self)
    let joining = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) { @MainActor in
      try await held.loadIfNeeded()?.value() ?? ""
    }
    one.configure { $0.authorizer = joining }
    let shared = held.load()
    if whileDecorating { await decoration.begins() } else { await slow.begins() }
    let load = one.resource("x", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    if whileDecorating {
      await decoration.end(1, with: .success(""))
      // A second decoration would wait for its own end.
      for _ in 0..<500 where count.withLock({ $0 }) > 1 {
        await decoration.end(2, with: .success(""))
      }
      await slow.begins()
    }
    await slow.end(1, with: .success("b"))
    _ = try await shared.value()
    _ = try await load.value()
    #expect(count.withLock { $0 } == 1)
  }
}
