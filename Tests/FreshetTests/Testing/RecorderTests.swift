import Freshet
import FreshetTesting
import Testing

@Suite("Recorders of events", .standardTimeLimit)
struct RecorderTests {
  @Test("Changes and states of a list are written down in order", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]]) { $0.reloadsWhenInvalidated = false }
      let recorder = PagedCollectionRecorder<Int>()
      fixture.list.addObserver(recorder)
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(
        recorder.lines == [
          "observerAdded", "stateChanged(loading)", "itemsChanged(0..<0 → [1, 2])",
          "previousStateChanged(ended)", "itemsChanged(2..<2 → [3])", "stateChanged(ended)",
        ], "\(recorder)")
      #expect(recorder.entries.map(\.itemCount) == [0, 0, 2, 2, 3, 3])
      #expect(recorder.states == [.loading, .ended])
      #expect(
        recorder.changes.flatMap(\.splices).map { Array($0.insertedItems) } == [[1, 2], [3]])

      recorder.drain()
      fixture.page(1).updateContent { $0.items = [7, 2, 8] }
      fixture.page(2).invalidate()
      #expect(
        recorder.lines == ["itemsChanged(0..<2 → [7, 2, 8])", "invalidated"], "\(recorder)")
    }
  }

  @Test("Printed, it is a numbered line for each event", arguments: StoreActor.allCases)
  func dump(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2]])
      let recorder = PagedCollectionRecorder<Int>()
      #expect("\(recorder)" == "no events")
      fixture.list.addObserver(recorder)
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(
        "\(recorder)" == """
          1. observerAdded, 0 items
          2. stateChanged(loading), 0 items
          3. itemsChanged(0..<0 → [1, 2]), 2 items
          4. previousStateChanged(ended), 2 items
          5. stateChanged(ended), 2 items
          """)
    }
  }

  @Test("Several lists share one, in the order of the events", arguments: StoreActor.allCases)
  func several(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let other = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      let recorder = PagedCollectionRecorder<Int>()
      for list in [fixture.list, other] {
        list.loadAll()
        await list.settled()
        list.addObserver(recorder)
      }
      recorder.drain()
      fixture.page(1).updateContent { $0.items = [2] }
      #expect(recorder.entries.map { $0.source === other } == [false, true], "\(recorder)")
      #expect(recorder.events(of: other).count == 1)
    }
  }

  @Test("A paginator's events are written down with its page", arguments: StoreActor.allCases)
  func paginator(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(2)
      #expect(
        fixture.recorder.lines == ["loading(2)", "slotsChanged", "loaded(2)"],
        "\(fixture.recorder)")
      #expect(fixture.recorder.entries.last?.description == "loaded(2), current page 2")
      #expect(fixture.recorder.entries.first?.description == "loading(2), no current page")
    }
  }

  @Test("A resource's events are printed with the resource", arguments: StoreActor.allCases)
  func resource(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let recorder = EventRecorder()
      fixture.text("a").addObserver(recorder)
      #expect(recorder.lines == ["observerAdded"])
      #expect("\(recorder)".hasPrefix("1. "))
      #expect("\(recorder)".hasSuffix(": observerAdded"))
    }
  }
}
