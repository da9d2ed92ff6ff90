import Foundation
import Freshet

extension LoopbackServer {
  /// The request line and the header fields of a request that is being read.
  struct RequestHead {
    typealias Rejection = RequestParser.Rejection

    enum Framing: Equatable {
      case none
      case length(Int)
      case chunked
    }

    private(set) var method = HTTPMethod.get
    private(set) var target = "/"
    private(set) var headers: HTTPHeaders = [:]
    private var isVersion10 = false

    init() {}

    /// Reads `METHOD target HTTP/1.x`.
    init(line: ArraySlice<UInt8>) throws(Rejection) {
      let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
      guard parts.count == 3, let method = Self.token(parts[0]) else {
        throw Rejection("this is not a request line")
      }
      guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw Rejection("the request target is not ASCII")
      }
      let version = String(decoding: parts[2], as: UTF8.self)
      guard version.hasPrefix("HTTP/") else { throw Rejection("this is not a request line") }
      guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
        throw Rejection(status: 505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
      }
      self.method = HTTPMethod(rawValue: method)
      target = String(decoding: parts[1], as: UTF8.self)
      isVersion10 = version == "HTTP/1.0"
    }

    /// Reads `name: value`. Values are opaque; those that are not UTF-8 are repaired.
    mutating func add(line: ArraySlice<UInt8>) throws(Rejection) {
      guard let colon = line.firstIndex(of: 0x3A), let name = Self.token(line[..<colon]) else {
        throw Rejection("this is not a header field")
      }
      let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while let last = value.last, isBlank(last) { value.removeLast() }
      guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        throw Rejection("a header field has a control character")
      }
      headers.append(String(decoding: value, as: UTF8.self), for: name)
    }

    var keepsAlive: Bool { !isVersion10 && !headers.hasToken("close", in: "Connection") }

    var announcesBody: Bool {
      headers["Content-Length"] != nil || headers["Transfer-Encoding"] != nil
    }

    /// How the body ends, RFC 9112 section 6.3; ambiguous framing is refused.
    func framing() throws(Rejection) -> Framing {
      let lengths = headers.values(for: "Content-Length")
      if let coding = headers["Transfer-Encoding"] {
        guard coding.lowercased() == "chunked" else {
          throw Rejection(status: 501, "chunked is the only transfer coding here")
        }
        guard lengths.isEmpty else { throw Rejection("both Content-Length and Transfer-Encoding") }
        return .chunked
      }
      guard let first = lengths.first else { return .none }
      let isNumber = first.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard lengths.count == 1, isNumber, let count = Int(first) else {
        throw Rejection("Content-Length is not one number")
      }
      return .length(count)
    }

    /// The size in a line that begins a chunk; extensions are ignored.
    static func chunkSize(_ line: ArraySlice<UInt8>) throws(Rejection) -> Int {
      let digits = line.prefix { $0 != 0x3B && $0 != 0x20 }
      guard (1...8).contains(digits.count),
        digits.allSatisfy({ isToken($0) && $0 != 0x2B && $0 != 0x2D }),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw Rejection("this is not a chunk size") }
      return size
    }

    /// The whole request, with its URL made from `Host` and target.
    func request(authority: String, body: Data?) throws(Rejection) -> HTTPRequest {
      let hosts = headers.values(for: "Host")
      guard hosts.count == 1 || isVersion10 && hosts.isEmpty else {
        throw Rejection("HTTP/1.1 needs one Host field")
      }
      let origin = "http://" + (hosts.first ?? authority)
      let address =
        switch target {
        case "*": origin
        case let path where path.hasPrefix("/"): origin + path
        // To a proxy: host and port, RFC 9112 section 3.2.3.
        case let authority where method.rawValue == "CONNECT": "http://" + authority
        default: target
        }
      guard let url = URL(string: address, encodingInvalidCharacters: false),
        url.scheme == "http", url.host()?.isEmpty == false
      else { throw Rejection("host and target are not a URL") }
      return HTTPRequest(method: method, url: url, headers: headers, body: body)
    }

    /// The bytes as text if they are a token, RFC 9110 section 5.6.2.
    private static func token(_ bytes: ArraySlice<UInt8>) -> String? {
      guard !bytes.isEmpty, bytes.allSatisfy(isToken) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
      default: false
      }
    }
  }
}
