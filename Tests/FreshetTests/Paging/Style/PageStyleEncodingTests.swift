import Foundation
import Testing

@testable import Freshet

@Suite("PageStyle: bodies that are not one JSON document in UTF-8") struct PageStyleEncodingTests {
  private func sample(_ type: String, _ body: Data) -> PageSample {
    var sample = PageSample(headers: ["Content-Type": type], response: "")
    sample.response.body = body
    return sample
  }

  @Test(
    "JSON in another encoding is an error that says which one it has to be in",
    arguments: [
      String.Encoding.isoLatin1, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
      .utf32BigEndian,
    ])
  func encodings(encoding: String.Encoding) throws {
    let body = try #require(#"[{"name": "café"}]"#.data(using: encoding))
    let sample = sample("application/json; charset=x", body)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.description.contains("not JSON: expected well-formed UTF-8"), "\(error)")
    #expect(error.description.contains("in UTF-8 as JSON has to be (RFC 8259 section 8.1)"))
  }

  @Test("Zeros are not called another encoding", arguments: ["\0\0\0\0\0\0\0\0", "[]\0", "[1]\0"])
  func zeros(body: String) throws {
    let sample = sample("application/json", Data(body.utf8))
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(!error.description.contains("UTF-8"), "\(error)")
  }

  @Test(
    "One JSON value a line is an error that says so",
    arguments: [
      "application/x-ndjson", "application/jsonl", "application/json-seq",
      "application/geo+json-seq",
    ])
  func lines(type: String) throws {
    let mark = type.hasSuffix("-seq") ? "\u{1E}" : ""
    let text = "\(mark){\"id\": 1}\n\(mark){\"id\": 2}\n"
    let labeled = sample(type, Data(text.utf8))
    #expect(throws: PageError.notJSON(mediaType: type)) { try labeled.page(.auto) }
    #expect(
      PageError.notJSON(mediaType: type).description.contains("one JSON value a line is not read"))
    #expect(try sample(type, Data("[1]\n".utf8)).page(.auto).items.count == 1)
  }

  @Test(
    "So it is where it is labeled as JSON",
    arguments: [
      ("{\"id\": 1}\n{\"id\": 2}\n", true), ("[1]\r\n[2]", true), ("[1] [2]", false),
      ("[\n1\n", false),
    ])
  func unlabeledLines(body: String, isLines: Bool) throws {
    let sample = sample("application/json", Data(body.utf8))
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.description.contains("one JSON value a line is not read") == isLines, "\(error)")
  }
}
