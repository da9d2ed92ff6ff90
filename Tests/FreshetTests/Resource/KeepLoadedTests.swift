import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Loading while a view is shown", .standardTimeLimit)
struct KeepLoadedTests {
  @Test(
    "It loads, loads again what is invalidated, and ends with the task",
    arguments: StoreActor.allCases)
  func resource(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("1"), .text("2"), .text("3"))
      let resource = fixture.text("a")
      let shown = Task {
        _ = actor
        await resource.keepLoaded()
      }
      #expect(await soon { resource.content == "1" })
      #expect(resource.isObserved)
      fixture.service.invalidate()
      #expect(await soon { resource.content == "2" })
      shown.cancel()
      await shown.value
      #expect(await soon { !resource.isObserved })
      fixture.service.invalidate()
      #expect(!resource.isLoading)
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("A list too, by triggers as well", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.list.removeObserver(fixture.mirror)
      let list = fixture.list
      let shown = Task {
        _ = actor
        await list.keepLoaded()
      }
      #expect(await soon { list.items == [1] })
      fixture.serve([[11], [2]])
      fixture.service.invalidate()
      #expect(await soon { list.items == [11] && !list.isLoading })
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .elements(of: stream))
      fixture.serve([[111], [2]])
      fixture.clock.advance(by: .seconds(3600))
      continuation.yield()
      #expect(await soon { list.items == [111] && !list.isLoading })
      shown.cancel()
      await shown.value
      fixture.serve([[0], [2]])
      fixture.service.invalidate()
      #expect(!list.isLoading)
      withExtendedLifetime(token) {}
    }
  }

  @Test("It keeps what it loads, and ends with a task that was cancelled before")
  @MainActor func lifetime() async {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .text("1"), .text("2"))
    weak var resource: Resource<String>?
    let shown = Task { @MainActor in
      let made = fixture.text("a")
      resource = made
      await made.keepLoaded()
    }
    #expect(await soon { resource?.content == "1" })
    fixture.service.invalidate()
    #expect(await soon { resource?.content == "2" })
    shown.cancel()
    await shown.value
    let cancelled = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      await fixture.text("b").keepLoaded()
    }
    await cancelled.value
    #expect(!fixture.text("b").isObserved && !fixture.text("b").isLoading)
  }
}
