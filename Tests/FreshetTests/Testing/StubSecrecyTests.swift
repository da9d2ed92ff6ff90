import Foundation
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
}
