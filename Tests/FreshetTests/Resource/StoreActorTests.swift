import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Where observers and hooks are called")
struct StoreActorTests {
  @Test("Events and hooks come on the store's actor", arguments: Home.allCases, [false, true])
  func onTheActor(home: Home, withCache: Bool) async {
    await home.run { home in
      let scene = Scene { if withCache { $0.cache = MemoryCache() } }
      scene.stub.on(.get, "/a", .text("one").reporting(TransferProgress(received: 1)))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      recorder.onEvent = { _, _ in home.preconditionIsolated("event") }
      let request = resource.load()
        .onProgress { _ in home.preconditionIsolated("progress") }
        .onCompletion { _ in home.preconditionIsolated("completion") }
      await request.ended()
      home.preconditionIsolated("after waiting")
      let plain = resource.request(.get).onCompletion { _ in home.preconditionIsolated("plain") }
      await plain.ended()
      #expect(recorder.events == [.requested, .newData(.network)])
    }
  }
}
