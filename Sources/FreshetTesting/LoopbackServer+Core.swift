import Dispatch
import Foundation
import Freshet

extension LoopbackServer {
  /// The state that the threads of a server share. They keep it alive, and not the server, so that
  /// releasing the server stops it.
  final class Core: Sendable {
    struct State: Sendable {
      var isStopped = false
      var requests: [HTTPRequest] = []
      var accepted = 0
      var connections: [Int: Connection] = [:]
    }

    let state = Watched(State())
    let respond: @Sendable (HTTPRequest) async -> Response
    /// Address and port: used instead of a `Host` field that HTTP/1.0 may leave out.
    let authority: String
    private let listener: Socket
    private let alarm: Socket.Alarm
    /// Entered while the listener is open.
    private let accepting = DispatchGroup()

    init(
      listener: Socket, host: Host, respond: @escaping @Sendable (HTTPRequest) async -> Response
    ) throws(SocketError) {
      self.listener = listener
      self.respond = respond
      authority = "\(host.rawValue):\(listener.port)"
      alarm = try Socket.Alarm()
      accepting.enter()
      start { [self] in
        accept()
        listener.close()
        alarm.closeWaitingEnd()
        accepting.leave()
      }
    }

    /// Stops accepting, then ends the connections. A thread closes its own descriptors, so none is
    /// used after its number was given to another connection.
    func stop() {
      let isFirst = state.withLock { state in
        defer { state.isStopped = true }
        return !state.isStopped
      }
      if isFirst { alarm.ring() }
      accepting.wait()
      for connection in state.withLock({ $0.connections.values.map(\.self) }) { connection.stop() }
    }

    private func accept() {
      while listener.waitToAccept(or: alarm) {
        guard let socket = listener.nextConnection() else { continue }
        let connection: Connection? = state.withLock { state in
          guard !state.isStopped else { return nil }
          state.accepted += 1
          let connection = Connection(id: state.accepted, socket: socket, core: self)
          state.connections[connection.id] = connection
          return connection
        }
        guard let connection else { return socket.close() }
        start { connection.run() }
      }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
      let thread = Thread(block: body)
      thread.name = "LoopbackServer"
      thread.stackSize = 1 << 20
      thread.start()
    }
  }
}
