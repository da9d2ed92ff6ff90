import Foundation
import Freshet

/// A real HTTP/1.1 server on 127.0.0.1 for tests, benchmarks and demos, with faults on demand.
///
/// ```swift
/// let server = try LoopbackServer { request in
///   request.url.path() == "/items" ? .json("[1, 2]") : .response(status: 404)
/// }
/// let (data, _) = try await URLSession.shared.data(from: server.url.appending(path: "items"))
/// server.stop()
/// ```
///
/// Requests with `Content-Length` or chunked bodies, pipelining, keep-alive and
/// `Expect: 100-continue` are understood (RFC 9112); what is not HTTP gets 400 and the
/// connection closed. A response goes out in one write, header and body together, unless it asks for
/// something else; see ``Response`` for the faults. No `Date` field is added, so that the same response
/// is the same bytes.
///
/// Each connection has a thread of its own that blocks on its socket; none of Swift's concurrency
/// pool is blocked. The server stops when it is released or told to ``stop()``.
public final class LoopbackServer: Sendable {
  private let core: Core

  /// The origin of the server: `http://127.0.0.1:` and the port.
  public let url: URL

  /// Starts listening; the server accepts connections when this returns.
  ///
  /// - Parameters:
  ///   - port: the port, or 0 for a free one.
  ///   - respond: makes the response to each request. Requests of one connection are handled one
  ///     after the other, those of several at once. It begins on the connection's thread and is
  ///     cancelled when the server stops.
  /// - Throws: ``SocketError``, for instance where the port is taken.
  public init(
    port: UInt16 = 0, respond: @escaping @Sendable (HTTPRequest) async -> Response
  ) throws(SocketError) {
    let listener = try Socket.listening(port: port)
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
      preconditionFailure("LoopbackServer: no URL for port \(listener.port)")
    }
    self.url = url
    do {
      core = try Core(listener: listener, respond: respond)
    } catch {
      listener.close()
      throw error
    }
  }

  deinit {
    core.stop()
  }

  /// Stops listening and ends all connections; does nothing the second time.
  ///
  /// When it returns, the port refuses connections and the open ones are shut down, in the middle
  /// of a response if need be. Handlers that still run are cancelled and their responses are dropped.
  public func stop() {
    core.stop()
  }

  /// The requests received so far, complete with their bodies, in the order in which they were.
  ///
  /// Their URL is made of the `Host` field and the request target, so that it is the one that the
  /// client asked for.
  public var requests: [HTTPRequest] { core.state.withLock { $0.requests } }

  /// Returns the requests as soon as there are that many, or when the calling task is cancelled.
  @discardableResult
  public func requests(atLeast count: Int) async -> [HTTPRequest] {
    await core.state.until { $0.requests.count >= count }
    return requests
  }

  /// Forgets the requests so far.
  public func forgetRequests() {
    core.state.withLock { $0.requests = [] }
  }

  /// How many connections were accepted so far.
  public var connectionCount: Int { core.state.withLock { $0.accepted } }

  /// How many connections are open.
  public var openConnectionCount: Int { core.state.withLock { $0.connections.count } }

  /// Returns as soon as no more than that many connections are open, or when the calling task is
  /// cancelled.
  ///
  /// A client that closes its end is noticed between requests and while a response stalls or drips,
  /// not while `respond` runs.
  public func openConnections(atMost count: Int) async {
    await core.state.until { $0.connections.count <= count }
  }
}
