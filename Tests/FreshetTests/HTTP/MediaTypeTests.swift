import Testing

@testable import Freshet

@Suite("Media types")
struct MediaTypeTests {
  @Test("A type is read in its parts")
  func parts() throws {
    let type = try #require(
      MediaType(" Application/Problem+JSON ; Charset=\"UTF-8\";v=1;V=2;bad;x=\"a\\\"b\" "))
    #expect(type.type == "application" && type.subtype == "problem+json")
    #expect(type.essence == "application/problem+json")
    #expect(type.suffix == "json")
    #expect(type.charset == "utf-8")
    #expect(type["V"] == "1" && type["x"] == "a\"b" && type["bad"] == nil)
    #expect(type.description == "application/problem+json;charset=UTF-8;v=1;x=\"a\\\"b\"")
  }

  @Test(
    "What has no type or subtype is none",
    arguments: ["", "/", "json", "text/", "/html", "text/ html", "a/b/c", "tëxt/html"])
  func malformed(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test(
    "JSON is known by its name and by its suffix",
    arguments: [
      ("application/json", true), ("text/JSON", true), ("image/json", false),
      ("application/vnd.api+json; v=1", true),
      ("application/jsonp", false), ("application/json+xml", false), ("text/plain", false),
    ])
  func json(text: String, isJSON: Bool) {
    #expect(MediaType(text)?.isJSON == isJSON)
  }

  @Test(
    "A range matches what is in it",
    arguments: [
      ("*/*", true), ("image/*", true), ("IMAGE/svg+xml", true), ("image/*+xml", true),
      ("*/*+xml;q=1", true),
      ("image/svg", false), ("text/*", false), ("image/*+json", false), ("image", false),
    ])
  func ranges(pattern: String, isMatch: Bool) {
    #expect(MediaType("image/svg+xml")?.matches(pattern) == isMatch)
  }

  @Test(
    "What is looked up is what reading it gives",
    arguments: [
      "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
      "application/json ;charset=utf-8", "Application/JSON",
    ])
  func common(text: String) {
    let type = MediaType(fields: [text])
    #expect(type == MediaType(text))
    #expect(type?.essence == "application/json")
  }

  @Test("Of several lines the last counts, and an unnamed charset stays")
  func severalLines() {
    #expect(
      MediaType(fields: ["text/plain;charset=a", "text/html;charset=b, text/html"])?.charset == "b")
    #expect(MediaType(fields: ["text/plain;charset=a", "text/html"])?.charset == nil)
    #expect(MediaType(fields: ["text/html", "*/*", "nonsense"])?.essence == "text/html")
    #expect(
      MediaType(fields: ["a/b;x=\"1,c/d\\\",e/f\""])?.description == "a/b;x=\"1,c/d\\\",e/f\"")
    #expect(MediaType(fields: []) == nil)
  }
}
