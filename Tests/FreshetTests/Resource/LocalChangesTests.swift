import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Overriding and wiping")
struct LocalChangesTests {
  @Test("An override clears error and invalidation", arguments: Home.allCases)
  func overrideClears(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(500))
      let resource = scene.text("a")
      await resource.load().ended()
      resource.invalidate()
      let recorder = scene.record(resource)
      resource.overrideLocalContent("mine")
      #expect(recorder.events == [.newData(.localOverride)])
      #expect(resource.content == "mine")
      #expect(resource.latestError == nil)
      #expect(resource.isUpToDate)
      #expect(resource.timestamp == scene.clock.date)
      scene.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
    }
  }

  @Test("An override beats the answer in flight", arguments: Home.allCases)
  func overrideBeatsAnswer(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let gate = scene.stub.hold(.get, "/a", ignoringCancellation: true)
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      let request = resource.load()
      await gate.arrived()
      resource.overrideLocalContent("mine")
      #expect(recorder.events == [.requested, .requestCancelled, .newData(.localOverride)])
      #expect(recorder.entries.map(\.isLoading) == [true, false, false])
      #expect(await request.failure()?.kind == .cancelled)
      gate.release(with: .text("late"))
      scene.stub.on(.get, "/b", .text("b"))
      await scene.text("b").load().ended()
      #expect(resource.content == "mine")
      #expect(recorder.events.count == 3)
    }
  }

  @Test("An entity can be overridden with its headers and time", arguments: Home.allCases)
  func overrideEntity(home: Home) async {
    await home.run { home in
      let resource = Scene().text("a")
      let date = Date(timeIntervalSince1970: 1)
      resource.overrideLocalContent(Entity("x", headers: ["ETag": "\"7\""], timestamp: date))
      #expect(resource.latestData?.etag == "\"7\"")
      #expect(resource.timestamp == date)
    }
  }

  @Test("A wipe clears all, and loading is over in its event", arguments: Home.allCases)
  func wipeClears(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"), .status(500))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      await resource.load().ended()
      let gate = scene.stub.hold(.get, "/a", ignoringCancellation: true)
      let request = resource.load()
      await gate.arrived()
      let recorder = scene.record(resource)
      resource.wipe()
      #expect(recorder.events == [.requestCancelled, .newData(.wipe)])
      #expect(recorder.entries.allSatisfy { !$0.isLoading && $0.error == nil })
      #expect(resource.latestData == nil)
      #expect(resource.timestamp == nil)
      #expect(await request.failure()?.kind == .cancelled)
      gate.release(with: .text("late"))
      scene.stub.on(.get, "/b", .text("b"))
      await scene.text("b").load().ended()
      #expect(resource.content == nil, "A late answer is ignored")
      #expect(recorder.events.count == 2)
    }
  }

  @Test(
    "By the cancellation that a local change makes, the change is made", arguments: Home.allCases)
  func changedAtCancellation(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let resource = scene.text("a")
      var found: [String?] = []
      let token = resource.observe { [unowned resource] _, event in
        if event == .requestCancelled { found.append(resource.content) }
      }
      resource.load()
      resource.overrideLocalContent("mine")
      resource.load()
      resource.wipe()
      #expect(found == ["mine", nil])
      token.remove()
    }
  }

  @Test("A reaction to the first event of a wipe comes behind its last", arguments: Home.allCases)
  func changeIsDeliveredWhole(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let resource = scene.text("a")
      resource.load()
      let recorder = scene.record(resource)
      recorder.onEvent = { [unowned resource] _, event in
        if event == .requestCancelled { resource.overrideLocalContent("reaction") }
      }
      resource.wipe()
      #expect(
        recorder.events == [.requestCancelled, .newData(.wipe), .newData(.localOverride)])
      #expect(resource.content == "reaction")
    }
  }

  @Test("A new load after a wipe sends no validator", arguments: Home.allCases)
  func wipeForgetsValidators(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      resource.wipe()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(scene.stub.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }
  }
}
