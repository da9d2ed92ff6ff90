import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Optimistic updates of a resource", .standardTimeLimit)
struct OptimisticUpdateTests {
  /// A loaded resource holding "base", with a validator.
  private func loaded(
    _ fixture: ServiceFixture, isolation: isolated any Actor = #isolation
  ) async throws -> Resource<String> {
    fixture.stub.on(.get, "/a", .text("base", headers: ["ETag": "\"1\""]))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    return resource
  }

  @Test("An update shows at once and rolling it back shows the old", arguments: StoreActor.allCases)
  func rollBack(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      let recorder = fixture.record(resource)
      let update = try #require(resource.updateContent { $0 += " one" })
      #expect(resource.content == "base one")
      update.rollBack()
      #expect(resource.content == "base")
      #expect(!update.isPending)
      update.commit()
      update.rollBack()
      #expect(recorder.events == [.newData(.localOverride), .newData(.localOverride)])
    }
  }

  @Test("Rolling back under another update keeps that one", arguments: StoreActor.allCases)
  func rollBackUnderAnother(actor: StoreActor) async throws {
    try await actor.run { actor in
      let resource = try await loaded(ServiceFixture())
      let first = try #require(resource.updateContent { $0 += " one" })
      let second = try #require(resource.updateContent { $0 += " two" })
      #expect(resource.content == "base one two")
      first.rollBack()
      #expect(resource.content == "base two")
      second.commit()
      #expect(resource.content == "base two")
    }
  }

  @Test("Updates may end in any order", arguments: StoreActor.allCases)
  func anyOrder(actor: StoreActor) async throws {
    try await actor.run { actor in
      let resource = try await loaded(ServiceFixture())
      let updates = try (1...3).map { number in
        try #require(resource.updateContent { $0 += " \(number)" })
      }
      updates[2].commit()
      updates[0].commit()
      updates[1].rollBack()
      #expect(resource.content == "base 1 3")
    }
  }

  @Test(
    "An update is applied once, however many others there are",
    arguments: [false, true], StoreActor.allCases)
  func appliedOnce(commits: Bool, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      let gate = fixture.stub.hold(.get, "/a")
      let load = resource.load()
      let count = Locked(0)
      var updates: [ContentUpdate] = []
      for _ in 0..<200 {
        let update = resource.updateContent { content in
          count.withLock { $0 += 1 }
          content += "+"
        }
        updates.append(try #require(update))
        if commits { update?.commit() }
      }
      #expect(count.withLock { $0 } == 200)
      let shown = "base" + String(repeating: "+", count: 200)
      #expect(resource.content == shown)
      await gate.arrived()
      gate.release(with: .text("base"))
      _ = try await load.value()
      #expect(resource.content == shown)
      for update in updates { update.rollBack() }
      #expect(resource.content == (commits ? shown : "base"))
    }
  }

  @Test("Without content there is nothing to update", arguments: StoreActor.allCases)
  func nothingToUpdate(actor: StoreActor) async {
    await actor.run { actor in
      #expect(ServiceFixture().text("a").updateContent { $0 += "x" } == nil)
    }
  }

  @Test(
    "A load in flight continues, and an update is replayed on its response",
    arguments: StoreActor.allCases)
  func updateDuringLoad(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      let gate = fixture.stub.hold(.get, "/a")
      let request = resource.load()
      await gate.arrived()
      let recorder = fixture.record(resource)
      let first = try #require(resource.updateContent { $0 += " one" })
      let second = try #require(resource.updateContent { $0 += " two" })
      #expect(recorder.events == [.newData(.localOverride), .newData(.localOverride)])
      #expect(resource.isLoading && !request.isCompleted)
      // The server has accepted it, and may have sent the response before.
      first.commit()
      gate.release(with: .text("other"))
      _ = try await request.value()
      #expect(resource.content == "other one two")
      #expect(recorder.events.last == .newData(.network))
      second.rollBack()
      #expect(resource.content == "other one")
    }
  }

  @Test("An update during a load that fails or confirms stays", arguments: StoreActor.allCases)
  func updateDuringOtherLoads(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      for (text, response) in [("base one", 304), ("base one one", 500)] {
        let gate = fixture.stub.hold(.get, "/a")
        let request = resource.load()
        await gate.arrived()
        let update = try #require(resource.updateContent { $0 += " one" })
        gate.release(with: .status(response))
        await request.completed()
        #expect(resource.content == text)
        #expect(resource.latestError?.status == (response == 500 ? 500 : nil))
        update.commit()
        #expect(resource.content == text)
      }
    }
  }

  @Test("An update is not pending once something else has ended it", arguments: StoreActor.allCases)
  func endedByOthers(actor: StoreActor) async throws {
    try await actor.run { actor in
      var resource: Resource<String>? = try await loaded(ServiceFixture())
      let ends: [() -> Void] = [
        { resource?.overrideLocalContent("mine") },
        { resource?.wipe() },
      ]
      for end in ends {
        resource?.overrideLocalContent("base")
        let update = try #require(resource?.updateContent { $0 += " one" })
        let other = try #require(resource?.updateContent { $0 += " two" })
        #expect(update.isPending)
        update.commit()
        #expect(!update.isPending && other.isPending)
        end()
        #expect(!other.isPending)
      }
      resource?.overrideLocalContent("base")
      let update = try #require(resource?.updateContent { $0 += " one" })
      resource = nil
      #expect(!update.isPending)
    }
  }

  @Test("An update whose handle is dropped stays pending", arguments: StoreActor.allCases)
  func droppedHandle(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      _ = resource.updateContent { $0 += " one" }
      fixture.stub.on(.get, "/a", .text("other"))
      _ = try await resource.load().value()
      #expect(resource.content == "other one")
      resource.overrideLocalContent("mine")
      #expect(resource.content == "mine")
    }
  }

  @Test("The response of a load goes below a pending update", arguments: StoreActor.allCases)
  func responseBelowPending(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      let update = try #require(resource.updateContent { $0 += " one" })
      fixture.stub.on(.get, "/a", .text("other"))
      _ = try await resource.load().value()
      #expect(resource.content == "other one")
      update.rollBack()
      #expect(resource.content == "other")
    }
  }

  @Test(
    "A response from before a commit keeps the update, the next replaces it",
    arguments: StoreActor.allCases)
  func commitDuringLoad(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      let update = try #require(resource.updateContent { $0 += " one" })
      let gate = fixture.stub.hold(.get, "/a")
      let request = resource.load()
      await gate.arrived()
      update.commit()
      gate.release(with: .status(304))
      _ = try await request.value()
      #expect(resource.content == "base one")
      fixture.stub.forgetRequests()
      fixture.stub.on(.get, "/a", .text("server's"))
      _ = try await resource.load().value()
      #expect(resource.content == "server's")
      #expect(
        fixture.stub.requests.map { $0.headers["If-None-Match"] } == [nil],
        "The server cannot confirm content that it did not send")
    }
  }

  @Test("An override and a wipe end pending updates", arguments: StoreActor.allCases)
  func overrideEndsUpdates(actor: StoreActor) async throws {
    try await actor.run { actor in
      let resource = try await loaded(ServiceFixture())
      let first = try #require(resource.updateContent { $0 += " one" })
      resource.overrideLocalContent("mine")
      first.rollBack()
      #expect(resource.content == "mine")
      let second = try #require(resource.updateContent { $0 += " two" })
      resource.wipe()
      second.commit()
      #expect(resource.content == nil)
    }
  }

  @Test("An edit may read the resource that it edits", arguments: StoreActor.allCases)
  func editReadsResource(actor: StoreActor) async throws {
    try await actor.run { actor in
      let resource = try await loaded(ServiceFixture())
      let update = resource.updateContent { [unowned resource] in
        $0 += " after \(resource.content ?? "nothing")"
      }
      #expect(resource.content == "base after base")
      _ = try await resource.load().value()
      #expect(resource.content == "base after base after base", "Edits are replayed")
      update?.commit()
      #expect(resource.content == "base after base after base")
    }
  }

  @Test(
    "To commit an edit that makes other content each time leaves the content as it is",
    arguments: StoreActor.allCases)
  func changingEdit(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = try await loaded(fixture)
      var calls = 0
      let updates = (0..<2).map { _ in
        resource.updateContent {
          calls += 1
          $0 += " \(calls)"
        }
      }
      let shown = resource.content
      let recorder = fixture.record(resource)
      updates[0]?.commit()
      #expect(resource.content == shown)
      updates[1]?.commit()
      #expect(resource.content == shown && recorder.events.isEmpty)
    }
  }
}
