import Foundation
import Freshet

extension LoopbackServer.Response {
  /// One step of a connection to send a response.
  package enum Step: Sendable, Equatable {
    case send([UInt8])
    case pause(Duration)
    /// Wait for the client to leave.
    case stall
    /// FIN, and wait shortly for the client's.
    case finish
    case reset
  }

  /// All steps for this response, in order. The connection stays open unless the last step ends it.
  func steps(for method: HTTPMethod, keepsAlive: Bool) -> [Step] {
    if case .script(let steps) = content { return steps }
    var steps = interim.map { Step.send(Self.head($0.status, $0.headers)) }
    let message = message(for: method, keepsAlive: keepsAlive)
    let fault = message.hasBody ? fault : fault.flatMap { $0.isInBody ? nil : $0 }
    switch fault?.cut {
    case .beforeAll: break
    case .afterStatusLine: steps.append(.send(Array(message.head.prefix { $0 != 0x0A }) + [0x0A]))
    case .inBody(let count): steps += pieces(of: message, limit: count)
    case nil: steps += pieces(of: message, limit: nil)
    }
    if let fault {
      steps.append(fault.step)
    } else if message.endsConnection {
      steps.append(.finish)
    }
    return steps
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
    case .script:
      return Message(hasBody: false, framing: .untilClose, endsConnection: false)
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

  /// The head with the first piece of the body, then the other pieces; with a limit only that many
  /// bytes of the body, and no end of it.
  private func pieces(of message: Message, limit: Int?) -> [Step] {
    var bytes = message.head
    guard message.hasBody else { return [.send(bytes)] }
    var body = message.body.prefix(limit ?? .max)
    var steps: [Step] = []
    repeat {
      let drop = body.prefix(drip?.count ?? body.count)
      body = body.dropFirst(drop.count)
      Self.append(drop, to: &bytes, message.framing)
      if body.isEmpty, limit == nil, case .chunked = message.framing {
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
}

extension LoopbackServer.Response.Fault {
  fileprivate var isInBody: Bool {
    if case .inBody = cut { true } else { false }
  }
}
