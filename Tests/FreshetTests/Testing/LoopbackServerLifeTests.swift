import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The life of a loopback server", .standardTimeLimit)
struct LoopbackServerLifeTests {
  let get = "GET /a HTTP/1.1\nHost: x.test\n\n"

  @Test("listens on 127.0.0.1, each on a port of its own")
  func ports() throws {
    let first = try LoopbackServer { _ in .json("[]") }
    let second = try LoopbackServer { _ in .json("[]") }
    #expect(first.url.host() == "127.0.0.1")
    #expect(first.url != second.url)
  }

  @Test("says which call failed where the port is taken")
  func portTaken() throws {
    let server = try LoopbackServer { _ in .json("[]") }
    let port = try #require(server.url.port.flatMap(UInt16.init))
    let error = #expect(throws: SocketError.self) { try LoopbackServer(port: port) { _ in .reset } }
    #expect(error?.call == "bind")
    #expect(error?.code == EADDRINUSE)
  }

  @Test("refuses connections once it is stopped, and can be started again on the same port")
  func restart() async throws {
    let first = try LoopbackServer { _ in .json("1") }
    let port = try #require(first.url.port.flatMap(UInt16.init))
    let client = try RawClient(first.url)
    client.send(get)
    #expect(await client.receive().hasSuffix("1"))
    first.stop()
    first.stop()
    #expect(await client.receiveAll().ending == .closed)
    #expect(throws: RawClient.Failure.self) { try RawClient(first.url) }

    let second = try LoopbackServer(port: port) { _ in .json("2") }
    let other = try RawClient(second.url)
    other.send(get)
    #expect(await other.receive().hasSuffix("2"))
  }

  @Test("stops when it is released, idle connections included")
  func release() async throws {
    var server: LoopbackServer? = try LoopbackServer { _ in .json("[]") }
    let url = try #require(server?.url)
    let client = try RawClient(url)
    client.send(get)
    _ = await client.receive()
    server = nil
    #expect(await client.receiveAll() == ("", .closed))
    #expect(throws: RawClient.Failure.self) { try RawClient(url) }
  }

  @Test("cancels handlers that still run when it stops, and drops their responses")
  func cancelsHandlers() async throws {
    let clock = ManualClock()
    let server = try LoopbackServer { _ in
      try? await clock.sleep(for: .seconds(1))
      return .json("late")
    }
    let client = try RawClient(server.url)
    client.send(get)
    await clock.timers(atLeast: 1)
    server.stop()
    #expect(await client.receiveAll() == ("", .closed))
    await server.openConnections(atMost: 0)
  }

  @Test("waits for a handler that suspends, and serves others meanwhile")
  func handlersRunConcurrently() async throws {
    let clock = ManualClock()
    let server = try LoopbackServer { request in
      if request.url.path() == "/slow" { try? await clock.sleep(for: .seconds(1)) }
      return .json(request.url.path())
    }
    let slow = try RawClient(server.url)
    slow.send("GET /slow HTTP/1.1\nHost: x\n\n")
    await clock.timers(atLeast: 1)
    let quick = try RawClient(server.url)
    quick.send(get)
    #expect(await quick.receive().hasSuffix("/a"))
    await clock.advanceToNextTimer()
    #expect(await slow.receive().hasSuffix("/slow"))
  }

  @Test("may be stopped by a handler")
  func stopsItself() async throws {
    let box = AsyncStream.makeStream(of: LoopbackServer.self)
    let server = try LoopbackServer { _ in
      for await server in box.stream {
        server.stop()
        break
      }
      return .json("never seen")
    }
    box.continuation.yield(server)
    let client = try RawClient(server.url)
    client.send(get)
    #expect(await client.receiveAll() == ("", .closed))
  }

  @Test("serves hundreds of connections at once")
  func crowd() async throws {
    let server = try LoopbackServer { .json($0.url.path()) }
    let clients = try (0..<300).map { _ in try RawClient(server.url) }
    for round in 0..<3 {
      for (index, client) in clients.enumerated() {
        client.send("GET /\(round)/\(index) HTTP/1.1\nHost: x\n\n")
      }
      for (index, client) in clients.enumerated() {
        #expect(await client.receive().hasSuffix("/\(round)/\(index)"))
      }
    }
    #expect(server.connectionCount == 300)
    #expect(server.requests.count == 900)
    server.forgetRequests()
    #expect(server.requests.isEmpty)
    server.stop()
    await server.openConnections(atMost: 0)
  }

  @Test("stops waiting for requests when the waiting task is cancelled")
  func waiterCancelled() async throws {
    let server = try LoopbackServer { _ in .json("[]") }
    let waiter = Task { await server.requests(atLeast: 1) }
    waiter.cancel()
    #expect(await waiter.value.isEmpty)
  }

  @Test("stops while clients connect and send")
  func stopRace() async throws {
    for _ in 0..<20 {
      let server = try LoopbackServer { _ in .json("[]") }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            guard let client = try? RawClient(server.url) else { return }
            client.send(get)
            _ = await client.receive()
          }
        }
        group.addTask { server.stop() }
        group.addTask { server.stop() }
      }
      await server.openConnections(atMost: 0)
    }
  }
}
