import Foundation
import Freshet

extension LoopbackServer.Answer {
  /// One thing that a connection does for an answer.
  enum Step: Sendable, Equatable {
    case send([UInt8])
    case pause(Duration)
    /// Wait for the client to leave.
    case stall
    /// FIN, and wait shortly for the client's.
    case finish
    case reset
  }

  /// Everything to be done for this answer, in order. Without a last step that says otherwise the
  /// connection goes on.
  func steps(for method: HTTPMethod, keepsAlive: Bool) -> [Step] {
    var steps = interim.map { Step.send(Self.head($0.status, $0.headers)) }
    let message = message(for: method, keepsAlive: keepsAlive)
    switch cut {
    case .nothing: break
    case .statusLine: steps.append(.send(Array(message.head.prefix { $0 != 0x0A }) + [0x0A]))
    case .body, nil: steps += pieces(of: message)
    }
    switch ending {
    case .reset where message.hasBody || !isCutInBody: steps.append(.reset)
    case .stall where message.hasBody || !isCutInBody: steps.append(.stall)
    case .finish: steps.append(.finish)
    case .complete, .reset, .stall: if message.endsConnection { steps.append(.finish) }
    }
    return steps
  }

  private var cut: Cut? {
    switch ending {
    case .complete: nil
    case .finish(let cut), .reset(let cut), .stall(let cut): cut
    }
  }

  private var isCutInBody: Bool {
    if case .body = cut { true } else { false }
  }

  private struct Message {
    var head: [UInt8] = []
    var body = Data()
    var hasBody = true
    var framing: Framing
    var endsConnection: Bool
  }

  private func message(for method: HTTPMethod, keepsAlive: Bool) -> Message {
    switch content {
    case .raw(let bytes):
      return Message(body: bytes, framing: .untilClose, endsConnection: true)
    case .message(let status, var headers, let body):
      let mayHaveBody = status != 204 && status != 304
      var endsConnection = !keepsAlive || headers.hasToken("close", in: "Connection")
      let isFramed = headers["Content-Length"] != nil || headers["Transfer-Encoding"] != nil
      if mayHaveBody && !isFramed {
        switch framing {
        case .length: headers.append("\(body.count)", for: "Content-Length")
        case .chunked: headers.append("chunked", for: "Transfer-Encoding")
        case .untilClose: endsConnection = true
        }
      }
      if endsConnection && headers["Connection"] == nil {
        headers.append("close", for: "Connection")
      }
      return Message(
        head: Self.head(status, headers), body: body, hasBody: mayHaveBody && method != .head,
        framing: framing, endsConnection: endsConnection)
    }
  }

  /// The head with the first drop of the body, then the other drops.
  private func pieces(of message: Message) -> [Step] {
    var bytes = message.head
    guard message.hasBody else { return [.send(bytes)] }
    var body = message.body[...]
    if case .body(let count)? = cut { body = body.prefix(count) }
    var steps: [Step] = []
    repeat {
      let drop = body.prefix(drip?.count ?? body.count)
      body = body.dropFirst(drop.count)
      Self.append(drop, to: &bytes, message.framing)
      if body.isEmpty, cut == nil, case .chunked = message.framing {
        bytes += Array("0\r\n\r\n".utf8)
      }
      steps.append(.send(bytes))
      if let drip, !body.isEmpty { steps.append(.pause(drip.interval)) }
      bytes = []
    } while !body.isEmpty
    return steps
  }

  private static func append(_ drop: Data, to bytes: inout [UInt8], _ framing: Framing) {
    guard case .chunked(let size) = framing else { return bytes.append(contentsOf: drop) }
    var rest = drop
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      rest = rest.dropFirst(size)
      bytes += Array((String(chunk.count, radix: 16) + "\r\n").utf8)
      bytes += chunk
      bytes += [0x0D, 0x0A]
    }
  }

  private static func head(_ status: Int, _ headers: HTTPHeaders) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    for field in headers.fields {
      text += field.name
      text += ": "
      text += field.value
      text += "\r\n"
    }
    text += "\r\n"
    return Array(text.utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 103: "Early Hints"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

extension HTTPHeaders {
  /// Whether a field that is a comma-separated list of tokens has this one, in lower case.
  func hasToken(_ token: String, in name: String) -> Bool {
    guard let value = self[name] else { return false }
    return value.split(separator: ",").contains {
      $0.trimmingCharacters(in: .whitespaces).lowercased() == token
    }
  }
}
