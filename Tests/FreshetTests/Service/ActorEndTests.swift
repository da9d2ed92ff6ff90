import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A store is used while its actor is deallocated", .standardTimeLimit)
struct ActorEndTests {
  private actor Owner {
    let (stub, cache, log): (StubTransport, HeldCache, Locked<[String]>)
    private lazy var service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: self)

    init(_ stub: StubTransport, _ cache: HeldCache, _ log: Locked<[String]>) {
      (self.stub, self.cache, self.log) = (stub, cache, log)
    }

    func begin() {
      let cache = cache
      service.configure("cached/**") { $0.cache = cache }
    }

    private func note(_ line: String) { log.withLock { $0.append(line) } }

    isolated deinit {
      let resource = service.resource("a", of: String.self)
      let log = log
      let token = resource.observe { _, event in log.withLock { $0.append("\(event)") } }
      resource.load().onFailure { error in log.withLock { $0.append("\(error.kind)") } }
      log.withLock { [isLoading = resource.isLoading] in $0.append("loading: \(isLoading)") }
      let plain = resource.request(.put)
      log.withLock { [isOver = plain.isCompleted] in $0.append("ended: \(isOver)") }
      service.resource("cached/a", of: String.self).wipe()
      let second = service.resource("cached/b", of: String.self)
      second.wipe()
      second.wipe()
      token.cancel()
    }
  }

  private static func key(_ path: String) async -> ResourceKey {
    await MainActor.run {
      Service(baseURL: "https://api.test", transport: StubTransport())
        .resource(path, of: String.self).key
    }
  }

  @Test("A request ends, and what is wiped is removed from the persistent cache")
  func use() async {
    let (stub, cache, log) = (StubTransport(), HeldCache(), Locked<[String]>([]))
    let keys = [await Self.key("cached/a"), await Self.key("cached/b")]
    for key in keys { await cache.put(.text("kept", age: 1, ManualClock()), for: key) }
    do {
      let owner = Owner(stub, cache, log)
      await owner.begin()
    }
    await until { await cache.entries.isEmpty }
    #expect(
      log.withLock { $0 } == [
        "observerAdded", "requested", "requestCancelled", "cancelled", "loading: false",
        "ended: true",
      ])
    #expect(stub.requests.isEmpty)
  }
}
