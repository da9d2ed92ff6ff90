import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A gate of a stub transport", .standardTimeLimit)
struct StubTransportGateTests {
  let stub = StubTransport()

  func get(_ path: String) -> Task<String, any Error> {
    Task {
      let url = try #require(URL(string: "http://x.test" + path))
      let response = try await stub.send(HTTPRequest(url: url)) { _ in }
      return String(decoding: response.body, as: UTF8.self)
    }
  }

  @Test("holds the request, then responds")
  func response() async throws {
    let gate = stub.hold(.get, "/a")
    let load = get("/a")
    await gate.arrived()
    #expect(gate.request?.url.path() == "/a")
    gate.release(with: .json("late"))
    #expect(try await load.value == "late")
  }

  @Test("lets the request pass to the stubs")
  func pass() async throws {
    stub.on(.get, "/a", .json("stub"))
    let gate = stub.hold(.get, "/a")
    let load = get("/a")
    await gate.arrived()
    gate.release()
    #expect(try await load.value == "stub")
  }

  @Test("holds one request; the next one passes")
  func one() async throws {
    stub.on(.get, "/a", .json("stub"))
    let gate = stub.hold(where: { $0.method == .get })
    let held = get("/a")
    await gate.arrived()
    #expect(try await get("/a").value == "stub")
    gate.release(with: .json("held"))
    #expect(try await held.value == "held")
  }

  @Test("is reached in the order in which gates were made, and responds in any order")
  func several() async throws {
    let first = stub.hold(.get, "/a")
    let second = stub.hold(.get, "http://x.test/a")
    let old = get("/a")
    await first.arrived()
    let new = get("/a")
    await second.arrived()
    second.release(with: .json("new"))
    #expect(try await new.value == "new")
    first.release(with: .json("old"))
    #expect(try await old.value == "old")
  }

  @Test("may be opened before the request comes")
  func openBefore() async throws {
    let gate = stub.hold(.get, "/a")
    gate.release(with: .json("ready"))
    #expect(try await get("/a").value == "ready")
    await gate.arrived()
  }

  @Test("counts the first release only")
  func firstRelease() async throws {
    let gate = stub.hold(.get, "/a")
    gate.release(with: .json("first"))
    gate.release(with: .json("second"))
    gate.release()
    #expect(try await get("/a").value == "first")
  }

  @Test("ends at once when the request is cancelled, and reports it")
  func cancelled() async throws {
    let gate = stub.hold(.get, "/a")
    let load = get("/a")
    await gate.arrived()
    #expect(!gate.isCancelled)
    load.cancel()
    await gate.cancelled()
    let error = await #expect(throws: TransportError.self) { try await load.value }
    #expect(error?.kind == .cancelled)
    #expect(error?.message == "GET /a was cancelled.")
    #expect(gate.isCancelled)
    gate.release(with: .json("too late"))
  }

  @Test("can hold a request past its cancellation")
  func ignoring() async throws {
    let gate = stub.hold(.get, "/a", ignoringCancellation: true)
    let load = get("/a")
    await gate.arrived()
    load.cancel()
    await gate.cancelled()
    gate.release(with: .json("late"))
    #expect(try await load.value == "late")
  }

  @Test("reports progress while it holds the request")
  func progress() async throws {
    let (reports, continuation) = AsyncStream.makeStream(of: TransferProgress.self)
    let url = try #require(URL(string: "http://x.test/a"))
    let gate = stub.hold(.get, "/a")
    gate.report(TransferProgress(bytesReceived: 1))
    let load = Task { try await stub.send(HTTPRequest(url: url)) { continuation.yield($0) } }
    await gate.arrived()
    gate.report(TransferProgress(bytesReceived: 2))
    gate.release(with: .failure(.connectionLost))
    gate.report(TransferProgress(bytesReceived: 3))
    await #expect(throws: TransportError.self) { try await load.value }
    continuation.finish()
    let received = await reports.reduce(into: []) { $0.append($1.bytesReceived) }
    #expect(received == [2])
  }

  @Test("stops waiting when the waiting task is cancelled")
  func waiterCancelled() async {
    let gate = stub.hold(.get, "/a")
    let waiter = Task {
      await gate.arrived()
      await gate.cancelled()
    }
    waiter.cancel()
    await waiter.value
  }

  @Test("survives releases and cancellations that race")
  func race() async {
    let stub = stub
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        let gate = stub.hold(.get, "/\(index)")
        group.addTask {
          let load = get("/\(index)")
          await gate.arrived()
          async let cancel: Void = load.cancel()
          gate.release(with: .json("response"))
          await cancel
          switch await load.result {
          case .success(let text): #expect(text == "response")
          case .failure(let error): #expect((error as? TransportError)?.kind == .cancelled)
          }
        }
      }
    }
  }
}
