import Foundation
import Testing

@testable import Freshet

@Suite("Validators and 304")
struct HTTPValidatorsTests {
  @Test("Validators are sent back to the letter")
  func conditioning() {
    let validators = HTTPValidators(["ETag": "W/\"a b\"", "Last-Modified": "whenever"])
    let headers = validators.conditioning(["Accept": "a/b"])
    #expect(
      headers.fields.map(\.description) == [
        "Accept: a/b", "If-None-Match: W/\"a b\"", "If-Modified-Since: whenever",
      ])
    #expect(!validators.isEmpty)
  }

  @Test("With another method than GET and HEAD a date is no condition")
  func dates() {
    let date = HTTPValidators(["Last-Modified": "then"])
    let both = HTTPValidators(["ETag": "\"1\"", "Last-Modified": "then"])
    func request(_ method: HTTPMethod, _ validators: HTTPValidators) -> HTTPRequest {
      HTTPRequest(
        method: method, url: URL(filePath: "/a"),
        headers: validators.conditioning([:], of: method))
    }
    for (method, isRead) in [(.get, true), (.head, true), (.post, false)] as [(HTTPMethod, Bool)] {
      #expect((request(method, date).headers["If-Modified-Since"] != nil) == isRead)
      #expect(date.areConditions(of: request(method, date)) == isRead)
      #expect((request(method, both).headers["If-Modified-Since"] != nil) == isRead)
      #expect(both.areConditions(of: request(method, both)))
    }
  }

  @Test("A tag that would match any is none")
  func anyTag() {
    let validators = HTTPValidators(["ETag": " * ", "Last-Modified": "then"])
    #expect(validators.etag == nil)
    #expect(validators.conditioning([:]) == ["If-Modified-Since": "then"])
    #expect(HTTPValidators(["ETag": "*"]).isEmpty)
    #expect(validators.areConfirmed(by: ["ETag": "*"]))
  }

  @Test(
    "Validators with a control character, which no request may have, are no conditions",
    arguments: ["ETag", "Last-Modified"])
  func unsendable(name: String) {
    var headers: HTTPHeaders = ["ETag": "\"1\"", "Last-Modified": "then"]
    headers[name] = "\"a\u{B}b\""
    #expect(HTTPValidators(headers).conditioning(["A": "1"]) == ["A": "1"])
  }

  @Test("Without validators there is no condition")
  func empty() {
    let validators = HTTPValidators(["ETag": "", "Last-Modified": " "])
    #expect(validators.isEmpty)
    #expect(validators.conditioning(["A": "1"]) == ["A": "1"])
  }

  @Test(
    "A request with a condition of its own keeps it",
    arguments: ["If-None-Match", "if-match", "Range", "If-Modified-Since"])
  func ownCondition(name: String) {
    #expect(HTTPValidators(["ETag": "\"1\""]).conditioning([name: "x"]) == [name: "x"])
  }

  @Test(
    "A 304 confirms what it names, and everything where it names nothing",
    arguments: [
      (["ETag": "\"1\""], ["ETag": "\"1\""], true), (["ETag": "W/\"1\""], ["ETag": "\"1\""], true),
      (["ETag": "\"1\""], ["ETag": "\"2\""], false), (["ETag": "\"1\""], [:], true),
      (["Last-Modified": "a"], ["Last-Modified": "a"], true),
      (["Last-Modified": "a"], ["Last-Modified": "b"], false),
      (["ETag": "\"1\"", "Last-Modified": "a"], ["ETag": "\"1\"", "Last-Modified": "b"], true),
      (["Last-Modified": "a"], ["ETag": "\"1\""], false), ([:], ["ETag": "\"1\""], true),
      (["Last-Modified": "a"], ["ETag": "\"1\"", "Last-Modified": "a"], true),
      (["Last-Modified": "a"], ["ETag": "\"1\"", "Last-Modified": "b"], false),
      (["Last-Modified": "a"], [:], true), (["ETag": "\"1\""], ["Last-Modified": "a"], true),
      // Equal as text, and different bytes.
      (["ETag": "\"\u{E9}\""], ["ETag": "\"e\u{301}\""], false),
      (["ETag": "\"\u{E9}\""], ["ETag": "W/\"\u{E9}\""], true),
    ] as [(HTTPHeaders, HTTPHeaders, Bool)])
  func confirmation(stored: HTTPHeaders, notModified: HTTPHeaders, isConfirmed: Bool) {
    #expect(HTTPValidators(stored).areConfirmed(by: notModified) == isConfirmed)
  }

  @Test("Validators of other bytes are others, also where the texts are equal")
  func equality() {
    func validators(_ name: String, _ value: String) -> HTTPValidators {
      HTTPValidators(HTTPHeaders([HTTPHeaders.Field(name: name, value: value)]))
    }
    for name in ["ETag", "Last-Modified"] {
      #expect(validators(name, "\u{E9}") == validators(name, "\u{E9}"))
      #expect(validators(name, "\u{E9}") != validators(name, "e\u{301}"))
      #expect(validators(name, "a") != HTTPValidators([:]))
    }
  }

  @Test("A 304 updates the stored fields, but not what describes the stored body or the connection")
  func merging() {
    let stored: HTTPHeaders = [
      "Content-Type": "a/b", "Content-Length": "9", "X": "1", "Link": "<a>", "Link": "<b>",
      "Y": "1", "Age": "50",
      "Date": "then",
    ]
    let notModified: HTTPHeaders = [
      "content-type": "c/d", "Content-Length": "0", "Content-Encoding": "gzip", "x": "2",
      "link": "<c>",
      "Connection": "close, Hop", "Hop": "1", "Keep-Alive": "5", "Transfer-Encoding": "chunked",
      "New": "1",
    ]
    let merged = stored.merging(notModified: notModified.withoutConnectionFields)
    #expect(
      merged.fields.map(\.description)
        == ["Content-Type: a/b", "Content-Length: 9", "Y: 1", "x: 2", "link: <c>", "New: 1"])
  }
}
