import Foundation
import Testing

@testable import Freshet

@Suite("Assembling a response")
struct ResponseAssemblyTests {
  func assembly(
    _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], limit: Int = 100
  ) throws -> ResponseAssembly {
    ResponseAssembly(
      to: HTTPRequest(
        method: method, url: try #require(URL(string: "http://a.test/p?q=secret")),
        headers: headers, maximumResponseSize: limit))
  }

  func kind(_ body: () throws -> Void) throws -> TransportError.Kind {
    let error = try #require(#expect(throws: TransportError.self) { try body() })
    #expect(!error.message.contains("secret"))
    return error.kind
  }

  @Test("from a head and pieces in order")
  func whole() throws {
    var assembled = try assembly()
    try assembled.receive(.init(status: 200, headers: ["Content-Length": "5"]))
    #expect(assembled.expectedLength == 5)
    try assembled.receive(Data("he".utf8))
    try assembled.receive(Data("llo".utf8))
    let response = try assembled.finish()
    #expect(response.body == Data("hello".utf8))
    #expect(response.url == assembled.request.url)
  }

  @Test("and of an error status or a redirect is the head, whatever became of the body")
  func errorStatus() throws {
    for (status, isKept) in [
      (200, false), (300, false), (302, true), (308, true), (399, false), (400, true), (404, true),
      (429, true), (599, true),
    ] {
      var assembled = try assembly()
      let headers: HTTPHeaders = [
        "Retry-After": "7", "Location": "/b", "Content-Length": "9", "Content-Encoding": "gzip",
      ]
      try assembled.receive(.init(status: status, headers: headers))
      try assembled.receive(Data("part".utf8))
      for kind in [TransportError.Kind.connectionLost, .badResponse, .tooLarge, .timedOut] {
        let response = try? assembled.response(after: TransportError(kind, "lost"))
        #expect(response?.status == (isKept ? status : nil))
        #expect(response?.body == (isKept ? Data("part".utf8) : nil))
        let fields: HTTPHeaders = ["Retry-After": "7", "Location": "/b"]
        #expect(response?.headers == (isKept ? fields : nil))
        #expect((assembled.head?.bodyTimeout(TransportConfiguration()) != nil) == isKept)
      }
      #expect(
        try kind { _ = try assembled.response(after: TransportError(.cancelled, "")) } == .cancelled
      )
    }
    let headless = try assembly()
    #expect(
      try kind { _ = try headless.response(after: TransportError(.timedOut, "")) } == .timedOut)
  }

  @Test("and is only the head of an error where nothing shows the end of the body")
  func doubtful() throws {
    for length in ["6, 7", "-5", "5.0"] {
      for status in [200, 302, 404, 429] {
        var doubtful = try assembly()
        let head = ResponseAssembly.Head(
          status: status,
          headers: ["Content-Length": length, "Location": "/b", "Retry-After": "7"])
        let error = try #require(
          #expect(throws: TransportError.self) { try doubtful.receive(head) })
        #expect(error.kind == .badResponse)
        let response = try? doubtful.response(after: error)
        #expect(response?.status == (status < 400 ? nil : status))
        #expect(response?.headers["Retry-After"] == (status < 400 ? nil : "7"))
        #expect(response?.body.isEmpty != false)
      }
    }
  }

  @Test("and takes no memory for what is only announced")
  func announced() throws {
    for length in [1_000_000_000_000, Int.max] {
      var assembled = try assembly(limit: .max)
      try assembled.receive(.init(status: 200, headers: ["Content-Length": "\(length)"]))
      try Data("abc".utf8).withUnsafeBytes { try assembled.receive($0) }
      var other = try assembly(limit: .max)
      try other.receive(.init(status: 200, headers: ["Content-Length": "\(length)"]))
      try other.receive(Data("abc".utf8))
      #expect(assembled.body == other.body && assembled.expectedLength == length)
    }
  }

  @Test("and is lost where a byte is missing (F05)")
  func short() throws {
    var assembled = try assembly()
    try assembled.receive(.init(status: 200, headers: ["Content-Length": "5"]))
    try assembled.receive(Data("hell".utf8))
    #expect(try kind { _ = try assembled.finish() } == .connectionLost)
  }

  @Test("and is none without a head (F14)")
  func headless() throws {
    let assembled = try assembly()
    #expect(try kind { _ = try assembled.finish() } == .badResponse)
  }

  @Test(
    "and is refused for lengths that differ or are no number (F15)",
    arguments: ["6, 7", "-5", "+5", "5.0", "", ",", "5,", "0x5", "99999999999999999999"])
  func lengths(field: String) throws {
    var assembled = try assembly()
    #expect(
      try kind { try assembled.receive(.init(status: 200, headers: ["Content-Length": field])) }
        == .badResponse)
  }

  @Test("and may repeat the same length", arguments: ["5, 5", "5,5", " 5 "])
  func repeatedLength(field: String) throws {
    var assembled = try assembly()
    try assembled.receive(.init(status: 200, headers: ["Content-Length": field]))
    #expect(assembled.expectedLength == 5)
  }

  @Test("and is too large by its announcement or by what came, one byte over (F11)")
  func limit() throws {
    var announced = try assembly(limit: 5)
    try announced.receive(.init(status: 200, headers: ["Content-Length": "5"]))
    try announced.receive(Data("hello".utf8))
    #expect(try announced.finish().body.count == 5)

    var larger = try assembly(limit: 5)
    let head = ResponseAssembly.Head(status: 200, headers: ["Content-Length": "6"])
    #expect(try kind { try larger.receive(head) } == .tooLarge)

    var unannounced = try assembly(limit: 5)
    try unannounced.receive(.init(status: 200, headers: [:]))
    try unannounced.receive(Data("hello".utf8))
    #expect(try kind { try unannounced.receive(Data("!".utf8)) } == .tooLarge)
  }

  @Test("and where it is coded, what was decoded is limited, and the coded bytes may be more (F10)")
  func codedLimit() throws {
    func coded(_ length: Int, limit: Int = 5) throws -> ResponseAssembly {
      var coded = try assembly(limit: limit)
      try coded.receive(
        .init(status: 200, headers: ["Content-Encoding": "gzip", "Content-Length": "\(length)"]))
      return coded
    }
    var stored = try coded(28)
    try stored.receiveCoded(28)
    try stored.receive(Data("hello".utf8))
    #expect(try stored.finish().body.count == 5)
    #expect(try kind { try stored.receive(Data("!".utf8)) } == .tooLarge)

    // Coded bytes that decode to nothing end too.
    let most = 2 * 5 + 65_536
    var empty = try coded(most)
    try empty.receiveCoded(most - 1)
    try empty.receiveCoded(1)
    #expect(try kind { try empty.receiveCoded(1) } == .tooLarge)
    #expect(try kind { _ = try coded(most + 1) } == .tooLarge)
    for limit in [Int.min, -1, 0, .max] { _ = try coded(28, limit: limit) }
  }

  @Test(
    "and has no body to HEAD and with 204 and 304, whatever length they announce",
    arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)])
  func bodiless(method: HTTPMethod, status: Int) throws {
    var assembled = try assembly(method, limit: 5)
    try assembled.receive(.init(status: status, headers: ["Content-Length": "99"]))
    #expect(assembled.expectedLength == 0)
    #expect(try assembled.finish().body.isEmpty)
  }

  @Test("and is refused for a content coding that was not accepted (F08, F10)")
  func coding() throws {
    let head = ResponseAssembly.Head(
      status: 200, headers: ["Content-Encoding": "gzip", "Content-Length": "5"])
    var identity = try assembly(headers: ["Accept-Encoding": "identity"])
    #expect(try kind { try identity.receive(head) } == .badResponse)

    var gzip = try assembly(headers: ["Accept-Encoding": "gzip"])
    try gzip.receive(head)
    #expect(gzip.expectedLength == nil)
  }

  @Test("and a coding that is no word does not fill the message, or control a terminal")
  func codingInMessage() throws {
    let coding = "\u{1B}[2J" + String(repeating: "x", count: 50_000)
    var assembly = try assembly(headers: ["Accept-Encoding": "identity"])
    let error = #expect(throws: TransportError.self) {
      try assembly.receive(.init(status: 200, headers: ["Content-Encoding": coding]))
    }
    let message = try #require(error?.message)
    #expect(message.utf8.count < 600 && !message.utf8.contains(0x1B))
  }
}
