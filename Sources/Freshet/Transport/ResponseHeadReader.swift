import Foundation

/// Parses the head of a response, RFC 9112 sections 2 to 6: a value without any networking.
///
/// It is fed line by line. Interim heads (1xx) are dropped; the lines after the final head are
/// trailers, which are ignored. It accepts what servers are known to send and no reader can
/// misunderstand: a status line without a reason, no space after the colon, LF alone, folded lines,
/// bytes that are not UTF-8 (then Latin-1 is assumed). White space before a colon is removed, as section 5.1 has
/// proxies do: the field is meant, and may forbid to store the response. A line without a valid field name is
/// dropped, as browsers do. A `Content-Length` or `Transfer-Encoding` that readers understand in different ways,
/// because there is white space before its colon or its value is folded, is refused: the body may end elsewhere.
struct ResponseHeadReader {
  /// Why a head is refused; the end of a sentence that begins with the request.
  struct Refusal: Error, Hashable {
    let reason: String
  }

  /// The most bytes of all heads and trailers of one response.
  static let maximumSize = 256 << 10
  /// The most lines of one head.
  static let maximumFieldCount = 2_000
  /// The fields that say where the body ends.
  private static let lengthFields: HTTPFieldNames = ["Content-Length", "Transfer-Encoding"]

  private enum Expected {
    case statusLine
    case fields(status: Int)
    case trailers
  }

  private var expected = Expected.statusLine
  private var fields: [HTTPHeaders.Field] = []
  /// Whether the last line was dropped, and with it what is folded into it.
  private var isLastDropped = false
  private var fieldCount = 0
  private var size = 0

  /// Whether the final head was complete.
  var isComplete: Bool {
    if case .trailers = expected { true } else { false }
  }

  /// The final head as far as it was received, before its end; nil without a status.
  var partialHead: ResponseAssembly.Head? {
    guard case .fields(let status) = expected, status >= 200 else { return nil }
    return ResponseAssembly.Head(status: status, headers: HTTPHeaders(fields))
  }

  /// Receives a line with its end.
  ///
  /// - Returns: the final head, with the empty line that ends it.
  mutating func receive(_ line: UnsafeRawBufferPointer) throws(Refusal) -> ResponseAssembly.Head? {
    size += line.count
    guard size <= Self.maximumSize else {
      let parts =
        isComplete ? "the head and trailers of the response have" : "the head of the response has"
      throw Refusal(reason: "\(parts) more than \(Self.maximumSize) bytes")
    }
    let line = line.withoutLineEnd
    switch expected {
    case .statusLine:
      expected = .fields(status: try Self.status(of: line))
    case .fields(let status) where line.isEmpty:
      return try complete(status)
    case .fields:
      try receiveField(line)
    case .trailers:
      break
    }
    return nil
  }

  private mutating func complete(_ status: Int) throws(Refusal) -> ResponseAssembly.Head? {
    guard status >= 200 else {
      (expected, fields) = (.statusLine, [])
      (fieldCount, isLastDropped) = (0, false)
      return nil
    }
    var headers = HTTPHeaders(fields)
    if let coding = headers["Transfer-Encoding"] {
      guard coding.asciiLowercased == "chunked" else {
        throw Refusal(reason: "the response has a transfer coding other than chunked")
      }
      // The length that the chunks have is the right one, RFC 9112 section 6.3.
      headers.remove("Content-Length")
    }
    fields = []
    expected = .trailers
    return ResponseAssembly.Head(status: status, headers: headers)
  }

  private mutating func receiveField(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    fieldCount += 1
    guard fieldCount <= Self.maximumFieldCount else {
      throw Refusal(reason: "the response has more than \(Self.maximumFieldCount) header fields")
    }
    guard line.first?.isHTTPSpace != true else { return try fold(line) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let nameEnd = line[..<colon].lastIndex(where: { !$0.isHTTPSpace }),
      line[...nameEnd].allSatisfy(\.isTokenCharacter)
    else {
      let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        .trimming { $0.isHTTPSpace || $0.isASCIIControl }
      try refuseLength(String(name), "malformed")
      isLastDropped = true
      return
    }
    let name = String(decoding: line[...nameEnd], as: UTF8.self)
    if nameEnd + 1 < colon { try refuseLength(name, "malformed") }
    isLastDropped = false
    fields.append(HTTPHeaders.Field(name: name, value: Self.text(line[(colon + 1)...])))
  }

  /// Appends a folded line to the last one, RFC 9112 section 5.2.
  private mutating func fold(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    if isLastDropped { return }
    guard let last = fields.indices.last else {
      throw Refusal(reason: "the first header line of the response is folded")
    }
    let more = HTTPHeaders.Field(name: "", value: Self.text(line)).value
    guard !more.isEmpty else { return }
    try refuseLength(fields[last].name, "folded")
    if !fields[last].value.isEmpty { fields[last].value += " " }
    fields[last].value += more
  }

  /// Refuses a line of this name where it says where the body ends.
  private func refuseLength(_ name: String, _ fault: String) throws(Refusal) {
    guard Self.lengthFields.contains(name) else { return }
    throw Refusal(reason: "the response has a \(name) that is \(fault)")
  }

  /// The status of a line such as `HTTP/1.1 200 OK`.
  private static func status(of line: Slice<UnsafeRawBufferPointer>) throws(Refusal) -> Int {
    var rest = line[...]
    guard line.count >= 5, zip(line, "http/".utf8).allSatisfy({ $0.asciiLowercased == $1 }) else {
      throw Refusal(reason: "the response does not begin with a status line")
    }
    rest = rest.dropFirst(5)
    let version = rest.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    rest = rest.dropFirst(version.count)
    let digits = rest.drop { $0.isHTTPSpace }.prefix { !$0.isHTTPSpace }
    guard version.first?.isASCIIDigit == true, rest.first?.isHTTPSpace == true, digits.count == 3,
      digits.allSatisfy(\.isASCIIDigit)
    else { throw Refusal(reason: "the status line of the response is malformed") }
    let status = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    guard (100...599).contains(status), status != 101 else {
      throw Refusal(reason: "the response has the status \(status), which nothing asked for")
    }
    return status
  }

  /// The text of a value: UTF-8, or Latin-1 if it is none, with a space for each CR and NUL. Other control
  /// characters stay (RFC 9110 section 5.5): with spaces for them, a garbled link would be another link.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isClean = bytes.allSatisfy { !$0.breaksField }
    guard isClean else { return decoded(bytes.map { $0.breaksField ? UInt8(ascii: " ") : $0 }) }
    return decoded(bytes)
  }

  private static func decoded(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return String(bytes: bytes, encoding: .utf8)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension UnsafeRawBufferPointer {
  /// The line without LF or CR LF at its end.
  fileprivate var withoutLineEnd: Slice<UnsafeRawBufferPointer> {
    var line = self[...]
    if line.last == UInt8(ascii: "\n") { line = line.dropLast() }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return line
  }
}
