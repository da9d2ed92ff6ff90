import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Overriding and wiping", .standardTimeLimit)
struct LocalChangesTests {
  @Test("An override clears error and invalidation", arguments: StoreActor.allCases)
  func overrideClears(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(500))
      let resource = fixture.text("a")
      await resource.load().completed()
      resource.invalidate()
      let recorder = fixture.record(resource)
      resource.overrideLocalContent("mine")
      #expect(recorder.events == [.newData(.localOverride)])
      #expect(resource.content == "mine")
      #expect(resource.latestError == nil)
      #expect(resource.isUpToDate)
      #expect(resource.timestamp == fixture.clock.date)
      fixture.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
    }
  }

  @Test("An override beats the response in flight", arguments: StoreActor.allCases)
  func overrideBeatsResponse(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let request = resource.load()
      await gate.arrived()
      resource.overrideLocalContent("mine")
      #expect(recorder.events == [.requested, .requestCancelled, .newData(.localOverride)])
      #expect(recorder.entries.map(\.isLoading) == [true, false, false])
      #expect(await request.failure()?.kind == .cancelled)
      gate.release(with: .text("late"))
      fixture.stub.on(.get, "/b", .text("b"))
      await fixture.text("b").load().completed()
      #expect(resource.content == "mine")
      #expect(recorder.events.count == 3)
    }
  }

  @Test("An entity can be overridden with its headers and time", arguments: StoreActor.allCases)
  func overrideEntity(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let date = Date(timeIntervalSince1970: 1)
      resource.overrideLocalContent(
        ResourceEntity("x", headers: ["ETag": "\"7\""], timestamp: date))
      #expect(resource.latestData?.etag == "\"7\"")
      #expect(resource.timestamp == date)
    }
  }

  @Test("A wipe clears all, and loading is over in its event", arguments: StoreActor.allCases)
  func wipeClears(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .status(500))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      await resource.load().completed()
      let gate = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      let request = resource.load()
      await gate.arrived()
      let recorder = fixture.record(resource)
      resource.wipe()
      #expect(recorder.events == [.requestCancelled, .newData(.wipe)])
      #expect(recorder.entries.allSatisfy { !$0.isLoading && $0.errorKind == nil })
      #expect(resource.latestData == nil)
      #expect(resource.timestamp == nil)
      #expect(await request.failure()?.kind == .cancelled)
      gate.release(with: .text("late"))
      fixture.stub.on(.get, "/b", .text("b"))
      await fixture.text("b").load().completed()
      #expect(resource.content == nil, "A late response is ignored")
      #expect(recorder.events.count == 2)
    }
  }

  @Test(
    "By the cancellation that a local change makes, the change is made",
    arguments: StoreActor.allCases)
  func changedAtCancellation(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      var found: [String?] = []
      let token = resource.observe { [unowned resource] _, event in
        if event == .requestCancelled { found.append(resource.content) }
      }
      resource.load()
      resource.overrideLocalContent("mine")
      resource.load()
      resource.wipe()
      #expect(found == ["mine", nil])
      token.cancel()
    }
  }

  @Test(
    "A reaction to the first event of a wipe comes after its last", arguments: StoreActor.allCases)
  func changeIsDeliveredWhole(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      resource.load()
      let recorder = fixture.record(resource)
      recorder.onEvent = { [unowned resource] _, event in
        if event == .requestCancelled { resource.overrideLocalContent("reaction") }
      }
      resource.wipe()
      #expect(
        recorder.events == [.requestCancelled, .newData(.wipe), .newData(.localOverride)])
      #expect(resource.content == "reaction")
    }
  }

  @Test("A new load after a wipe sends no validator", arguments: StoreActor.allCases)
  func wipeForgetsValidators(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      resource.wipe()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(fixture.stub.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }
  }
}
