import Freshet
import FreshetTesting
import Testing

@Suite("The end of content may read the resource that had it", .standardTimeLimit)
struct ContentEndTests {
  /// What the content of a resource finds there when it is deallocated.
  private final class StateRecorder {
    private(set) var found: [Bool] = []

    func content(of resource: Resource<ProbedContent>) -> ProbedContent {
      ProbedContent(DeinitProbe { [unowned self] in look(at: resource) })
    }

    func watch(_ resource: Resource<ProbedContent>) {
      resource.content?.probe.onDeinit = { [unowned self] in look(at: resource) }
    }

    private func look(at resource: Resource<ProbedContent>) {
      found.append(resource.content != nil && resource.latestError == nil)
    }
  }

  @Test("When it is written over, edited, wiped", arguments: StoreActor.allCases)
  func localChanges(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().service.resource("a", decoder: ProbedContent.decoder)
      let recorder = StateRecorder()
      resource.overrideLocalContent(recorder.content(of: resource))
      resource.overrideLocalContent(recorder.content(of: resource))
      #expect(recorder.found == [true])
      let update = resource.updateContent { $0 = ProbedContent(DeinitProbe {}) }
      #expect(recorder.found == [true])
      update?.commit()
      #expect(recorder.found == [true, true])
      resource.overrideLocalContent(recorder.content(of: resource))
      resource.wipe()
      #expect(recorder.found == [true, true, false])
    }
  }

  @Test("What it sets off comes after the events of the change", arguments: StoreActor.allCases)
  func eventsFirst(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.service.resource("a", decoder: ProbedContent.decoder)
      let changes: [(ResourceEvent, () -> Void)] = [
        (.newData(.wipe), { resource.wipe() }),
        (.newData(.wipe), { fixture.service.wipe() }),
        (
          .newData(.localOverride), { resource.overrideLocalContent(ProbedContent(DeinitProbe {})) }
        ),
      ]
      for (event, change) in changes {
        resource.overrideLocalContent(
          ProbedContent(DeinitProbe { [unowned resource] in resource.load() }))
        let recorder = fixture.record(resource)
        change()
        #expect(recorder.events == [event, .requested])
        #expect(recorder.entries.map(\.isLoading) == [false, true])
        resource.cancelLoad()
      }
    }
  }

  @Test(
    "What the end of edited content sets off comes after the events of the edit, within a delivery",
    arguments: StoreActor.allCases, [true, false])
  func edits(actor: StoreActor, isRolledBack: Bool) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.service.resource("a", decoder: ProbedContent.decoder)
      let other = fixture.text("b")
      resource.overrideLocalContent(ProbedContent(DeinitProbe {}))
      let update = resource.updateContent {
        $0 = ProbedContent(DeinitProbe { [unowned resource] in resource.load() })
      }
      let recorder = fixture.record(resource)
      let token = other.observe { _, event in
        guard event == .invalidated else { return }
        if isRolledBack {
          update?.rollBack()
        } else {
          resource.updateContent { $0 = ProbedContent(DeinitProbe {}) }
        }
      }
      other.invalidate()
      #expect(recorder.events == [.newData(.localOverride), .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, true])
      token.cancel()
      resource.cancelLoad()
    }
  }

  @Test("What it sets off comes after the event of a response", arguments: StoreActor.allCases)
  func responseFirst(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let (gate, _) = (fixture.stub.hold(.put, "/a"), fixture.stub.hold(.get, "/a"))
      let resource = fixture.service.resource("a", decoder: ProbedContent.decoder)
      resource.overrideLocalContent(
        ProbedContent(DeinitProbe { [unowned resource] in resource.load() }))
      let request = resource.load(using: resource.request(.put))
      await gate.arrived()
      let recorder = fixture.record(resource)
      gate.release(with: .text("two"))
      await request.completed()
      #expect(recorder.events == [.newData(.network), .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, true])
      resource.cancelLoad()
    }
  }

  @Test("When the response to a load replaces it", arguments: StoreActor.allCases)
  func responses(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let resource = fixture.service.resource("a", decoder: ProbedContent.decoder)
      let recorder = StateRecorder()
      // Both begin without content, so that the second does not hold the content of the first.
      var loads = [resource.load()]
      await gates[0].arrived()
      loads.append(resource.load())
      await gates[1].arrived()
      gates[0].release(with: .text("one"))
      await loads.removeFirst().completed()
      recorder.watch(resource)
      gates[1].release(with: .text("two"))
      await loads.removeFirst().completed()
      #expect(recorder.found == [true])
    }
  }
}
