import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Chains of requests")
struct RequestChainingTests {
  @Test("A success goes on with the next request", arguments: Home.allCases)
  func then(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.post, "/login", .text("token"))
      scene.stub.on(.get, "/a", .text("one"))
      let (login, resource) = (scene.text("login"), scene.text("a"))
      var log: [String] = []
      let chain = login.request(.post).then { entity in
        log.append(entity.content)
        return resource.load()
      }
      chain.onProgress { log.append($0 == 1 ? "all" : "half") }
      chain.onCompletion { _ in log.append("completion") }
      let entity = try await chain.value()
      #expect(entity.content == "one")
      #expect(log == ["token", "half", "all", "completion"])
    }
  }

  @Test("A failure passes by, and the next request is never made", arguments: Home.allCases)
  func failurePasses(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.post, "/login", .status(403))
      let resource = scene.text("a")
      let chain = scene.text("login").request(.post).then { _ in resource.load() }
      #expect(await chain.failure()?.kind == .http)
      #expect(!resource.isLoading)
    }
  }

  @Test(
    "A failure may be recovered, a success and a cancellation pass by", arguments: Home.allCases)
  func recovering(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(500), .text("fine"), .status(500))
      scene.stub.on(.get, "/b", .text("spare"))
      let (a, b) = (scene.text("a"), scene.text("b"))
      var calls = 0
      let make = {
        a.request(.get).recovering { error in
          calls += 1
          return error.status == 500 && calls < 2 ? b.request(.get) : nil
        }
      }
      let recovered = try await make().value()
      #expect(recovered.content == "spare")
      let fine = try await make().value()
      #expect(fine.content == "fine")
      #expect(calls == 1)
      #expect(await make().failure()?.kind == .http, "Nil keeps the failure")
      let cancelled = make()
      cancelled.cancel()
      #expect(await cancelled.failure()?.kind == .cancelled)
      #expect(calls == 2)
    }
  }

  @Test("Cancelling a chain cancels whatever is under way", arguments: Home.allCases)
  func cancelReaches(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let first = scene.text("a").request(.get)
      first.then { _ in scene.text("b").request(.get) }.cancel()
      #expect(first.isCompleted)

      scene.stub.on(.get, "/a", .text("one"))
      let gate = scene.stub.hold(.get, "/b")
      var second: Request<String>?
      let chain = scene.text("a").request(.get).then { _ in
        let request = scene.text("b").request(.get)
        second = request
        return request
      }
      await gate.arrived()
      chain.cancel()
      #expect(second?.isCompleted == true)
      await gate.cancelled()
    }
  }

  @Test("A chain that is cancelled while it is being made stops there", arguments: Home.allCases)
  func cancelledWithin(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"))
      var (chain, next): (Request<String>?, Request<String>?)
      chain = scene.text("a").request(.get).then { _ in
        chain?.cancel()
        let request = scene.text("b").request(.get)
        next = request
        return request
      }
      #expect(await chain?.failure()?.kind == .cancelled)
      #expect(next?.isCompleted == true)
    }
  }

  @Test("A chain ends also when the service of what it waits for goes", arguments: Home.allCases)
  func otherServiceGoes(home: Home) async throws {
    try await home.run { home in
      for isFirst in [true, false] {
        let (scene, stub) = (Scene(), StubTransport())
        scene.stub.on(.get, "/a", .text("one"))
        let gate = stub.hold(.get, "/b")
        var other: Service? = Service(
          baseURL: "https://other.test", transport: stub, clock: ManualClock())
        let watched = Weak(other)
        let chain: Request<String>
        if isFirst {
          chain = try #require(other).resource("b", of: String.self).request(.get)
            .then { _ in scene.text("a").request(.get) }
        } else {
          chain = scene.text("a").request(.get)
            .then { [watched] _ in
              // Asked while it exists.
              guard let other = watched.object else { return scene.text("gone").request(.get) }
              return other.resource("b", of: String.self).request(.get)
            }
        }
        await gate.arrived()
        other = nil
        #expect(watched.object == nil)
        try #require(!gate.isCancelled, "the request went with its service")
        gate.release(with: .text("two"))
        let entity = try await chain.value()
        #expect(entity.content == (isFirst ? "one" : "two"))
      }
    }
  }

  @Test("A chain may be repeated from the start", arguments: Home.allCases)
  func repeated(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("1"), .text("2"))
      scene.stub.on(.get, "/b", .text("b"))
      let chain = scene.text("a").request(.get).then { _ in scene.text("b").request(.get) }
      _ = try await chain.value()
      _ = try await chain.repeated().value()
      #expect(scene.stub.requests.map(\.url.path) == ["/a", "/b", "/a", "/b"])
    }
  }
}
