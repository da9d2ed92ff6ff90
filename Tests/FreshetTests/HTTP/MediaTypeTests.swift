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

@Suite("Conformance: media types", .enabled(if: Conformance.isAvailable))
struct MediaTypeConformanceTests {
  private enum Entry: Decodable {
    case heading
    case test(input: String, output: String?)

    private struct Case: Decodable {
      let input: String
      let output: String?
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        (try? container.decode(Case.self)).map { .test(input: $0.input, output: $0.output) }
        ?? .heading
    }
  }

  private struct Chromium: Decodable {
    struct Header: Decodable {
      let fields: [String]
      let mime_type: String?
      let charset: String?
      let normalized: String
    }
    struct Parse: Decodable {
      let content_type: String
      let mime_type: String?
      let charset: String?
      let boundary: String?
    }
    let content_type_header: [Header]
    let parse_content_type: [Parse]
  }

  @Test("Types read and print as the web platform tests list")
  func webPlatform() throws {
    for case .test(let input, let output) in try Conformance.load(
      "mime/wpt-mime-types.json", as: [Entry].self)
    {
      #expect(MediaType(input)?.description == output, "\(input)")
    }
  }

  @Test("Several fields make the type that Chromium makes of them")
  func severalFields() throws {
    // Chromium takes these two; the MIME Sniffing standard, and so the web platform tests, do not.
    let lenient = ["text/html (html)", "text/html ; charset= \"utf-8\" ;"]
    for test in try Conformance.load("mime/chromium-content-type.json", as: Chromium.self)
      .content_type_header
    {
      let headers = HTTPHeaders(test.fields.map { .init(name: "Content-Type", value: $0) })
      #expect(headers["content-type"] == test.normalized)
      guard !lenient.contains(test.normalized) else { continue }
      let type = MediaType(fields: headers.values(for: "Content-Type"))
      #expect(type?.essence == test.mime_type, "\(test.fields)")
      #expect(type?.charset == test.charset, "\(test.fields)")
    }
  }

  @Test("One field makes the type that Chromium makes of it, but where the standard says otherwise")
  func oneField() throws {
    for test in try Conformance.load("mime/chromium-content-type.json", as: Chromium.self)
      .parse_content_type
    {
      // Chromium's own reading: quotes after white space, types without subtype, ranges.
      let isLenient =
        test.content_type.contains("= \"") || test.content_type == "text/"
        || test.content_type == "*/*"
      guard !isLenient else { continue }
      let type = MediaType(test.content_type)
      #expect(type?.essence == test.mime_type, "\(test.content_type)")
      #expect(type?.charset ?? "" == test.charset ?? "", "\(test.content_type)")
      #expect(
        type?["boundary"]?.trimmingHTTPSpace.description == test.boundary, "\(test.content_type)")
    }
  }
}
