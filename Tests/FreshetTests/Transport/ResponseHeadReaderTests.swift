import Foundation
import Testing

@testable import Freshet

@Suite("Reading the head of a response")
struct ResponseHeadReaderTests {
  /// Feeds the lines of a text and returns the final head, or why there is none.
  func read(_ bytes: [UInt8]) throws(ResponseHeadReader.Refusal) -> ResponseAssembly.Head? {
    var reader = ResponseHeadReader()
    return try reader.receive(bytes)
  }

  func read(_ text: String) throws(ResponseHeadReader.Refusal) -> ResponseAssembly.Head? {
    try read(Array(text.utf8))
  }

  func refusal(_ text: String) throws -> String {
    let refusal = #expect(throws: ResponseHeadReader.Refusal.self) { try read(text) }
    return try #require(refusal).reason
  }

  @Test(
    "takes any status line that can be understood",
    arguments: [
      "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n", "HTTP/1.0 200 OK\n",
      "HTTP/2 200\r\n", "HTTP/2.0 200 \r\n", "http/1.1 200 ok\r\n", "HTTP/1.1  200 OK\r\n",
    ])
  func statusLines(line: String) throws {
    #expect(try read(line + "\r\n")?.status == 200)
  }

  @Test(
    "refuses any other",
    arguments: [
      "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1200 OK\r\n", "HTTP/1.1 20\r\n",
      "HTTP/1.1 2000 OK\r\n",
      "HTTP/1.1 abc\r\n", "HTTP/1.1 099\r\n", "HTTP/1.1 600 X\r\n", "HTTP/ 200 OK\r\n",
      "ICY 200 OK\r\n",
      "HTTP/1.1 101 Switching Protocols\r\n", "\r\n", "X: 1\r\n", " HTTP/1.1 200 OK\r\n",
    ])
  func badStatusLines(line: String) throws {
    _ = try refusal(line + "\r\n")
  }

  @Test("keeps fields in order, each as it is written")
  func fields() throws {
    let head = try read("HTTP/1.1 200 OK\r\nLINK: a\r\nX:1\r\nlink: b\nEmpty:\r\nE2: \t \r\n\r\n")
    let expected: HTTPHeaders = ["LINK": "a", "X": "1", "link": "b", "Empty": "", "E2": ""]
    #expect(head?.headers == expected)
    #expect(head?.headers.fields.map(\.name) == expected.fields.map(\.name))
  }

  @Test("joins folded lines, and drops those of a dropped one")
  func folded() throws {
    let head = try read(
      "HTTP/1.1 200 OK\r\nX: 1\r\n  2\r\n\t3 \r\n \r\nbad line\r\n 4\r\nY: 5\r\n\r\n")
    #expect(head?.headers == ["X": "1 2 3", "Y": "5"])
    #expect(try refusal("HTTP/1.1 200 OK\r\n X: 1\r\n\r\n").contains("folded"))
  }

  @Test(
    "drops lines without a field name",
    arguments: [
      "nonsense", ": 1", "X Y: 1", "\u{E9}: 1", "X\u{0}: 1", "X\u{0} : 1", "HTTP/1.1 201 OK",
    ])
  func dropped(line: String) throws {
    #expect(try read("HTTP/1.1 200 OK\r\n\(line)\r\nA: 1\r\n\r\n")?.headers == ["A": "1"])
  }

  @Test(
    "removes white space before the colon, since the field is meant",
    arguments: [" ", "\t", " \t "])
  func spaceBeforeColon(space: String) throws {
    let head = try read(
      "HTTP/1.1 200 OK\r\nCache-Control\(space): no-store\r\n more\r\nContent-Encoding\(space):gzip\r\n\r\n"
    )
    let expected: HTTPHeaders = ["Cache-Control": "no-store more", "Content-Encoding": "gzip"]
    #expect(head?.headers == expected)
    #expect(head?.headers.fields.map(\.name) == expected.fields.map(\.name))
  }

  @Test("decodes UTF-8, else Latin-1, and keeps control characters but CR and NUL")
  func values() throws {
    func value(_ bytes: [UInt8]) throws -> String? {
      try read(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + bytes + Array("\r\n\r\n".utf8))?.headers["X"]
    }
    #expect(try value([0xC3, 0xA9]) == "é")
    #expect(try value([0xE9]) == "é")
    #expect(try value([0xFF, 0xFE, 0x80]) == "\u{FF}\u{FE}\u{80}")
    #expect(try value([0x61, 0x00, 0x62, 0x0D, 0x63, 0x7F]) == "a b c\u{7F}")
    #expect(try value([0x61, 0x0B, 0x62, 0x1B, 0x09, 0x63]) == "a\u{B}b\u{1B}\tc")
    #expect(try value([0x61, 0x0D]) == "a")
  }

  @Test("drops interim heads, ignores trailers")
  func interim() throws {
    let head = try read(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n"
        + "HTTP/1.1 500 X\r\nnonsense\r\nB: 2\r\n\r\n")
    #expect(head == ResponseAssembly.Head(status: 200, headers: ["A": "1"]))
  }

