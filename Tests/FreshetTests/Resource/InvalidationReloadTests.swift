import Freshet
import FreshetTesting
import Testing

@Suite("Resources that are invalidated while they are observed", .standardTimeLimit)
struct InvalidationReloadTests {
  @Test("They are loaded again by themselves", arguments: StoreActor.allCases)
  func reloads(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      await resource.load().completed()
      recorder.drain()
      fixture.service.invalidate(matching: "a")
      #expect(resource.isLoading)
      await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "2" && resource.isUpToDate)
      #expect(fixture.stub.requests.count == 2)
      #expect(recorder.drain().count { $0 == .invalidated } == 1)
    }
  }

  enum LoadEnd: CaseIterable { case success, failure, cancellation }

  @Test(
    "One that is loading loads again once that load has succeeded, not where it fails or is cancelled",
    arguments: StoreActor.allCases, LoadEnd.allCases)
  func invalidatedAgain(actor: StoreActor, end: LoadEnd) async {
    await actor.run { actor in
      // Or that would prevent a load after the failure.
      let fixture = ServiceFixture { $0.failureCooldown = .zero }
      fixture.stub.on(.get, "/a", .text("1"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      await resource.load().completed()
      recorder.drain()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      resource.invalidate()
      await gates[0].arrived()
      resource.invalidate()
      #expect(recorder.drain() == [.invalidated, .requested, .invalidated])
      switch end {
      case .cancellation:
        resource.cancelLoad()
        #expect(!resource.isLoading)
        #expect(recorder.drain() == [.requestCancelled])
      case .failure:
        let load = resource.loadIfNeeded()
        gates[0].release(with: .status(500))
        await load?.completed()
        #expect(!resource.isLoading)
        #expect(recorder.drain() == [.error])
      case .success:
        gates[0].release(with: .text("2"))
        await gates[1].arrived()
        #expect(recorder.drain() == [.newData(.network), .requested])
        gates[1].release(with: .text("3"))
        await resource.settled()
        #expect(resource.content == "3" && resource.isUpToDate)
      }
    }
  }

  @Test("A resource without observers is not", arguments: StoreActor.allCases)
  func unobserved(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = fixture.text("a")
      await resource.load().completed()
      resource.invalidate()
      #expect(!resource.isLoading)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("By configuration that is an event only", arguments: StoreActor.allCases)
  func eventOnly(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.reloadsWhenInvalidated = false }
      fixture.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      await resource.load().completed()
      recorder.drain()
      fixture.service.invalidate()
      #expect(!resource.isLoading)
      #expect(recorder.drain() == [.invalidated])
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("One that was never loaded stays so", arguments: StoreActor.allCases)
  func neverLoaded(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      fixture.service.invalidate()
      #expect(!resource.isLoading)
      #expect(fixture.stub.requests.isEmpty)
      recorder.drain()
    }
  }
}
