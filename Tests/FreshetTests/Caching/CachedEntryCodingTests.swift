import Foundation
import Testing

@testable import Freshet

@Suite("Storing responses")
struct CachedEntryCodingTests {
  private static let entry = CachedEntry(
    response: HTTPResponse(
      status: 203, headers: ["ETag": "\"7\"", "Set-Cookie": "a=1", "set-cookie": "b: 2", "X": ""],
      body: Data([0, 255, 10, 111]), url: URL(filePath: "/a b")),
    timestamp: Date(timeIntervalSinceReferenceDate: 788_918_400.125))

  private static let stored = """
    {"response":{"body":"AP8Kbw==","headers":["ETag: \\"7\\"","Set-Cookie: a=1",\
    "set-cookie: b: 2","X: "],"status":203,"url":"file:///a%20b"},"timestamp":788918400.125}
    """

  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test("The form is fixed: what an earlier version stored is read, and stored alike")
  func form() throws {
    #expect(try encode(Self.entry) == Self.stored)
    #expect(try decode(Self.stored, as: CachedEntry.self) == Self.entry)
  }

  @Test("What is empty takes no room")
  func empty() throws {
    let url = try #require(URL(string: "https://api.test/"))
    let response = HTTPResponse(status: 204, url: url)
    #expect(try encode(response) == #"{"status":204,"url":"https://api.test/"}"#)
    #expect(try decode(try encode(response), as: HTTPResponse.self) == response)
    #expect(try encode(HTTPHeaders()) == "[]")
    #expect(try decode("[]", as: HTTPHeaders.self) == HTTPHeaders())
  }

