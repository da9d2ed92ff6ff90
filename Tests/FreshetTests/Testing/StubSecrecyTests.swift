import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A stub shows no values", .standardTimeLimit)
struct StubSecrecyTests {
  /// A value that an encoder refuses, with a message that quotes it.
  private struct Refused: Encodable {
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        "s3cret", .init(codingPath: encoder.codingPath, debugDescription: "not s3cret"))
    }
  }

  @Test("A value that cannot be encoded stops the program, and is not shown")
  func encoding() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = StubTransport.Response.json(encoding: [Refused()])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!message.contains("s3cret"))
    #if DEBUG
      #expect(message.contains("a value of type String"))
    #endif
  }

  @Test("What is printed and dumped shows neither addresses nor responses")
  func printed() async throws {
    let stub = StubTransport()
    let url = try #require(URL(string: "https://api.test/a?token=s3cret"))
    let responses: [StubTransport.Response] = [
      .text("s3cret"), .json(#""s3cret""#), .status(200, headers: ["X-Token": "s3cret"]),
      .response(HTTPResponse(status: 200, url: url)),
    ]
    for response in responses { stub.on(.get, "/a?token=s3cret", response) }
    let gate = stub.hold(.get, "https://api.test/b?token=s3cret")
    _ = try await stub.send(HTTPRequest(url: url)) { _ in }
    for value in [stub, gate, responses] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
        #expect(!text.contains("s3cret"), "\(type(of: value)): \(text.prefix(300))")
      }
    }
  }

  @Test("A target that is no address stops the program, and its secrets are not shown")
  func target() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      StubTransport().on(.get, "a?token=s3cret", .text(""))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!message.contains("s3cret"))
  }
}
