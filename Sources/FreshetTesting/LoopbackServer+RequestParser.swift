import Foundation
import Freshet

extension LoopbackServer {
  /// Parses requests from bytes as they arrive, RFC 9112; strict, because clients are under test.
  ///
  /// A value without input or output: `append` received bytes, then call `next` until it returns
  /// nil.
  struct RequestParser {
    enum Event: Sendable, Equatable {
      /// The client waits for a 100 before it sends the body.
      case expectsContinue
      case request(HTTPRequest, keepsAlive: Bool)
    }

    /// Why the bytes are refused; the parser cannot be used after that.
    struct Rejection: Error, Equatable {
      let status: Int
      let reason: String

      init(status: Int = 400, _ reason: String) {
        self.status = status
        self.reason = reason
      }
    }

    private enum Phase {
      case requestLine
      case fields
      case length(Int)
      case chunkSize
      case chunk(Int)
      case chunkEnd
      case trailers
    }

    /// The most bytes of a request line with the header fields, and of a line of the chunked framing.
    static let headLimit = 64 << 10
    /// The most bytes of a body.
    static let bodyLimit = 64 << 20

    private let authority: String
    private var buffer: [UInt8] = []
    private var start = 0
    /// The offset at which the search for the end of a line continues.
    private var scanned = 0
    private var phase = Phase.requestLine
    private var head = RequestHead()
    private var headSize = 0
    private var body = Data()

    init(authority: String) {
      self.authority = authority
    }

    /// Adds bytes that were received.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
      if start > 0 {
        buffer.removeFirst(start)
        scanned -= start
        start = 0
      }
      buffer += bytes
    }

    /// The next event in the bytes so far; nil if more are needed.
    mutating func next() throws(Rejection) -> Event? {
      while true {
        switch phase {
        case .requestLine:
          guard let line = try line() else { return nil }
          if line.isEmpty { continue }  // RFC 9112, section 2.2: an empty line before is ignored
          head = try RequestHead(line: line)
          phase = .fields
        case .fields:
          guard let line = try line() else { return nil }
          guard line.isEmpty else {
            try head.add(line: line)
            continue
          }
          if let event = try beginBody() { return event }
        case .length(let count):
          guard take(count) else {
            phase = .length(count - takeAll())
            return nil
          }
          return try finish()
        case .chunkSize:
          guard let line = try line() else { return nil }
          let size = try RequestHead.chunkSize(line)
          guard body.count + size <= Self.bodyLimit else {
            throw Rejection(status: 413, "body too large")
          }
          headSize = 0
          phase = size == 0 ? .trailers : .chunk(size)
        case .chunk(let count):
          guard take(count) else {
            phase = .chunk(count - takeAll())
            return nil
          }
          phase = .chunkEnd
        case .chunkEnd:
          guard let line = try line() else { return nil }
          guard line.isEmpty else { throw Rejection("a chunk is longer than its size") }
          phase = .chunkSize
        case .trailers:
          guard let line = try line() else { return nil }
          if line.isEmpty { return try finish() }
        }
      }
    }

    /// Decides how the body is framed; returns an event if there is one before the body.
    private mutating func beginBody() throws(Rejection) -> Event? {
      let framing = try head.framing()
      switch framing {
      case .none:
        return try finish()
      case .length(let count):
        guard count <= Self.bodyLimit else { throw Rejection(status: 413, "body too large") }
        phase = .length(count)
      case .chunked:
        phase = .chunkSize
      }
      headSize = 0
      let isWaiting = start == buffer.count && head.headers.hasToken("100-continue", in: "Expect")
      return isWaiting ? .expectsContinue : nil
    }

    private mutating func finish() throws(Rejection) -> Event {
      let request = try head.request(
        authority: authority, body: head.announcesBody ? body : nil)
      let event = Event.request(request, keepsAlive: head.keepsAlive)
      phase = .requestLine
      head = RequestHead()
      headSize = 0
      body = Data()
      return event
    }

    /// Removes and returns a line without its CR LF; nil if its end has not arrived.
    private mutating func line() throws(Rejection) -> ArraySlice<UInt8>? {
      let end = buffer[scanned...].firstIndex(of: 0x0A)
      guard headSize + (end ?? buffer.count) - start <= Self.headLimit else {
        throw Rejection(status: 431, "header section or line too large")
      }
      guard let end else {
        scanned = buffer.count
        return nil
      }
      guard end > start, buffer[end - 1] == 0x0D else { throw Rejection("a line ends without CR") }
      defer {
        headSize += end + 1 - start
        start = end + 1
        scanned = start
      }
      return buffer[start..<(end - 1)]
    }

    /// Moves that many bytes to the body; false, and none, if fewer have arrived.
    private mutating func take(_ count: Int) -> Bool {
      guard buffer.count - start >= count else { return false }
      body += buffer[start..<(start + count)]
      start += count
      scanned = start
      return true
    }

    /// Moves all received bytes to the body and returns their number.
    private mutating func takeAll() -> Int {
      let count = buffer.count - start
      _ = take(count)
      return count
    }
  }
}
