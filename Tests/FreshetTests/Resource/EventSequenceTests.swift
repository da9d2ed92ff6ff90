import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The sequences that the documentation of ``AnyResource`` numbers.
@Suite("The sequence of events of a call", .standardTimeLimit)
struct EventSequenceTests {
  /// A resource at `/a`, and what its observers and the hooks of its requests receive, in one
  /// order.
  private final class Script {
    let fixture: ServiceFixture
    let resource: Resource<String>
    private let recorder = EventRecorder()
    var lines: [String] = []

    init(
      isolation: isolated any Actor = #isolation,
      stub: (StubTransport) -> Void = { _ in },
      configure: @escaping (inout Service.Configuration) -> Void = { _ in }
    ) {
      fixture = ServiceFixture(configure: configure)
      stub(fixture.stub)
      resource = fixture.text("a")
      resource.addObserver(recorder)
      recorder.onEvent = { [unowned self] resource, event in
        lines.append("\(event)" + (resource.isLoading ? ", loading" : ""))
      }
    }

    /// Records what the hooks of a request receive.
    @discardableResult
    func follow(_ request: Request<String>?, _ name: String = "hook") -> Request<String>? {
      request?.onProgress { [unowned self] in if $0 == 1 { lines.append("progress 1") } }
      request?.onCompletion { [unowned self] in lines.append("\(name) \(Script.text(of: $0))") }
      return request
    }

    /// What was recorded since the last call.
    func drain() -> [String] {
      defer { lines = [] }
      return lines
    }

    private static func text(of result: Result<ResourceEntity<String>, ResourceError>) -> String {
      switch result {
      case .success(let entity): entity.content
      case .failure(let error): error.kind.rawValue
      }
    }
  }

  @Test("load(): requested, one outcome, then hooks", arguments: StoreActor.allCases)
  func load(actor: StoreActor) async {
    await actor.run { actor in
      let script = Script { stub in
        stub.on(
          .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(304), .status(500))
      }
      let ends = [
        ["newData(network)", "progress 1", "hook one"], ["notModified", "progress 1", "hook one"],
        ["error", "progress 1", "hook http"],
      ]
      for end in ends {
        let request = script.follow(script.resource.load())
        #expect(script.drain() == ["requested, loading"], "before the call returns")
        await request?.completed()
        #expect(script.drain() == end)
      }
    }
  }

  @Test("A load that is cancelled: requestCancelled, then hooks", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async {
    await actor.run { actor in
      let script = Script { $0.on(.get, "/a", .text("one")) }
      let cancelled = ["requestCancelled", "progress 1", "hook cancelled"]
      script.follow(script.resource.load())
      script.resource.cancelLoad()
      #expect(script.drain() == ["requested, loading"] + cancelled)
      script.resource.cancelLoad()
      #expect(script.drain() == [])
      script.follow(script.resource.load())?.cancel()
      #expect(script.drain() == ["requested, loading"] + cancelled)
      script.follow(script.resource.load())
      script.follow(script.resource.load())
      script.resource.cancelLoad()
      #expect(
        script.drain() == ["requested, loading", "requested, loading", "requestCancelled"]
          + ["progress 1", "hook cancelled", "progress 1", "hook cancelled"], "one for both")
    }
  }

