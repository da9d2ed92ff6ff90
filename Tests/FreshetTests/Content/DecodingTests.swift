import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Decoding responses", .standardTimeLimit)
struct DecodingTests {
  struct Item: Codable, Sendable, Equatable {
    var name: String
    var createdAt: Date?
  }
  struct List: Decodable, Sendable, Equatable {
    var items: [Item]
  }
  struct Tree: Decodable, Sendable {
    var children: [Tree]
  }

  @Test("JSON is read with the configured strategies", arguments: StoreActor.allCases)
  func strategies(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/iso", .json(#"{"name": "a", "createdAt": "1970-01-01T00:01:00Z"}"#))
      stub.on(.get, "/snake", .json(#"{"name": "a", "created_at": 60}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure("snake") {
        $0.json.dateDecodingStrategy = .secondsSince1970
        $0.json.keyDecodingStrategy = .convertFromSnakeCase
      }
      let expected = Item(name: "a", createdAt: Date(timeIntervalSince1970: 60))
      for path in ["iso", "snake"] {
        let resource: Resource<Item> = service.resource(path)
        let content = try await resource.load().value()
        #expect(content == expected)
        #expect(stub.requests.last?.headers["Accept"] == "application/json")
      }
    }
  }

  @Test("Bytes, text and nothing are taken as they come", arguments: StoreActor.allCases)
  func plainTypes(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .response(headers: ["Content-Type": "image/png"], body: Data([0xFF])))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let data = try await service.resource("a", of: Data.self).load().entity()
      #expect(data.content == Data([0xFF]))
      #expect(data.contentType?.essence == "image/png")
      let nothing = service.resource("a", decoder: .noContent)
      #expect(try await nothing.load().value() == NoContent())
      #expect(stub.requests.allSatisfy { $0.headers["Accept"] == nil })
    }
  }

  @Test("JSON may stay as the server sent it, errors too", arguments: StoreActor.allCases)
  func jsonText(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.decodeErrors(as: JSONText.self) }
      let text = #"{"id": 12345678901234567890, "price": 0.10}"#
      fixture.stub.on(.post, "/graphql", .json(text), .json(text, status: 400), .json("{"))
      let resource = fixture.service.resource(.post, "graphql", of: JSONText.self)
      let content = try await resource.load().value()
      #expect(content.description == text)
      #expect(fixture.stub.requests.last?.headers["Accept"] == "application/json")
      let refused = await resource.load().failure()
      #expect((refused?.decodedBody as? JSONText)?.description == text)
      let broken = await resource.load().failure()
      #expect(broken?.kind == .decoding && broken?.underlying is JSONText.SyntaxError)
    }
  }

  @Test(
    "Text is read in the charset of the response",
    arguments: [
      (nil, [0xC3, 0xA9], "é"), ("text/plain", [0xC3, 0xA9], "é"),
      ("text/plain; charset=ISO-8859-1", [0xE9], "é"),
      ("text/html;charset=\"Shift_JIS\"", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("text/plain; charset=utf-16", [0xE9, 0x00], "é"), ("text/plain", [], ""),
      ("text/plain", [0xE9], nil), ("text/plain; charset=utf-8", [0xFF, 0xFE, 0x41], nil),
      ("text/plain; charset=us-ascii", [0xE9], nil),
      ("text/plain; charset=klingon", [0x41], nil), ("application/json", [0x31], "1"),
    ] as [(String?, [UInt8], String?)], StoreActor.allCases)
  func text(response: (type: String?, bytes: [UInt8], text: String?), actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      var headers = HTTPHeaders()
      headers["Content-Type"] = response.type
      stub.on(.get, "/a", .response(headers: headers, body: Data(response.bytes)))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: String.self)
      let error = await resource.load().failure()
      #expect(resource.content == response.text)
      guard response.text == nil else { return }
      #expect(error?.kind == .decoding)
      #expect(error?.message.contains("https://api.test/a") == true)
      #expect(error?.message.contains(response.type ?? "no media type") == true)
      #expect(error?.underlying is DecodingError)
    }
  }

  @Test("The media type is checked before the decoder is called", arguments: StoreActor.allCases)
  func mediaTypes(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource = service.resource("a", of: [Int].self)
      let fine = [
        "application/json", "application/problem+json; charset=utf-8", "text/json",
        "APPLICATION/JSON", "application/vnd.api+json",
      ]
      for type in fine {
        stub.on(.get, "/a", .json("[1]", headers: ["Content-Type": type]))
        #expect(await resource.load().failure() == nil, "\(type)")
      }
      stub.on(.get, "/a", .response(body: Data("[2]".utf8)))
      #expect(await resource.load().failure() == nil)
      stub.on(
        .get, "/a",
        .json("[3]", headers: ["Content-Type": "text/html", "content-type": "application/json"]))
      #expect(await resource.load().failure() == nil)
      for type in ["text/html; charset=utf-8", "text/plain", "json", "", "application/jsonx"] {
        stub.on(.get, "/a", .json("<html>", headers: ["Content-Type": type]))
        let error = await resource.load().failure()
        #expect(error?.kind == .contentType)
        #expect(error?.status == 200)
        #expect(error?.message.contains("\"\(type)\"") == true)
        #expect(error?.message.contains("https://api.test/a") == true)
        #expect(resource.latestError?.kind == .contentType)
        #expect(resource.content == [3], "the previous content stays")
      }
    }
  }

  /// Of a date that does not fit Foundation names the object only.
  @Test(
    "JSON that does not fit is an error that names the place",
    arguments: [
      (#"{"items": [{"name": "a"}, {"name": 1}]}"#, "$.items[1].name"),
      (#"{"items": [{"name": "a"}, {"name": null}]}"#, "$.items[1].name"),
      (#"{"items": [{"name": "a"}, {}]}"#, "$.items[1]: no member \"name\""),
      (#"{"items": 3}"#, "$.items"), ("[]", "at $:"), ("3", "at $:"), ("null", "at $:"),
      (#"{"items": [{"name": "a", "createdAt": "yesterday"}]}"#, "at $.items[0]"),
    ], StoreActor.allCases)
  func misfits(response: (json: String, place: String), actor: StoreActor) async {
    await Self.expectDecodingError(response.json, naming: response.place, actor: actor)
  }

  @Test(
    "Bytes that are no JSON are an error",
    arguments: [
      "", " ", "{", #"{"items": [{"na"#, #"{"items": []} x"#, #"{"items": []}{"items": []}"#,
      #"{'items': []}"#, "{items: []}", #"{"items": [], // no"#, "\u{1}", "<html></html>",
      String(repeating: "[", count: 100_000), #"{"items": [{"name": "\ud800"}]}"#,
      #"{"items": [NaN]}"#,
    ], StoreActor.allCases)
  func malformed(json: String, actor: StoreActor) async {
    await Self.expectDecodingError(json, naming: "at $", actor: actor)
  }

  @Test("JSON in another charset than Unicode is an error", arguments: StoreActor.allCases)
  func latin1JSON(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(
        .get, "/a",
        .response(
          headers: ["Content-Type": "application/json; charset=iso-8859-1"],
          body: Data([0x22, 0xE9, 0x22])))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", decoder: ContentDecoder<String>.json)
      #expect(await resource.load().failure()?.kind == .decoding)
    }
  }

  @Test("Deep nesting is an error, not a crash", arguments: StoreActor.allCases)
  func deepNesting(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let depth = 50_000
      let json =
        String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
      stub.on(.get, "/a", .json(json))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: Tree.self)
      #expect(await resource.load().failure()?.kind == .decoding)
    }
  }

  /// `JSONDecoder` on Linux accepts a comma after the last element. That is left so: what is meant is
  /// not in doubt, and a scan of every body for a comma would cost more than it finds.
  @Test("Whether a trailing comma is taken is Foundation's choice")
  func trailingComma() {
    let list = try? JSONDecoder().decode([Int].self, from: Data("[1,]".utf8))
    #expect(list == nil || list == [1])
  }

  private static func expectDecodingError(
    _ json: String, naming place: String, actor: StoreActor
  ) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .json(#"{"items": [{"name": "first"}]}"#), .json(json))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: List.self)
      await resource.load().completed()
      let error = await resource.load().failure()
      #expect(error?.kind == .decoding)
      #expect(error?.status == 200)
      #expect(error?.message.contains("https://api.test/a") == true)
      #expect(error?.message.contains("application/json") == true)
      #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
      #expect(error?.underlying is DecodingError)
      #expect(resource.content?.items.first?.name == "first", "the previous content stays")
    }
  }
}
