import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Waits before another try")
struct RequestWaitTests {
  private let end = ManualClock.startDate + 7

  @Test("A request says until when it waits, and that it goes on", arguments: Home.allCases)
  func waits(home: Home) async throws {
    try await home.run { home in
      let scene = limited(then: .text("one"))
      var log: [String] = []
      let (begun, beginning) = AsyncStream<Never>.makeStream()
      let request = scene.text("a").load()
      request.onWait {
        log.append($0 == end ? "waits" : $0 == nil ? "goes on" : "at another date")
        beginning.finish()
      }
      request.onCompletion { _ in log.append("completion") }
      #expect(request.waitsUntil == nil)
      for await _ in begun {}
      #expect(request.waitsUntil == end)
      await scene.clock.sleepers(atLeast: 1)
      scene.clock.advance(by: .seconds(7))
      _ = try await request.value()
      #expect(request.waitsUntil == nil)
      #expect(log == ["waits", "goes on", "completion"])
    }
  }

  @Test("A wait ends with the request", arguments: Home.allCases)
  func cancelled(home: Home) async {
    await home.run { home in
      let scene = limited(then: .text("never"))
      var log: [String] = []
      let (begun, beginning) = AsyncStream<Never>.makeStream()
      let request = scene.text("a").load()
      request.onWait {
        log.append($0 == nil ? "over" : "waits")
        beginning.finish()
      }
      request.onCompletion { _ in log.append("completion") }
      for await _ in begun {}
      request.cancel()
      #expect(request.waitsUntil == nil)
      #expect(log == ["waits", "over", "completion"])
      request.onWait { _ in log.append("too late") }
      #expect(log.count == 3)
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test(
    "A hook that cancels when a wait ends keeps the request from being sent",
    arguments: Home.allCases)
  func cancelledAtItsEnd(home: Home) async {
    await home.run { home in
      let scene = limited(then: .text("never"))
      let (begun, beginning) = AsyncStream<Never>.makeStream()
      let request = scene.text("a").load()
      request.onWait { [unowned request] in
        if $0 == nil { request.cancel() } else { beginning.finish() }
      }
      for await _ in begun {}
      await scene.clock.sleepers(atLeast: 1)
      scene.clock.advance(by: .seconds(7))
      #expect(await request.failure()?.kind == .cancelled)
      scene.stub.on(.get, "/b", .text("b"))
      await scene.text("b").load().ended()
      #expect(scene.stub.requests.map(\.url.path) == ["/a", "/b"])
    }
  }

  @Test("Who asks during a wait hears of it first", arguments: Home.allCases)
  func lateHook(home: Home) async {
    await home.run { home in
      let scene = limited(then: .text("one"))
      let (begun, beginning) = AsyncStream<Never>.makeStream()
      let request = scene.text("a").load()
      request.onWait { _ in beginning.finish() }
      for await _ in begun {}
      var heard: [Date?] = []
      request.onWait { heard.append($0) }
      #expect(heard == [end])
      request.cancel()
      #expect(heard == [end, nil])
    }
  }

  @Test("A chain waits as the request does that is under way", arguments: Home.allCases)
  func chain(home: Home) async throws {
    try await home.run { home in
      let scene = limited(then: .text("one"))
      scene.stub.on(.get, "/b", .text("two"))
      let (begun, beginning) = AsyncStream<Never>.makeStream()
      var heard: [Date?] = []
      let chain = scene.text("b").load().then { _ in scene.text("a").load() }
      chain.onWait {
        heard.append($0)
        beginning.finish()
      }
      for await _ in begun {}
      #expect(chain.waitsUntil == end)
      await scene.clock.sleepers(atLeast: 1)
      scene.clock.advance(by: .seconds(7))
      _ = try await chain.value()
      #expect(heard == [end, nil])
    }
  }

  /// A store whose server first asks for 7 seconds of patience at `/a`.
  private func limited(
    then answer: StubTransport.Answer, isolation: isolated any Actor = #isolation
  ) -> Scene {
    let scene = Scene { $0.retries = .standard }
    scene.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]), answer)
    return scene
  }
}
