import Testing

@testable import Freshet

@Suite("HTTP headers")
struct HTTPHeadersTests {
  @Test("Names are compared without case and keep their spelling")
  func namesIgnoreCase() {
    var headers: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "\"1\""]
    #expect(headers["content-TYPE"] == "text/plain")
    headers["etag"] = "\"2\""
    #expect(headers.fields.map(\.name) == ["Content-Type", "ETag"])
    #expect(headers["É"] == nil)
  }

  @Test("Fields are equal whatever the case of their names, and not that of their values")
  func equality() {
    let headers: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "\"a\""]
    #expect(headers == ["content-type": "text/plain", "etag": "\"a\""])
    #expect(
      headers.hashValue
        == (["content-TYPE": "text/plain", "ETAG": "\"a\""] as HTTPHeaders).hashValue)
    let others: [HTTPHeaders] = [
      ["Content-Type": "Text/plain", "ETag": "\"a\""],
      ["ETag": "\"a\"", "Content-Type": "text/plain"],
      ["Content-Type": "text/plain"], ["Content_Type": "text/plain", "ETag": "\"a\""],
    ]
    for other in others { #expect(headers != other) }
  }

  @Test("Repeated fields stay apart and read joined")
  func repeatedFields() {
    var headers: HTTPHeaders = ["Link": "<a>", "X": "1", "link": "<b>"]
    #expect(headers["Link"] == "<a>, <b>")
    #expect(headers.values(for: "LINK") == ["<a>", "<b>"])
    headers["Link"] = "<c>"
    #expect(headers.fields.map(\.value) == ["<c>", "1"])
    headers["Link"] = nil
    #expect(headers.fields.map(\.name) == ["X"])
  }

  @Test("White space around a value is no part of it")
  func valuesAreTrimmed() {
    var headers: HTTPHeaders = ["A": " \t1 2\t "]
    #expect(headers["A"] == "1 2")
    headers["A"] = " 3"
    headers.append("\t4", for: "A")
    #expect(headers.values(for: "A") == ["3", "4"])
    #expect(HTTPHeaders.Field(name: "B", value: " \t").value.isEmpty)
  }

  @Test("What Connection names is removed, whatever its case and on whichever line")
  func connectionOptions() {
    let headers: HTTPHeaders = [
      "Connection": "close, x-one ,\tX-TWO", "X-One": "1", "connection": "x-three", "x-two": "2",
      "X-Three": "3", "X-Four": "4",
    ]
    #expect(headers.withoutConnectionFields == ["X-Four": "4"])
  }

  @Test("100,000 connection options are compared with 100,000 fields in one pass")
  func manyConnectionOptions() {
    let option = HTTPHeaders.Field(
      name: "Connection", value: String(repeating: "a,", count: 100_000))
    let kept = (0..<100_000).map { HTTPHeaders.Field(name: "B", value: "\($0)") }
    let headers = HTTPHeaders([option] + kept + [HTTPHeaders.Field(name: "A", value: "1")])
    #expect(headers.withoutConnectionFields.fields == kept)
  }

  @Test(
    "Names are tokens",
    arguments: [
      ("X-Api_1", true), ("", false), ("a b", false), ("a:", false), ("ä", false), ("a\r", false),
    ])
  func nameValidity(name: String, isValid: Bool) {
    #expect(HTTPHeaders.isValidName(name) == isValid)
  }

  @Test(
    "Values hold no control characters but the tab",
    arguments: [
      ("a\tb c", true), ("", true), ("naïve", true), ("a\r\nb", false), ("a\nb", false),
      ("a\u{0}", false),
      ("\u{7F}", false), ("\u{1B}[0m", false),
    ])
  func valueValidity(value: String, isValid: Bool) {
    #expect(HTTPHeaders.isValidValue(value) == isValid)
  }

  @Test(
    "A value is on one line where it has no CR, LF or NUL, and is shown on one in any case",
    arguments: [
      ("a\tb", true), ("a\u{1B}[0mb", true), ("a\u{7F}b", true), ("a\r\nb", false), ("a\nb", false),
      ("a\rb", false), ("a\0b", false),
    ])
  func lines(value: String, isOneLine: Bool) {
    #expect(HTTPHeaders.isOneLine(value) == isOneLine)
    let text = HTTPHeaders.Field(name: "X", value: value).description
    #expect(text.hasPrefix("X: a ") && text.hasSuffix("b"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
  }

  @Test("Descriptions show no secrets")
  func descriptionsAreRedacted() {
    let headers: HTTPHeaders = [
      "Accept": "a/b", "authorization": "Bearer s3cret", "Proxy-Authorization": "s3cret",
      "Cookie": "s3cret",
      "Set-Cookie": "s3cret", "X-Api-Key": "s3cret", "X-CSRF-Token": "s3cret",
      "client_secret": "s3cret",
      "Link":
        "</a?access_token=s3cret>; rel=next, <https://me:s3cret@api.test/b?key=s3cret>; rel=\"last\"",
      "Location": "/a?page=2&token=s3cret", "Referer": "https://me:s3cret@api.test/",
      "Refresh": "0; url=https://api.test/a?sig=s3cret",
      "X-Return": "/cb#access_token=s3cret",
      "X-Links": "</1>; rel=next; anchor=\"https://api.test/?token=s3cret\"",
    ]
    #expect(headers.description.contains("\nLink: </a?access_token=***>; rel=next, <https://***@"))
    #expect(headers.description.contains("\nLocation: /a?page=2&token=***\n"))
    #expect(headers.description.hasPrefix("Accept: a/b\nauthorization: ***\n"))
    #expect(headers.debugDescription.hasPrefix("[Accept: a/b; authorization: ***; "))
    for text in [
      "\(headers)", String(reflecting: headers), "\(headers.fields)", String(describing: [headers]),
    ] {
      #expect(!text.contains("s3cret"))
    }
  }
}
