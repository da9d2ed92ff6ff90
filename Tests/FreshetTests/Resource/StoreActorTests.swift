import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Where observers and hooks are called", .standardTimeLimit)
struct StoreActorTests {
  @Test(
    "Events and hooks come on the store's actor", arguments: StoreActor.allCases, [false, true])
  func onTheActor(actor: StoreActor, withCache: Bool) async {
    await actor.run { actor in
      let fixture = ServiceFixture { if withCache { $0.cache = MemoryCache() } }
      fixture.stub.on(.get, "/a", .text("one").reporting(TransferProgress(bytesReceived: 1)))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      recorder.onEvent = { _, _ in actor.preconditionIsolated("event") }
      let request = resource.load()
        .onProgress { _ in actor.preconditionIsolated("progress") }
        .onCompletion { _ in actor.preconditionIsolated("completion") }
      await request.completed()
      actor.preconditionIsolated("after waiting")
      let plain = resource.request(.get).onCompletion { _ in actor.preconditionIsolated("plain") }
      await plain.completed()
      #expect(recorder.events == [.requested, .newData(.network)])
    }
  }
}
