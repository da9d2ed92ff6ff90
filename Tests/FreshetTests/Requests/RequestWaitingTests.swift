import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Waiting for a request", .standardTimeLimit)
struct RequestWaitingTests {
  @Test(
    "Several tasks may wait, and cancelling one cancels nothing else",
    arguments: StoreActor.allCases)
  func severalTasks(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      let request = fixture.text("a").load()
      var tasks: [Task<String, Never>] = []
      for _ in 0..<5 { tasks.append(waiter(request)) }
      await gate.arrived()
      tasks[2].cancel()
      #expect(await tasks[2].value == "cancelled")
      #expect(!request.isCompleted)
      gate.release(with: .text("one"))
      for (index, task) in tasks.enumerated() where index != 2 {
        #expect(await task.value == "one")
      }
      #expect(await waiter(request).value == "one", "Waiting for what has ended does not wait")
    }
  }

  /// A task of its own, on the same actor, that waits for the request.
  private func waiter(
    _ request: Request<String>, isolation: isolated any Actor = #isolation
  ) -> Task<String, Never> {
    Task {
      _ = isolation
      do throws(ResourceError) {
        return try await request.value()
      } catch {
        return error.kind.rawValue
      }
    }
  }

  @Test("A request continues when its handle is dropped", arguments: StoreActor.allCases)
  func handleIsDropped(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.post, "/a")
      let (ends, end) = AsyncStream<String>.makeStream()
      fixture.text("a").request(.post).onSuccess { end.yield($0.content) }
      await gate.arrived()
      gate.release(with: .text("done"))
      var next = ends.makeAsyncIterator()
      #expect(await next.next(isolation: actor) == "done")
    }
  }
}
