import Foundation
import Freshet
import Testing

@testable import FreshetTesting

@Suite("A response of the loopback server")
struct LoopbackResponseTests {
  typealias Response = LoopbackServer.Response

  /// The steps in a form that can be read: text, or what is done between.
  func script(_ response: Response, _ method: HTTPMethod = .get, keepsAlive: Bool = true)
    -> [String]
  {
    response.steps(for: method, keepsAlive: keepsAlive).map { step in
      switch step {
      case .send(let bytes):
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "|")
      case .pause(let duration): "pause \(duration)"
      case .stall: "STALL"
      case .finish: "FIN"
      case .reset: "RST"
      }
    }
  }

  let plain = Response.response(headers: ["A": "b"], body: Data("hello".utf8))

  @Test("is one write of header and body, and the connection stays open")
  func whole() {
    #expect(script(plain) == ["HTTP/1.1 200 OK|A: b|Content-Length: 5||hello"])
  }

  @Test("ends the connection when the client or the response requests it")
  func close() {
    let closed = "HTTP/1.1 200 OK|A: b|Content-Length: 5|Connection: close||hello"
    #expect(script(plain, keepsAlive: false) == [closed, "FIN"])
    let asked = Response.response(headers: ["Connection": "close"])
    #expect(script(asked) == ["HTTP/1.1 200 OK|Connection: close|Content-Length: 0||", "FIN"])
  }

  @Test("has no body for HEAD, 204 and 304, whatever would have happened in it")
  func noBody() {
    #expect(script(plain, .head) == ["HTTP/1.1 200 OK|A: b|Content-Length: 5||"])
    #expect(script(.response(status: 304)) == ["HTTP/1.1 304 Not Modified||"])
    #expect(script(.response(status: 204)) == ["HTTP/1.1 204 No Content||"])
    #expect(script(plain.truncated(after: 2), .head).count == 1)
    #expect(script(plain.reset(after: 2), .head).count == 1)
    #expect(script(plain.stalled(after: 2), .head).count == 1)
  }

  @Test("types JSON unless specified otherwise")
  func json() {
    let head = "HTTP/1.1 201 Created|Content-Type: "
    #expect(
      script(.json("[]", status: 201)) == [head + "application/json|Content-Length: 2||[]"])
    let typed = Response.json("[]", status: 201, headers: ["content-type": "x/y"])
    #expect(script(typed) == ["HTTP/1.1 201 Created|content-type: x/y|Content-Length: 2||[]"])
  }

  @Test("sends the lengths it was given, wrong as they may be")
  func ownLength() {
    let response = Response.response(
      headers: ["Content-Length": "6", "content-length": "-5"], body: Data("hello".utf8))
    #expect(script(response) == ["HTTP/1.1 200 OK|Content-Length: 6|content-length: -5||hello"])
  }

  @Test("can be chunked")
  func chunked() {
    #expect(
      script(plain.chunked(by: 3)) == [
        "HTTP/1.1 200 OK|A: b|Transfer-Encoding: chunked||3|hel|2|lo|0||"
      ])
    #expect(
      script(.response().chunked(by: 3)) == [
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||"
      ])
  }

  @Test("can end with the connection")
  func closeDelimited() {
    #expect(
      script(plain.closeDelimited()) == ["HTTP/1.1 200 OK|A: b|Connection: close||hello", "FIN"])
  }

  @Test("can break off in the body, in every framing")
  func cuts() {
    let head = "HTTP/1.1 200 OK|A: b|Content-Length: 5||"
    #expect(script(plain.truncated(after: 2)) == [head + "he", "FIN"])
    #expect(script(plain.truncated(after: 0)) == [head, "FIN"])
    #expect(script(plain.reset(after: 4)) == [head + "hell", "RST"])
    #expect(script(plain.stalled(after: 1)) == [head + "h", "STALL"])
    #expect(
      script(plain.chunked(by: 2).truncated(after: 3)) == [
        "HTTP/1.1 200 OK|A: b|Transfer-Encoding: chunked||2|he|1|l|", "FIN",
      ])
    #expect(
      script(plain.closeDelimited().reset(after: 3)) == [
        "HTTP/1.1 200 OK|A: b|Connection: close||hel", "RST",
      ])
  }

  @Test("can break off before the body")
  func early() {
    #expect(script(.reset) == ["RST"])
    #expect(script(.stall, .head) == ["STALL"])
    #expect(script(.resetInHeaders, .head) == ["HTTP/1.1 200 OK|", "RST"])
  }

  @Test("can drip")
  func drip() {
    #expect(
      script(plain.dripped(2, every: .seconds(1))) == [
        "HTTP/1.1 200 OK|A: b|Content-Length: 5||he", "pause 1.0 seconds", "ll",
        "pause 1.0 seconds", "o",
      ])
    #expect(
      script(plain.chunked(by: 9).dripped(4, every: .seconds(1)).stalled(after: 5)) == [
        "HTTP/1.1 200 OK|A: b|Transfer-Encoding: chunked||4|hell|", "pause 1.0 seconds", "1|o|",
        "STALL",
      ])
  }

  @Test("can be preceded by interim responses")
  func interim() {
    #expect(
      script(plain.preceded(by: 100).preceded(by: 103, headers: ["Link": "</x>"])) == [
        "HTTP/1.1 100 Continue||", "HTTP/1.1 103 Early Hints|Link: </x>||",
        "HTTP/1.1 200 OK|A: b|Content-Length: 5||hello",
      ])
  }

  @Test("can be any bytes, broken off like others")
  func raw() {
    let bytes = Response.raw(Data("hi there".utf8))
    #expect(script(bytes) == ["hi there", "FIN"])
    #expect(script(bytes.reset(after: 2)) == ["hi", "RST"])
  }
}