  @Test("refuses transfer codings but chunked, which supersedes a length")
  func transferCodings() throws {
    func head(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n" }
    let chunked = try read(head("Content-Length: 9\r\nTransfer-Encoding: Chunked"))
    #expect(chunked?.headers == ["Transfer-Encoding": "Chunked"])
    for coding in ["gzip", "gzip, chunked", "zzz", "chunked, chunked", "", "identity"] {
      #expect(try refusal(head("Transfer-Encoding: \(coding)")).contains("transfer coding"))
    }
  }

  @Test(
    "refuses a length or coding that other readers do not see, or see in another way",
    arguments: ["Content-Length", "transfer-encoding"])
  func malformedLengths(name: String) throws {
    let value = name == "Content-Length" ? "5" : "chunked"
    for line in ["\(name) : \(value)", "\(name)\t:\(value)", "\(name)\u{0}: \(value)", name] {
      let reason = try refusal("HTTP/1.1 200 OK\r\n\(line)\r\nA: 1\r\n\r\n")
      #expect(reason == "the response has a \(name) that is malformed", "\(line)")
    }
    for line in ["\(name):\r\n \(value)", "\(name): \(value)\r\n\t\(value)"] {
      let reason = try refusal("HTTP/1.1 200 OK\r\n\(line)\r\nA: 1\r\n\r\n")
      #expect(reason == "the response has a \(name) that is folded", "\(line)")
    }
    let head = try read("HTTP/1.1 200 OK\r\n\(name): \(value)\r\n \r\nA: 1\r\n 2\r\n\r\n")
    #expect(head?.headers == [name: value, "A": "1 2"])
  }

  @Test("keeps what it has of a head that it refuses")
  func partial() throws {
    for (text, status, fields) in [
      ("HTTP/1.1 503 X\r\nTransfer-Encoding: gzip\r\nA: 1\r\n\r\n", 503, 2),
      ("HTTP/1.1 100 X\r\nA: 1\r\n\r\nHTTP/1.1 429 X\r\n folded\r\n\r\n", 429, 0),
      ("HTTP/1.1 429 X\r\n" + String(repeating: "A: 1\r\n", count: 3_000), 429, 2_000),
    ] {
      var reader = ResponseHeadReader()
      #expect(throws: ResponseHeadReader.Refusal.self) { try reader.receive(Array(text.utf8)) }
      #expect(reader.partialHead?.status == status && !reader.isComplete)
      #expect(reader.partialHead?.headers.fields.count == fields)
    }
    for text in ["", "nonsense\r\n", "HTTP/1.1 103 X\r\nA: 1\r\n", "HTTP/1.1 200 X\r\n\r\n"] {
      var reader = ResponseHeadReader()
      _ = try? reader.receive(Array(text.utf8))
      #expect(reader.partialHead == nil)
    }
  }

  @Test("is complete after the empty line, not before")
  func completeness() throws {
    var reader = ResponseHeadReader()
    for line in ["HTTP/1.1 103 X\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: 1\r\n"] {
      _ = try reader.receive(Array(line.utf8))
      #expect(!reader.isComplete)
    }
    _ = try reader.receive(Array("\r\n".utf8))
    #expect(reader.isComplete)
  }

  @Test("has a limit for the bytes of all heads together, and for the fields of one")
  func limits() throws {
    let field = "X: " + String(repeating: "a", count: 1_000) + "\r\n"
    let large = String(repeating: field, count: 263)
    #expect(try refusal("HTTP/1.1 200 OK\r\n" + large).contains("bytes"))
    let interim = "HTTP/1.1 103 X\r\n" + field + "\r\n"
    #expect(try refusal(String(repeating: interim, count: 300)).contains("bytes"))
    let trailers = "HTTP/1.1 200 OK\r\n\r\n" + large
    #expect(try refusal(trailers).contains("head and trailers of the response have more than"))

    let many = String(repeating: "X: 1\r\n", count: 2_000)
    #expect(try read("HTTP/1.1 200 OK\r\n\(many)\r\n")?.headers.fields.count == 2_000)
    #expect(try refusal("HTTP/1.1 200 OK\r\n\(many)X: 1\r\n\r\n").contains("fields"))
    #expect(
      try refusal("HTTP/1.1 200 OK\r\nX: 1\r\n" + String(repeating: " 1\r\n", count: 2_000))
        .contains("fields"))
  }

  @Test("reads what a naive reader reads, for 20,000 random heads", arguments: 1...4)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<trialCount(5_000) {
      let bytes = RandomHead.make(&generator)
      let naive = NaiveHead(bytes)
      do {
        let head = try read(bytes)
        #expect(
          naive == (head.map { .head($0.status, $0.headers) } ?? .incomplete),
          "seed \(seed): \(bytes)")
      } catch {
        #expect(naive == .refused, "seed \(seed): \(error.reason) of \(bytes)")
      }
    }
  }
}

extension ResponseHeadReader {
  /// Receives all lines of these bytes, each up to its LF; bytes after the last one are no line.
  fileprivate mutating func receive(
    _ bytes: [UInt8]
  ) throws(Refusal) -> ResponseAssembly.Head? {
    var head: ResponseAssembly.Head?
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      let line = Array(rest[...end])
      rest = rest[(end + 1)...]
      let result = line.withUnsafeBytes { line in
        Result { () throws(Refusal) in try receive(line) }
      }
      head = try result.get() ?? head
    }
    return head
  }
}