  @Test("No setting of a coder changes a date")
  func dates() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.dateEncodingStrategy = .iso8601
    decoder.dateDecodingStrategy = .secondsSince1970
    #expect(try decoder.decode(CachedEntry.self, from: encoder.encode(Self.entry)) == Self.entry)
  }

  @Test("Random entries come back as they were", arguments: 1...100 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["ETag", "etag", "Set-Cookie", "X!#$%&'*+-.^_`|~9", "Link"]
    let scalars: [Unicode.Scalar] = [
      "a", ":", " ", "\t", "\u{1B}", "\"", "\\", "é", "\u{301}", "\u{1F600}",
    ]
    let fields = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      var value = ""
      for _ in 0..<random.pick([0, 1, 8]) { value.unicodeScalars.append(random.pick(scalars)) }
      return HTTPHeaders.Field(name: random.pick(names), value: value)
    }
    let urls = ["https://api.test/a?b=%2F+c%3d#d", "http://[::1]:80//", "file:///a%20b"]
    let entry = CachedEntry(
      response: HTTPResponse(
        status: Int.random(in: 100...599, using: &random), headers: HTTPHeaders(fields),
        body: Data(
          (0..<random.pick([0, 1, 300])).map { _ in UInt8.random(in: 0...255, using: &random) }),
        url: try #require(URL(string: random.pick(urls)))),
      timestamp: Date(
        timeIntervalSinceReferenceDate: Double.random(in: -6e10...2.5e11, using: &random)))
    let list = PropertyListEncoder()
    list.outputFormat = random.pick([.binary, .xml])
    let copies = [
      try JSONDecoder().decode(CachedEntry.self, from: JSONEncoder().encode(entry)),
      list.outputFormat == .binary
        ? try PropertyListDecoder().decode(CachedEntry.self, from: list.encode(entry)) : nil,
    ]
    for copy in copies.compactMap(\.self) {
      #expect(copy == entry, "seed \(seed)")
      // `==` of strings merges the forms of characters.
      #expect(
        copy.response.headers.fields.map { Array("\($0.name):\($0.value)".utf8) }
          == fields.map { Array("\($0.name):\($0.value)".utf8) }, "seed \(seed)")
    }
  }

  @Test(
    "What is no header line is refused",
    arguments: [
      "{}", "null", "[1]", "[null]", #"["ETag"]"#, #"[""]"#, #"[": a"]"#, #"["a b: c"]"#,
      #"[" a: b"]"#, #"["a : b"]"#, #"["é: b"]"#, #"["a\r\nb: c"]"#, #"["a: b\r\nEvil: c"]"#,
      #"["a: b\nEvil: c"]"#, #"["a: b\rEvil: c"]"#, #"["a: \u0000"]"#,
      #"["a: b\n"]"#, #"["a: b", {"a": "b"}]"#, #"[["a", "b"]]"#,
    ])
  func refusedHeaders(text: String) {
    #expect(throws: DecodingError.self) { try decode(text, as: HTTPHeaders.self) }
  }

  @Test(
    "What is no response is refused",
    arguments: [
      "{}", "[]", #"{"status":200}"#, #"{"url":"https://a.test"}"#,
      #"{"status":99,"url":"https://a.test"}"#, #"{"status":600,"url":"https://a.test"}"#,
      #"{"status":-1,"url":"https://a.test"}"#, #"{"status":200.5,"url":"https://a.test"}"#,
      #"{"status":1e400,"url":"https://a.test"}"#, #"{"status":"200","url":"https://a.test"}"#,
      #"{"status":9223372036854775808,"url":"https://a.test"}"#,
      #"{"status":null,"url":"https://a.test"}"#, #"{"status":200,"url":""}"#,
      #"{"status":200,"url":"/a"}"#, #"{"status":200,"url":"https://a b"}"#,
      #"{"status":200,"url":"https://a.test/\r\n"}"#, #"{"status":200,"url":7}"#,
      #"{"status":200,"url":"https://a.test","body":"not base 64!"}"#,
      #"{"status":200,"url":"https://a.test","body":7}"#,
      #"{"status":200,"url":"https://a.test","headers":{"a":"b"}}"#,
      #"{"status":200,"url":"https://a.test","headers":["a: b\r\nc: d"]}"#,
    ])
  func refusedResponses(text: String) {
    #expect(throws: DecodingError.self) { try decode(text, as: HTTPResponse.self) }
    #expect(throws: DecodingError.self) {
      try decode(#"{"response":\#(text),"timestamp":0}"#, as: CachedEntry.self)
    }
  }

  @Test(
    "What is no date is refused",
    arguments: [
      "null", #""2026-01-01T00:00:00Z""#, "1e300", "-1e300", "1e400", "252423993600",
      "-63114076800.5", "[]", "true",
    ])
  func refusedDates(text: String) throws {
    let response = #"{"status":200,"url":"https://a.test"}"#
    #expect(throws: DecodingError.self) {
      try decode(#"{"response":\#(response),"timestamp":\#(text)}"#, as: CachedEntry.self)
    }
    #expect(throws: DecodingError.self) {
      try decode(#"{"response":\#(response)}"#, as: CachedEntry.self)
    }
  }

  @Test("Numbers that no text has are refused as well", arguments: [Double.nan, .infinity])
  func notFinite(seconds: Double) throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: [
        "response": ["status": 200, "url": "https://a.test"] as [String: Any],
        "timestamp": seconds,
      ] as [String: Any], format: .binary, options: 0)
    #expect(throws: DecodingError.self) {
      try PropertyListDecoder().decode(CachedEntry.self, from: list)
    }
  }

  @Test("What could not be read again is not written")
  func notWritten() throws {
    let url = try #require(URL(string: "https://api.test/"))
    let relative = try #require(URL(string: "/a"))
    let good = HTTPResponse(status: 200, url: url)
    let headers: [HTTPHeaders] = [
      ["a\r\nb": "c"], ["a": "b\r\nc: d"], ["": "a"], ["a b": "c"], ["a": "b\u{0}"],
    ]
    let responses =
      [
        HTTPResponse(status: 99, url: url), HTTPResponse(status: 600, url: url),
        HTTPResponse(status: 200, url: relative),
      ] + headers.map { HTTPResponse(status: 200, headers: $0, url: url) }
    for response in responses {
      let entry = CachedEntry(response: response, timestamp: .distantPast)
      #expect(throws: EncodingError.self) { try encode(entry) }
    }
    for seconds in [Double.nan, .infinity, -1e300, 1e300] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let entry = CachedEntry(response: good, timestamp: date)
      #expect(throws: EncodingError.self) { try encode(entry) }
    }
    for date in [Date.distantPast, .distantFuture] {
      let entry = CachedEntry(response: good, timestamp: date)
      #expect(try decode(try encode(entry), as: CachedEntry.self) == entry)
    }
  }

  @Test("Errors do not show what is secret")
  func secrecy() throws {
    let secret = "hunter2"
    let stored = #"{"status":200,"url":"https://a.test/?token=\#(secret) ","headers":[]}"#
    let lines = #"["Set-Cookie: \#(secret)\r\n"]"#
    for text in [stored, #"{"status":200,"url":"https://a.test","headers":\#(lines)}"#] {
      let error = #expect(throws: DecodingError.self) { try decode(text, as: HTTPResponse.self) }
      #expect(!String(reflecting: error).contains(secret))
    }
    let response = HTTPResponse(
      status: 99, headers: ["Set-Cookie": secret], body: Data(secret.utf8),
      url: try #require(URL(string: "https://a.test/?token=\(secret)")))
    let error = #expect(throws: EncodingError.self) { try encode(response) }
    #expect(!String(reflecting: error).contains(secret))
    let headers = #expect(throws: EncodingError.self) {
      try encode(["Set-Cookie": "\(secret)\n"] as HTTPHeaders)
    }
    #expect(!String(reflecting: headers).contains(secret))
  }
}
