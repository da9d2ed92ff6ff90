import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What is released may come back to the store that released it")
struct ReentrantEndTests {
  @Test("The request of another service, when its load is overtaken", arguments: Home.allCases)
  func adoptedRequest(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      var ended = 0
      do {
        let last = LastWord { [unowned resource] in
          ended += 1
          _ = scene.stub.hold(.get, "/a")
          resource.load()
        }
        let gates = StubTransport()
        let gate = gates.hold(.get, "/x")
        let other = Service(baseURL: "https://other.test", transport: gates, clock: scene.clock)
        let request = other.resource("x", of: String.self).request(.get)
        request.onCompletion { _ in _ = last }
        resource.load(using: request)
        await gate.arrived()
      }
      #expect(ended == 0)
      _ = try await resource.load().value()
      #expect(ended == 1)
      #expect(resource.isLoading, "That of the hook that was released")
      resource.cancelLoad()
    }
  }

  @Test("The request of another service, when the load is cancelled", arguments: Home.allCases)
  func cancelledLoad(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let resource = scene.text("a")
      var ended = 0
      do {
        let last = LastWord { [unowned resource] in
          ended += 1
          resource.load()
        }
        let gates = StubTransport()
        let gate = gates.hold(.get, "/x")
        let other = Service(baseURL: "https://other.test", transport: gates, clock: scene.clock)
        let request = other.resource("x", of: String.self).request(.get)
        request.onCompletion { _ in _ = last }
        resource.load(using: request)
        await gate.arrived()
      }
      resource.cancelLoad()
      #expect(ended == 1)
      resource.cancelLoad()
    }
  }

  /// Something in a configuration whose end asks for the configuration again.
  private final class Ending: @unchecked Sendable {
    weak var resource: Resource<String>?
    private(set) var count = 0

    func logger() -> @Sendable (LogEntry) -> Void {
      let words = LastWords(
        LastWord { [unowned self] in
          count += 1
          _ = resource?.configuration
        })
      return { _ in _ = words }
    }
  }

  @Test(
    "A configuration that a resource has, when it asks for the newer one", arguments: Home.allCases)
  func knownConfiguration(home: Home) async {
    await home.run { home in
      let ending = Ending()
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock())
      service.configure { $0.log = ending.logger() }
      let resource = service.resource("a", of: String.self)
      _ = resource.configuration
      ending.resource = resource
      service.configurationChanged()
      _ = resource.configuration
      #expect(ending.count >= 2)
      ending.resource = nil
    }
  }

  @Test(
    "A configuration that only the service has, when the rules change", arguments: Home.allCases)
  func unusedConfiguration(home: Home) async {
    await home.run { home in
      let ending = Ending()
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock())
      service.configure { $0.log = ending.logger() }
      let resource = service.resource("a", of: String.self)
      _ = service.store.configuration(.post, "https://api.test/a")
      ending.resource = resource
      let before = ending.count
      service.configurationChanged()
      #expect(ending.count > before)
      ending.resource = nil
    }
  }
}