  @Test(
    "The older of two loads that the newer one supersedes has no event, and its hooks are called",
    arguments: StoreActor.allCases)
  func superseded(actor: StoreActor) async {
    await actor.run { actor in
      let script = Script()
      let gates = (0..<2).map { _ in script.fixture.stub.hold(.get, "/a") }
      let older = script.follow(script.resource.load(), "older")
      await gates[0].arrived()
      let newer = script.follow(script.resource.load(), "newer")
      await gates[1].arrived()
      gates[1].release(with: .text("new"))
      await newer?.completed()
      gates[0].release(with: .text("old"))
      await older?.completed()
      #expect(
        script.drain() == ["requested, loading", "requested, loading", "newData(network)"]
          + ["progress 1", "newer new", "progress 1", "older old"])
    }
  }

  @Test(
    "With an entry in the persistent cache, newData(cache) comes first", arguments: [true, false],
    [true, false])
  func cached(isFresh: Bool, isForced: Bool) async {
    await StoreActor.plainActor.run { actor in
      let cache = MemoryCache()
      let script = Script {
        $0.on(.get, "/a", .text("new"))
      } configure: {
        $0.cache = cache
      }
      await cache.put(
        .text("kept", age: isFresh ? 0 : 60, script.fixture.clock), for: script.resource.key)
      let request = isForced ? script.resource.load() : script.resource.loadIfNeeded()
      script.follow(request)
      #expect(script.drain() == ["requested, loading"])
      await request?.completed()
      let network = ["newData(network)", "progress 1", "hook new"]
      let fresh = ["newData(cache)", "progress 1", "hook kept"]
      let isEnough = isFresh && !isForced
      #expect(script.drain() == (isEnough ? fresh : ["newData(cache), loading"] + network))
      #expect(script.fixture.stub.requests.count == (isEnough ? 0 : 1))
    }
  }

  @Test("loadIfNeeded() posts nothing where it joins or is not needed")
  func notNeeded() async {
    await StoreActor.plainActor.run { actor in
      let script = Script { $0.on(.get, "/a", .text("one")) }
      let request = script.resource.loadIfNeeded()
      #expect(script.resource.loadIfNeeded() === request)
      #expect(script.drain() == ["requested, loading"])
      await request?.completed()
      #expect(script.resource.loadIfNeeded() == nil)
      #expect(script.drain() == ["newData(network)"])
    }
  }

  @Test("wipe(): requestCancelled of a load, newData(wipe), then hooks")
  func wipe() async {
    await StoreActor.plainActor.run { actor in
      let script = Script { $0.on(.get, "/a", .text("one")) }
      script.resource.wipe()
      #expect(script.drain() == ["newData(wipe)"], "also of a resource without content")
      script.follow(script.resource.load())
      #expect(script.drain() == ["requested, loading"])
      script.resource.wipe()
      #expect(
        script.drain() == ["requestCancelled", "newData(wipe)", "progress 1", "hook cancelled"])
    }
  }

  @Test("invalidate(): invalidated, then the events of a load where one begins")
  func invalidate() async {
    await StoreActor.plainActor.run { actor in
      let script = Script { $0.on(.get, "/a", .text("one"), .text("two"), .text("three")) }
      script.resource.invalidate()
      #expect(script.drain() == ["invalidated"], "without content nothing is loaded")
      await script.resource.load().completed()
      #expect(script.drain() == ["requested, loading", "newData(network)"])
      script.resource.invalidate()
      #expect(script.drain() == ["invalidated", "requested, loading"], "before the call returns")
      script.resource.invalidate()
      #expect(script.drain() == ["invalidated, loading"], "the load in flight continues")
      await script.follow(script.resource.loadIfNeeded())?.completed()
      // The response may be from before the second invalidation.
      #expect(
        script.drain().prefix(4) == [
          "newData(network)", "progress 1", "hook two", "requested, loading",
        ])
      await script.resource.loadIfNeeded()?.completed()
      #expect(script.resource.content == "three" && script.resource.isUpToDate)
    }
  }

  @Test("Local changes: requestCancelled where they cancel a load, newData(localOverride)")
  func localChanges() async throws {
    try await StoreActor.plainActor.run { actor in
      let script = Script()
      script.follow(script.resource.load())
      script.resource.overrideLocalContent("mine")
      #expect(
        script.drain() == ["requested, loading", "requestCancelled", "newData(localOverride)"]
          + ["progress 1", "hook cancelled"])
      let update = try #require(script.resource.updateContent { $0 += "!" })
      #expect(script.drain() == ["newData(localOverride)"])
      update.commit()
      #expect(script.drain() == [])
      script.resource.updateContent { $0 += "?" }?.rollBack()
      #expect(script.drain() == ["newData(localOverride)", "newData(localOverride)"])
      #expect(script.resource.content == "mine!")
    }
  }
}
