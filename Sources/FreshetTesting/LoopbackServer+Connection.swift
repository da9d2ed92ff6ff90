import Dispatch
import Foundation
import Freshet

extension LoopbackServer {
  /// One connection and the thread that reads its requests, calls the handler, and writes.
  final class Connection: Sendable {
    private struct State: Sendable {
      var isStopped = false
      var handler: Task<Void, Never>?
    }

    let id: Int
    private let socket: Socket
    private let core: Core
    private let state = Locked(State())

    init(id: Int, socket: Socket, core: Core) {
      self.id = id
      self.socket = socket
      self.core = core
    }

    /// Serves requests until either side ends the connection; the body of its thread.
    func run() {
      serve()
      // In one step for all readers of the table: `stop` shuts down the connections in it, and
      // after `close` the descriptor may be another connection's.
      core.state.withLock { state in
        state.connections[id] = nil
        socket.close()
      }
    }

    /// Ends the connection from any thread: its own thread sees the end of input and failing
    /// writes.
    ///
    /// While the table is locked, which prevents `run` from closing the socket meanwhile.
    func stop() {
      core.state.withLock { state in
        if state.connections[id] != nil { socket.shutDown() }
      }
      let handler = state.withLock { state in
        state.isStopped = true
        return state.handler
      }
      handler?.cancel()
    }

    private func serve() {
      var parser = RequestParser(authority: core.authority)
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        do throws(RequestParser.Rejection) {
          while let event = try parser.next() {
            guard handle(event) else { return }
          }
        } catch {
          let response = Response.response(
            status: error.status, headers: ["Content-Type": "text/plain", "Connection": "close"],
            body: Data((error.reason + "\n").utf8))
          _ = perform(response.steps(for: .get, keepsAlive: false))
          return
        }
        let count = socket.receive(into: &buffer)
        guard count > 0 else { return }
        parser.append(buffer[..<count])
      }
    }

    /// Responds to an event of the parser; returns whether the connection stays open.
    private func handle(_ event: RequestParser.Event) -> Bool {
      switch event {
      case .expectsContinue:
        return socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      case .request(let request, let keepsAlive):
        core.state.withLock { $0.requests.append(request) }
        guard let response = response(to: request) else { return false }
        return perform(response.steps(for: request.method, keepsAlive: keepsAlive))
      }
    }

    /// Waits for the response of the handler, on this connection's own thread.
    private func response(to request: HTTPRequest) -> Response? {
      let result = Locked<Response?>(nil)
      let done = DispatchSemaphore(value: 0)
      let handler = Connection.start { [respond = core.respond] in
        let response = await respond(request)
        result.withLock { $0 = response }
        done.signal()
      }
      let isStopped = state.withLock { state in
        state.handler = handler
        return state.isStopped
      }
      if isStopped { handler.cancel() }
      done.wait()
      return state.withLock { $0.isStopped } ? nil : result.withLock { $0 }
    }

    /// Runs the task on this thread up to its first suspension if the system can: for a handler
    /// that does not suspend that saves two thread switches, most of a request's cost.
    private static func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate { await body() }
      }
      return Task { await body() }
    }

    /// Performs the steps of a response; returns whether the connection stays open.
    private func perform(_ steps: [Response.Step]) -> Bool {
      for step in steps {
        switch step {
        case .send(let bytes):
          guard socket.write(bytes) else { return false }
        case .pause(let duration):
          guard socket.pause(for: duration) else { return false }
        case .stall:
          socket.waitForEnd()
          return false
        case .finish:
          socket.finish()
          return false
        case .reset:
          socket.resetWhenClosed()
          return false
        }
      }
      return true
    }
  }
}
