import Testing

@testable import Freshet

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
