import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What an authorizer keeps apart", .standardTimeLimit)
@MainActor struct SessionBoundaryTests {
  private func failure(_ error: ResourceError?) -> TokenAuthorizer.Failure? {
    error?.underlying as? TokenAuthorizer.Failure
  }

  /// 401 for everything but one token.
  private func store(
    _ tokens: any RequestAuthorizer, accepting accepted: String,
    _ clock: ManualClock = ManualClock()
  ) -> (StubTransport, Service) {
    let stub = StubTransport { request in
      let isAccepted = request.headers["Authorization"] == "Bearer \(accepted)"
      return HTTPResponse(
        status: isAccepted ? 200 : 401, body: Data("x".utf8), url: request.url)
    }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: MainActor.shared)
    service.configure { $0.authorizer = tokens }
    return (stub, service)
  }

  @Test("What was sent for her before a renewal is not sent again for him")
  func renewedThenOtherUser() async {
    let tokens = TokenAuthorizer(token: "hers1", clock: ManualClock()) { "hers2" }
    let stub = StubTransport { request in
      let isOld = request.headers["Authorization"] == "Bearer hers1"
      return HTTPResponse(status: isOld ? 401 : 200, body: Data("x".utf8), url: request.url)
    }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      isolation: MainActor.shared)
    service.configure { $0.authorizer = tokens }
    let gate = stub.hold(.get, "/slow")
    let slow = service.resource("slow", of: String.self).load()
    await gate.arrived()
    await service.resource("quick", of: String.self).load().completed()
    await tokens.signOut()
    await tokens.signIn(with: "his")
    gate.release()
    let error = await slow.failure()
    #expect(failure(error) == .signedOut)
    #expect(
      stub.requests.filter { $0.url.path == "/slow" }.map { $0.headers["Authorization"] } == [
        "Bearer hers1"
      ])
  }

  @Test("What was sent for the first user is not sent again for the third")
  func thirdUser() async {
    let tokens = TokenAuthorizer(token: "first", clock: ManualClock()) { "none" }
    let (stub, service) = store(tokens, accepting: "third")
    let gate = stub.hold(.get, "/slow")
    let slow = service.resource("slow", of: String.self).load()
    await gate.arrived()
    await tokens.signOut()
    await tokens.signIn(with: "second")
    await tokens.signOut()
    await tokens.signIn(with: "third")
    gate.release()
    #expect(failure(await slow.failure()) == .signedOut)
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer first"])
  }

  @Test("What was sent for a user whose renewal was refused is not sent again for the next")
  func refusedThenOtherUser() async {
    let tokens = TokenAuthorizer(token: "hers", clock: ManualClock()) {
      throw TokenAuthorizer.Failure.renewalRefused
    }
    let (stub, service) = store(tokens, accepting: "his")
    let gate = stub.hold(.get, "/slow")
    let slow = service.resource("slow", of: String.self).load()
    await gate.arrived()
    await service.resource("quick", of: String.self).load().completed()
    #expect(await tokens.status == .renewalRefused)
    await tokens.signOut()
    await tokens.signIn(with: "his")
    gate.release()
    #expect(failure(await slow.failure()) == .signedOut)
    #expect(
      stub.requests.filter { $0.url.path == "/slow" }.map { $0.headers["Authorization"] } == [
        "Bearer hers"
      ])
  }

  @Test("What she began is not sent for him, though it is decorated until after his sign-in")
  func decoratedUntilNextSession() async {
    let tokens = TokenAuthorizer(token: "hers", clock: ManualClock()) { "none" }
    let (stub, service) = store(tokens, accepting: "his")
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let (ended, ends) = AsyncStream<Void>.makeStream()
    service.configure("posts") {
      $0.decorate { request in
        begins.finish()
        for await _ in ended {}
        return request
      }
    }
    let post = service.request(.post, "posts")
    for await _ in begun {}
    await tokens.signOut()
    service.wipe()
    await tokens.signIn(with: "his")
    ends.finish()
    #expect(failure(await post.failure()) == .signedOut)
    #expect(stub.requests.isEmpty)
    // What begins now is his.
    #expect(await service.request(.post, "posts").failure() == nil)
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer his"])
  }

  private final class Box { var service: Service? }

  /// A store whose authorizer fetches the token from it, by a path that needs none.
  private func selfAuthorized(_ cache: MemoryCache? = nil) -> (StubTransport, Service, Box) {
    let (stub, box) = (StubTransport(), Box())
    stub.on(.get, "/token", .text("new"))
    for path in ["a", "b"] { stub.on(.get, "/\(path)", .text(path)) }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      isolation: MainActor.shared)
    box.service = service
    let tokens = TokenAuthorizer(token: nil, clock: ManualClock()) { @MainActor in
      try await box.service?.resource("token", of: String.self).load().value() ?? ""
    }
    service.configure {
      $0.authorizer = tokens
      $0.cache = cache
    }
    service.configure("token") { $0.authorizer = nil }
    return (stub, service, box)
  }

  @Test(
    "What an observer of the token's own resource begins is no part of the fetch",
    arguments: [false, true])
  func observerBegins(withCache: Bool) async throws {
    let (_, service, box) = selfAuthorized(withCache ? MemoryCache() : nil)
    let token = service.resource("token", of: String.self)
    var other: Request<String>?
    // A view that shows when the session was renewed, and draws the profile then.
    let observation = token.observe { _, event in
      guard case .newData = event else { return }
      other = service.resource("b", of: String.self).load()
    }
    _ = try await service.resource("a", of: String.self).load().value()
    let error = await other?.failure()
    #expect(error == nil, "\(String(describing: error))")
    withExtendedLifetime((observation, box)) {}
  }

  @Test("What a hook on another's request begins at its end is no part of the fetch")
  func hookBegins() async throws {
    let (stub, service, box) = selfAuthorized()
    let gate = stub.hold(.get, "/token")
    let load = service.resource("a", of: String.self).load()
    await gate.arrived()
    // Another caller joins the load of the token, and continues when it has ended.
    var other: Request<String>?
    service.resource("token", of: String.self).loadIfNeeded()?.onSuccess { _ in
      other = service.resource("b", of: String.self).load()
    }
    gate.release(with: .text("new"))
    _ = try await load.value()
    let error = await other?.failure()
    #expect(error == nil, "\(String(describing: error))")
    withExtendedLifetime(box) {}
  }

}
