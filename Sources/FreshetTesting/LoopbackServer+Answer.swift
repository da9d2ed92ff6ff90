import Foundation
import Freshet

extension LoopbackServer {
  /// What a ``LoopbackServer`` sends for a request, and how: whole, in pieces, broken off, or never.
  ///
  /// Statics say what is sent, methods how. They combine:
  ///
  /// ```swift
  /// .json(page)                                       // Content-Length, one write, keep-alive
  /// .json(page).chunked(by: 16)                       // the same in chunks of 16 bytes
  /// .json(page).chunked(by: 16).truncated(after: 32)  // two chunks, then the end of the connection
  /// .json(page).dripped(1, every: .milliseconds(500)) // slower than any idle timeout notices
  /// .reset                                            // RST instead of an answer
  /// ```
  ///
  /// Header fields are sent as they are given. `Content-Length` or `Transfer-Encoding` are added
  /// where neither is given: a wrong length is a fault one can ask for. Answers to `HEAD`, and those
  /// with status 204 and 304, have no body; faults in the body do not happen to them.
  public struct Answer: Sendable {
    enum Content: Sendable {
      case message(status: Int, headers: HTTPHeaders, body: Data)
      case raw(Data)
    }

    enum Framing: Sendable {
      case length
      case chunked(size: Int)
      case untilClose
    }

    /// How much is sent before the answer breaks off.
    enum Cut: Sendable {
      case nothing
      case statusLine
      case body(Int)
    }

    enum Ending: Sendable {
      case complete
      case finish(Cut)
      case reset(Cut)
      case stall(Cut)
    }

    struct Drip: Sendable {
      let count: Int
      let interval: Duration
    }

    let content: Content
    var framing = Framing.length
    var ending = Ending.complete
    var drip: Drip?
    var interim: [(status: Int, headers: HTTPHeaders)] = []

    private init(_ content: Content) {
      self.content = content
    }

    /// A response.
    public static func response(
      status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
    ) -> Answer {
      Answer(.message(status: status, headers: headers, body: body))
    }

    /// This response; its URL is not used.
    public static func response(_ response: HTTPResponse) -> Answer {
      .response(status: response.status, headers: response.headers, body: response.body)
    }

    /// A response with this JSON text, typed `application/json` unless `headers` say otherwise.
    public static func json(
      _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> Answer {
      var headers = headers
      if headers["Content-Type"] == nil { headers.append("application/json", for: "Content-Type") }
      return .response(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Exactly these bytes, then the end of the connection: for what is not HTTP, or hardly.
    public static func raw(_ bytes: Data) -> Answer {
      Answer(.raw(bytes))
    }

    /// The connection is reset (TCP RST) before any byte is sent.
    public static let reset = Answer.response().with { $0.ending = .reset(.nothing) }

    /// The connection is reset after the status line.
    public static let resetInHeaders = Answer.response().with { $0.ending = .reset(.statusLine) }

    /// Nothing is ever sent; the connection stays open until the client leaves or the server stops.
    public static let stall = Answer.response().with { $0.ending = .stall(.nothing) }
  }
}

extension LoopbackServer.Answer {
  /// The body in chunks of this many bytes (RFC 9112, section 7.1), without `Content-Length`.
  public func chunked(by size: Int) -> Self {
    precondition(size > 0, "chunked(by: \(size)): a chunk has at least one byte")
    return with { $0.framing = .chunked(size: size) }
  }

  /// The body ends with the connection; neither length nor chunks are announced.
  public func closeDelimited() -> Self {
    with { $0.framing = .untilClose }
  }

  /// The connection ends (TCP FIN) after this many bytes of body, while more were announced.
  public func truncated(after count: Int) -> Self {
    with { $0.ending = .finish(.body(count)) }
  }

  /// The connection is reset (TCP RST) after this many bytes of body.
  ///
  /// The client may see fewer of them: a reset overtakes what it has not read.
  public func reset(after count: Int) -> Self {
    with { $0.ending = .reset(.body(count)) }
  }

  /// Nothing comes after this many bytes of body until the client leaves or the server stops.
  public func stalled(after count: Int) -> Self {
    with { $0.ending = .stall(.body(count)) }
  }

  /// The body comes this many bytes at a time; the first ones with the header, the others after the
  /// interval each.
  public func dripped(_ count: Int, every interval: Duration) -> Self {
    precondition(count > 0, "dripped(\(count), every:): a drop has at least one byte")
    return with { $0.drip = Drip(count: count, interval: interval) }
  }

  /// An interim response (1xx) goes first, such as 103 Early Hints; repeat it for several.
  public func preceded(by status: Int, headers: HTTPHeaders = [:]) -> Self {
    precondition((100..<200).contains(status), "preceded(by: \(status)): interim means 100…199")
    return with { $0.interim.append((status, headers)) }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var answer = self
    change(&answer)
    return answer
  }
}