/// Heads made of the pieces that matter, in an order that often makes sense.
private enum RandomHead {
  static let status = [
    "HTTP/1.1 200 OK", "HTTP/1.1 404", "HTTP/2 204 ", "HTTP/1.1 103 X", "HTTP/1.1 100",
    "HTTP/1.1 101 X",
    "HTTP/1.1 99 X", "HTTP/1.1 2000", "HTTP/1.1", "", "HTTP/1.1 600",
  ]
  static let lines = [
    "A: 1", "A:2", "a :3", " fold", "\tfold ", " ", "nonsense", ": x", "B:", "B: \u{E9}", "C: a: b",
    "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Content-Length: 5", "X\u{1}: 1",
    "D: a\u{0}b", "E : 1", "E\t : 2", "Content-Length : 5", "Transfer-Encoding\t: chunked",
    "Content-Length:",
  ]
  static let ends = ["\r\n", "\r\n", "\r\n", "\n", "\r\r\n"]

  static func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      text +=
        generator.chance(0.8)
        ? status[Int.random(in: 0..<5, using: &generator)].utf8.map(\.self)
        : Array(generator.pick(status).utf8)
      text += generator.pick(ends).utf8
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        text += generator.pick(lines).utf8
        if generator.chance(0.1) { text.append(UInt8.random(in: 0...255, using: &generator)) }
        text += generator.pick(ends).utf8
      }
      if generator.chance(0.9) { text += generator.pick(["\r\n", "\n"]).utf8 }
    }
    return text
  }
}

/// The same by splitting and trimming whole texts, of bytes as Unicode scalars.
private enum NaiveHead: Equatable {
  case head(Int, HTTPHeaders)
  case incomplete
  case refused

  init(_ bytes: [UInt8]) {
    var lines: [String] = []
    var line = ""
    for byte in bytes {
      line.unicodeScalars.append(Unicode.Scalar(byte))
      guard byte == 0x0A else { continue }
      line.unicodeScalars.removeLast()
      if line.unicodeScalars.last == "\r" { line.unicodeScalars.removeLast() }
      lines.append(line)
      line = ""
    }
    self = .incomplete
    while !lines.isEmpty {
      let words = lines.removeFirst().unicodeScalars.split(separator: " ").map { String($0) }
      guard words.count > 1, words[0].lowercased().wholeMatch(of: /http\/[0-9][0-9.]*/) != nil,
        words[1].wholeMatch(of: /[1-5][0-9][0-9]/) != nil, words[1] != "101",
        let status = Int(words[1])
      else {
        self = .refused
        return
      }
      var fields: [(name: String, value: String)?] = []
      while let line = lines.first, !line.isEmpty {
        lines.removeFirst()
        let value = Self.cleaned(line)
        if let first = line.unicodeScalars.first, first == " " || first == "\t" {
          guard let last = fields.last else {
            self = .refused
            return
          }
          if let last, !value.isEmpty {
            guard !Self.isLength(last.name) else {
              self = .refused
              return
            }
            fields[fields.count - 1]?.value = last.value.isEmpty ? value : last.value + " " + value
          }
          continue
        }
        let parts = line.unicodeScalars.split(
          separator: ":", maxSplits: 1, omittingEmptySubsequences: false
        ).map { String($0) }
        let name = parts[0].trimmingCharacters(in: [" ", "\t"])
        guard parts.count == 2, HTTPHeaders.isValidName(name),
          name == parts[0] || !Self.isLength(name)
        else {
          guard !Self.isLength(Self.cleaned(parts[0]) { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) else {
            self = .refused
            return
          }
          fields.append(nil)
          continue
        }
        fields.append((name, Self.cleaned(parts[1])))
      }
      guard !lines.isEmpty else { return }
      lines.removeFirst()
      guard status >= 200 else { continue }
      var headers = HTTPHeaders()
      for field in fields { if let field { headers.append(field.value, for: field.name) } }
      if let coding = headers["Transfer-Encoding"] {
        guard coding == "chunked" else {
          self = .refused
          return
        }
        headers.remove("Content-Length")
      }
      self = .head(status, headers)
      return
    }
  }

  private static func isLength(_ name: String) -> Bool {
    ["content-length", "transfer-encoding"].contains(name.lowercased())
  }

  /// Trimmed, CR and NUL replaced, or other bytes, and UTF-8 where it is.
  private static func cleaned(
    _ text: String, replacing isReplaced: (UInt8) -> Bool = { $0 == 0 || $0 == 0x0D }
  ) -> String {
    let bytes = text.unicodeScalars.map { scalar -> UInt8 in
      let byte = UInt8(scalar.value)
      return isReplaced(byte) ? 0x20 : byte
    }
    let text =
      String(bytes: bytes, encoding: .utf8) ?? String(bytes: bytes, encoding: .isoLatin1) ?? ""
    return text.trimmingCharacters(in: [" ", "\t"])
  }
}
