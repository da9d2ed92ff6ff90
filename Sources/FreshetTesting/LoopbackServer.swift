import Foundation
import Freshet

/// A real HTTP/1.1 server on 127.0.0.1 or [::1] for tests, benchmarks and demos, with faults on demand.
///
/// ```swift
/// let server = try LoopbackServer { request in
///   request.url.path() == "/items" ? .json("[1, 2]") : .response(status: 404)
/// }
/// let service = Service(baseURL: server.url.absoluteString, clock: ManualClock())
/// let items = try await service.resource("items", of: [Int].self).freshContent()
/// ```
///
/// It understands requests with `Content-Length` or chunked bodies, pipelining, keep-alive and
/// `Expect: 100-continue` (RFC 9112); anything that is not HTTP gets 400 and the connection is
/// closed. A response is sent in one write, header and body together, unless it says otherwise; see
/// ``Response`` for the faults. No `Date` field is added, so that equal responses have equal bytes.
///
/// Each connection has a thread of its own that blocks on its socket; no thread of Swift's
/// concurrency pool is blocked. The server stops when it is released, or with ``stop()``.
public final class LoopbackServer: Sendable {
  private let core: Core

  /// The origin of the server: `http://127.0.0.1:` or `http://[::1]:`, and the port.
  public let url: URL

  /// The loopback addresses.
  public enum Host: String, Sendable, Hashable {
    /// The address of IPv4, 127.0.0.1.
    case ipv4 = "127.0.0.1"
    /// The address of IPv6, ::1, which not every machine has.
    case ipv6 = "[::1]"
  }

  /// Starts listening; the server accepts connections when this returns.
  ///
  /// - Parameters:
  ///   - port: the port, or 0 for a free one.
  ///   - host: the address to listen on.
  ///   - respond: makes the response to each request. Requests of one connection are handled one
  ///     after the other, those of several at once. It begins on the connection's thread and is
  ///     cancelled when the server stops.
  /// - Throws: ``SocketError``, for instance if the port is in use.
  public init(
    port: UInt16 = 0, host: Host = .ipv4,
    respond: @escaping @Sendable (HTTPRequest) async -> Response
  ) throws(SocketError) {
    let listener = try Socket.listening(port: port, host: host)
    guard let url = URL(string: "http://\(host.rawValue):\(listener.port)") else {
      preconditionFailure("LoopbackServer: no URL for port \(listener.port)")
    }
    self.url = url
    do {
      core = try Core(listener: listener, host: host, respond: respond)
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
  /// When it returns, the port refuses connections and the open ones are shut down, even in the
  /// middle of a response. Handlers that still run are cancelled and their responses are dropped.
  public func stop() {
    core.stop()
  }

  /// The requests received so far, complete with their bodies, in order of arrival.
  ///
  /// Their URL is made from the `Host` field and the request target, so that it is the URL that the
  /// client requested.
  public var requests: [HTTPRequest] { core.state.withLock { $0.requests } }

  /// Returns the requests as soon as there are that many, or when the calling task is cancelled.
  @discardableResult
  public func requests(atLeast count: Int) async -> [HTTPRequest] {
    await core.state.until { $0.requests.count >= count }
    return requests
  }

  /// Removes the requests so far from ``requests``.
  public func forgetRequests() {
    core.state.withLock { $0.requests = [] }
  }

  /// The number of connections that were accepted so far.
  public var connectionCount: Int { core.state.withLock { $0.accepted } }

  /// The number of open connections.
  public var openConnectionCount: Int { core.state.withLock { $0.connections.count } }

  /// Returns as soon as no more than that many connections are open, or when the calling task is
  /// cancelled.
  ///
  /// That a client has closed its end is detected between requests and while a response stalls or
  /// drips, not while `respond` runs.
  public func openConnections(atMost count: Int) async {
    await core.state.until { $0.connections.count <= count }
  }
}
