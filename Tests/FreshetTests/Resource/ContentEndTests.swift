import Freshet
import FreshetTesting
import Testing

@Suite("The end of content may read the resource that had it")
struct ContentEndTests {
  /// What the content of a resource finds there when it ends.
  private final class Witness {
    private(set) var found: [Bool] = []

    func content(of resource: Resource<LastWords>) -> LastWords {
      LastWords(LastWord { [unowned self] in look(at: resource) })
    }

    func watch(_ resource: Resource<LastWords>) {
      resource.content?.object.say = { [unowned self] in look(at: resource) }
    }

    private func look(at resource: Resource<LastWords>) {
      found.append(resource.content != nil && resource.latestError == nil)
    }
  }

  @Test("When it is written over, edited, wiped", arguments: Home.allCases)
  func localChanges(home: Home) async {
    await home.run { home in
      let resource = Scene().service.resource("a", decoder: LastWords.decoder)
      let witness = Witness()
      resource.overrideLocalContent(witness.content(of: resource))
      resource.overrideLocalContent(witness.content(of: resource))
      #expect(witness.found == [true])
      let update = resource.updateContent { $0 = LastWords(LastWord {}) }
      #expect(witness.found == [true])
      update?.commit()
      #expect(witness.found == [true, true])
      resource.overrideLocalContent(witness.content(of: resource))
      resource.wipe()
      #expect(witness.found == [true, true, false])
    }
  }

  @Test("What it sets off comes after the events of the change", arguments: Home.allCases)
  func eventsFirst(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let resource = scene.service.resource("a", decoder: LastWords.decoder)
      let changes: [(ResourceEvent, () -> Void)] = [
        (.newData(.wipe), { resource.wipe() }),
        (.newData(.wipe), { scene.service.wipe() }),
        (.newData(.localOverride), { resource.overrideLocalContent(LastWords(LastWord {})) }),
      ]
      for (event, change) in changes {
        resource.overrideLocalContent(
          LastWords(LastWord { [unowned resource] in resource.load() }))
        let recorder = scene.record(resource)
        change()
        #expect(recorder.events == [event, .requested])
        #expect(recorder.entries.map(\.isLoading) == [false, true])
        resource.cancelLoad()
      }
    }
  }

  @Test("What it sets off comes after the event of a response", arguments: Home.allCases)
  func responseFirst(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let (gate, _) = (scene.stub.hold(.put, "/a"), scene.stub.hold(.get, "/a"))
      let resource = scene.service.resource("a", decoder: LastWords.decoder)
      resource.overrideLocalContent(
        LastWords(LastWord { [unowned resource] in resource.load() }))
      let request = resource.load(using: resource.request(.put))
      await gate.arrived()
      let recorder = scene.record(resource)
      gate.release(with: .text("two"))
      await request.ended()
      #expect(recorder.events == [.newData(.network), .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, true])
      resource.cancelLoad()
    }
  }

  @Test("When the answer to a load replaces it", arguments: Home.allCases)
  func answers(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let gates = [scene.stub.hold(.get, "/a"), scene.stub.hold(.get, "/a")]
      let resource = scene.service.resource("a", decoder: LastWords.decoder)
      let witness = Witness()
      // Both begin without content, so that the second does not hold what the first brings.
      var loads = [resource.load()]
      await gates[0].arrived()
      loads.append(resource.load())
      await gates[1].arrived()
      gates[0].release(with: .text("one"))
      await loads.removeFirst().ended()
      witness.watch(resource)
      gates[1].release(with: .text("two"))
      await loads.removeFirst().ended()
      #expect(witness.found == [true])
    }
  }
}
