import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Hooks of a request", .standardTimeLimit)
struct RequestHookTests {
  @Test("Each hook is called once, in order, after the events", arguments: StoreActor.allCases)
  func order(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      var log: [String] = []
      recorder.onEvent = { _, event in log.append("\(event)") }
      let request = resource.load()
        .onCompletion { _ in log.append("completion") }
        .onSuccess { log.append("success \($0.content)") }
        .onFailure { _ in log.append("failure") }
        .onNewData { log.append("new \($0.content)") }
        .onNotModified { log.append("same") }
      await request.completed()
      let expected = ["requested", "newData(network)", "completion", "success one", "new one"]
      #expect(log == expected)
      request.cancel()
      request.onSuccess { _ in log.append("late") }
      #expect(log == expected + ["late"], "Called before the call that adds it returns")
    }
  }

  @Test(
    "A hook that is added after completion is called at once, and once",
    arguments: StoreActor.allCases)
  func addedAfterCompletion(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(304))
      let resource = fixture.text("a")
      var log: [String] = []
      for expected in [
        ["new", "success", "completion", "1.0"], ["same", "success", "completion", "1.0"],
      ] {
        let request = resource.load()
        _ = try await request.value()
        request.onNewData { _ in log.append("new") }.onNotModified { log.append("same") }
          .onSuccess { _ in log.append("success") }.onFailure { _ in log.append("failure") }
          .onCompletion { _ in log.append("completion") }.onProgress { log.append("\($0)") }
        #expect(log == expected)
        _ = try await request.value()
        #expect(log == expected)
        log = []
      }
    }
  }

  @Test("A failure calls the failure hooks only", arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(404))
      var log: [String] = []
      let request = fixture.text("a").request(.get)
        .onSuccess { _ in log.append("success") }
        .onNewData { _ in log.append("new") }
        .onFailure { log.append("failure \($0.status ?? 0)") }
        .onCompletion { _ in log.append("completion") }
      await request.completed()
      #expect(log == ["failure 404", "completion"])
      request.onFailure { _ in log.append("late") }.onSuccess { _ in log.append("never") }
      #expect(log.last == "late")
    }
  }

  @Test("Cancelling calls the hooks at once, and nothing later", arguments: StoreActor.allCases)
  func cancel(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      var log: [ResourceError.Kind] = []
      let request = fixture.text("a").request(.get).onFailure { log.append($0.kind) }
      await gate.arrived()
      request.cancel()
      #expect(request.isCompleted)
      #expect(log == [.cancelled])
      await gate.cancelled()
      request.cancel()
      #expect(log == [.cancelled])
    }
  }

  @Test(
    "A request that is dropped within an event still calls its hooks",
    arguments: StoreActor.allCases)
  func droppedWithinEvent(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      var log: [String] = []
      recorder.onEvent = { resource, event in
        log.append("\(event)")
        guard event == .invalidated, let resource = resource as? Resource<String> else { return }
        resource.request(.get).onCompletion { _ in log.append("completion") }.cancel()
        resource.load().onNewData { _ in log.append("never") }
          .onCompletion { _ in log.append("load") }
        resource.cancelLoad()
        log.append("reacted")
      }
      resource.invalidate()
      #expect(
        log == ["invalidated", "reacted", "completion", "requested", "requestCancelled", "load"])
    }
  }

  @Test(
    "Hooks that are added by what a cancellation sets off come last", arguments: StoreActor.allCases
  )
  func addedWhileEnding(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      var log: [String] = []
      let request = resource.load().onCompletion { _ in log.append("first") }
      recorder.onEvent = { _, event in
        if event == .requestCancelled { request.onCompletion { _ in log.append("second") } }
      }
      request.cancel()
      #expect(log == ["first", "second"])
    }
  }

  @Test("A request may be repeated, without touching the resource", arguments: StoreActor.allCases)
  func repeated(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/a", .status(500), .text("two"))
      fixture.stub.on(.get, "/a", .text("loaded"), .text("again"))
      let resource = fixture.text("a")
      let failed = resource.request(.post, body: .text("x"))
      #expect(await failed.failure()?.kind == .http)
      let content = try await failed.sendAgain().value()
      #expect(content == "two")
      #expect(fixture.stub.requests.map(\.body) == [Data("x".utf8), Data("x".utf8)])
      let load = resource.load()
      _ = try await load.value()
      let again = try await load.sendAgain().value()
      #expect(again == "again")
      #expect(resource.content == "loaded")
    }
  }
}
