import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Loading a resource", .standardTimeLimit)
struct ResourceLoadingTests {
  @Test("A new resource is empty and idle", arguments: StoreActor.allCases)
  func newResourceIsEmptyAndIdle(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      #expect(resource.content == nil)
      #expect(resource.latestData == nil)
      #expect(resource.latestError == nil)
      #expect(resource.timestamp == nil)
      #expect(!resource.isLoading)
      #expect(!resource.isUpToDate)
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "A resource whose URL is unusable fails its loads and never traps",
    arguments: StoreActor.allCases)
  func failingKey(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("https://elsewhere.test/a")
      let recorder = fixture.record(resource)
      #expect(resource.url == nil)
      #expect(await resource.load().failure()?.kind == .invalidRequest)
      #expect(await resource.request(.put, body: .text("x")).failure()?.kind == .invalidRequest)
      #expect(recorder.events == [.requested, .error])
      #expect(resource.latestError?.kind == .invalidRequest)
      resource.wipe()
      #expect(resource.latestError == nil)
      #expect(fixture.stub.requests.isEmpty)
    }
  }

  @Test("A load sets isLoading, then receives data", arguments: StoreActor.allCases)
  func loadSetsLoadingThenData(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("hello"))
      let resource = fixture.text("a")
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      let request = resource.load()
      #expect(resource.isLoading)
      let loaded = try await request.value()
      #expect(loaded == "hello")
      #expect(resource.content == "hello")
      #expect(resource.timestamp == fixture.clock.date)
      #expect(resource.isUpToDate)
      #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
      #expect(recorder.entries.map(\.isLoading) == [false, true, false])
    }
  }

  @Test("A plain request never changes the state", arguments: StoreActor.allCases)
  func plainRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("mine"), .status(500))
      fixture.stub.on(.post, "/a", .text("theirs"), .failure(.unreachable))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      for method in [HTTPMethod.get, .post] {
        let request = resource.request(method)
        #expect(!resource.isLoading)
        _ = try await request.value()
        #expect(await resource.request(method).failure() != nil)
      }
      resource.request(.post).cancel()
      #expect(recorder.events == [])
      #expect(resource.content == nil)
      #expect(resource.latestError == nil)
    }
  }

  @Test("A failure keeps the data and a success clears the error", arguments: StoreActor.allCases)
  func failureKeepsData(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one"), .status(500), .failure(.connectionLost), .text("two"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      let first = resource.timestamp
      fixture.clock.advance(by: .seconds(5))
      #expect(await resource.load().failure()?.kind == .http)
      #expect(resource.content == "one")
      #expect(resource.timestamp == first)
      #expect(resource.latestError?.status == 500)
      #expect(await resource.load().failure()?.kind == .connectionLost)
      #expect(resource.latestError?.kind == .connectionLost)
      _ = try await resource.load().value()
      #expect(resource.content == "two")
      #expect(resource.latestError == nil)
      #expect(
        recorder.entries.map(\.errorKind) == [
          nil, nil, nil, .http, .http, .connectionLost, .connectionLost, nil,
        ])
    }
  }

  @Test("A forced load uses the network though the data is fresh", arguments: StoreActor.allCases)
  func forcedLoadSends(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .text("two"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      #expect(resource.isUpToDate)
      _ = try await resource.load().value()
      #expect(resource.content == "two")
      #expect(fixture.stub.count(.get, "/a") == 2)
    }
  }

  @Test(
    "The response to an older load never replaces the response to a newer one",
    arguments: StoreActor.allCases
  )
  func olderResponseIsIgnored(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[1].release(with: .text("newer"))
      _ = try await newer.value()
      #expect(!resource.isLoading)
      gates[0].release(with: .text("older"))
      #expect(try await older.value() == "older", "Whoever asked gets the response")
      #expect(resource.content == "newer")
      #expect(recorder.events == [.requested, .requested, .newData(.network)])
    }
  }

  @Test(
    "Responses in order all count, and loading ends with the last", arguments: StoreActor.allCases)
  func responsesInOrder(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let resource = fixture.text("a")
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[0].release(with: .text("older"))
      _ = try await older.value()
      #expect(resource.content == "older")
      #expect(resource.isLoading)
      gates[1].release(with: .text("newer"))
      _ = try await newer.value()
      #expect(resource.content == "newer")
      #expect(!resource.isLoading)
    }
  }
}
