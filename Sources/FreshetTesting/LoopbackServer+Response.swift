import Foundation
import Freshet

extension LoopbackServer {
  /// The response of a ``LoopbackServer`` and how it is sent: whole, in pieces, broken off, or
  /// never.
  ///
  /// Static members are responses, methods change how they are sent. They combine:
  ///
  /// ```swift
  /// let responses: [LoopbackServer.Response] = [
  ///   .json(page),                                        // Content-Length, one write, keep-alive
  ///   .json(page).chunked(by: 16),                        // the same in chunks of 16 bytes
  ///   .json(page).chunked(by: 16).truncated(after: 32),   // two chunks, then the connection ends
  ///   .json(page).dripped(1, every: .milliseconds(500)),  // slower than any idle timeout notices
  ///   .reset,                                             // RST instead of a response
  /// ]
  /// ```
  ///
  /// Header fields are sent as they are given. `Content-Length` or `Transfer-Encoding` is added if
  /// neither is given; a wrong length is sent as well. Responses to `HEAD`, and those with status
  /// 204 and 304, have no body, and no faults in the body.
  public struct Response: Sendable {
    enum Content: Sendable {
      case message(status: Int, headers: HTTPHeaders, body: Data)
      case raw(Data)
      case script([Step])
    }

    enum Framing: Sendable {
      case length
      case chunked(size: Int)
      case untilClose
    }

    /// A fault of a response: the place where it breaks off, and what happens then.
    struct Fault: Sendable {
      enum Cut: Sendable, Equatable {
        case beforeAll
        case afterStatusLine
        case inBody(after: Int)
      }

      let cut: Cut
      let step: Step
    }

    struct Drip: Sendable {
      let count: Int
      let interval: Duration
    }

    let content: Content
    var framing = Framing.length
    var fault: Fault?
    var drip: Drip?
    var interim: [(status: Int, headers: HTTPHeaders)] = []

    private init(_ content: Content) {
      self.content = content
    }

    /// Returns a response with a status, header fields and a body.
    public static func response(
      status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
    ) -> Response {
      Response(.message(status: status, headers: headers, body: body))
    }

    /// Returns a response with the parts of another one, except its URL.
    public static func response(_ response: HTTPResponse) -> Response {
      .response(status: response.status, headers: response.headers, body: response.body)
    }

    /// Returns a response with JSON text, of type `application/json` unless `headers` specify another.
    public static func json(
      _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> Response {
      var headers = headers
      if headers["Content-Type"] == nil { headers.append("application/json", for: "Content-Type") }
      return .response(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Returns a response of exactly these bytes, after which the connection ends, for data that is not valid HTTP.
    public static func raw(_ bytes: Data) -> Response {
      Response(.raw(bytes))
    }

    /// Exactly these steps: for faults that no combination of the others has.
    package static func script(_ steps: [Step]) -> Response {
      Response(.script(steps))
    }

    /// The connection is reset (TCP RST) before any byte is sent.
    public static let reset = Response.response().with {
      $0.fault = Fault(cut: .beforeAll, step: .reset)
    }

    /// The connection is reset after the status line.
    public static let resetInHeaders = Response.response().with {
      $0.fault = Fault(cut: .afterStatusLine, step: .reset)
    }

    /// Nothing is ever sent; the connection stays open until the client leaves or the server stops.
    public static let stall = Response.response().with {
      $0.fault = Fault(cut: .beforeAll, step: .stall)
    }
  }
}

extension LoopbackServer.Response {
  /// Returns the response with its body in chunks of this many bytes (RFC 9112, section 7.1), without
  /// `Content-Length`.
  public func chunked(by size: Int) -> Self {
    precondition(size > 0, "chunked(by: \(size)): a chunk has at least one byte")
    return with { $0.framing = .chunked(size: size) }
  }

  /// Returns the response with a body that ends with the connection, without length or chunks.
  public func closeDelimited() -> Self {
    with { $0.framing = .untilClose }
  }

  /// Returns the response with the connection ending (TCP FIN) after this many bytes of body, although more were
  /// announced.
  public func truncated(after count: Int) -> Self {
    broken(after: count, by: .finish)
  }

  /// Returns the response with the connection reset (TCP RST) after this many bytes of body.
  ///
  /// The client may receive fewer of them: a reset discards what it has not read.
  public func reset(after count: Int) -> Self {
    broken(after: count, by: .reset)
  }

  /// Returns the response with nothing sent after this many bytes of body, until the client leaves or the server
  /// stops.
  public func stalled(after count: Int) -> Self {
    broken(after: count, by: .stall)
  }

  /// Returns the response with its body sent this many bytes at a time: the first ones with the header, the others
  /// after the interval each.
  public func dripped(_ count: Int, every interval: Duration) -> Self {
    precondition(count > 0, "dripped(\(count), every:): a drop has at least one byte")
    return with { $0.drip = Drip(count: count, interval: interval) }
  }

  /// Returns the response preceded by an interim response (1xx), such as 103 Early Hints.
  ///
  /// Call it repeatedly for several interim responses.
  public func preceded(by status: Int, headers: HTTPHeaders = [:]) -> Self {
    precondition((100..<200).contains(status), "preceded(by: \(status)): interim means 100…199")
    return with { $0.interim.append((status, headers)) }
  }

  private func broken(after count: Int, by step: Step) -> Self {
    precondition(count >= 0, "a response cannot break off after \(count) bytes of body")
    return with { $0.fault = Fault(cut: .inBody(after: count), step: step) }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var response = self
    change(&response)
    return response
  }
}
