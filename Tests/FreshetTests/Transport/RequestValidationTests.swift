import Foundation
import Testing

@testable import Freshet

@Suite("A request is checked before it is sent")
struct RequestValidationTests {
  func request(_ url: String = "http://a.test/p", _ headers: HTTPHeaders = [:]) throws
    -> HTTPRequest
  {
    HTTPRequest(url: try #require(URL(string: url)), headers: headers)
  }

  func refusal(of request: HTTPRequest) throws -> TransportError {
    let error = #expect(throws: TransportError.self) { try request.validate() }
    return try #require(error)
  }

  @Test("and passes with what HTTP allows")
  func valid() throws {
    try request(
      "https://a.test:8443/p?q=1",
      ["X-Empty": "", "X-Tab": "a\tb", "X-Text": "é", "!#$%&'*+-.^_`|~09": "token"]
    ).validate()
  }

  @Test(
    "and refused for a control character in a value, which is not repeated (F49)",
    arguments: ["\r", "\n", "\r\nX-Evil: 1", "\0", "\u{7F}", "\u{1B}"])
  func values(control: String) throws {
    let error = try refusal(of: request("http://a.test/p", ["X-Token": "secret" + control]))
    #expect(error.kind == .invalidRequest)
    #expect(error.message.contains("X-Token"))
    #expect(!error.message.contains("secret"))
  }

  @Test(
    "and refused for a name that is no token (F49)",
    arguments: ["", "X Y", "X:", "X\r\nY", "X\0", "é", "X\""])
  func names(name: String) throws {
    var headers: HTTPHeaders = [:]
    headers.append("v", for: name)
    #expect(try refusal(of: request("http://a.test/p", headers)).kind == .invalidRequest)
  }

  @Test(
    "and refused for a header that frames the message",
    arguments: ["content-length", "Transfer-Encoding", "Connection", "HOST"])
  func framing(name: String) throws {
    let error = try refusal(of: request("http://a.test/p", [name: "1"]))
    #expect(error.kind == .invalidRequest)
    #expect(error.message.contains(name))
  }

  @Test(
    "and refused for a URL that is not http, has no host or names a user",
    arguments: ["file:///etc/passwd", "ftp://a.test/", "/p", "http:///p", "http://u:p@a.test/"])
  func urls(url: String) throws {
    let error = try refusal(of: request(url))
    #expect(error.kind == .invalidRequest)
    #expect(!error.message.contains("u:p"))
  }

  @Test("and refused for a method that is no token", arguments: ["", "GE T", "GET\r\nX: 1"])
  func methods(method: String) throws {
    var request = try request()
    request.method = HTTPMethod(rawValue: method)
    #expect(try refusal(of: request).kind == .invalidRequest)
  }

  @Test(
    "and refused for a body that cannot be sent with its method",
    arguments: [
      HTTPMethod.get, .head,
    ])
  func bodies(method: HTTPMethod) throws {
    var request = try request()
    request.method = method
    request.body = Data("b".utf8)
    #expect(try refusal(of: request).kind == .invalidRequest)
  }
}
