import Foundation
import Freshet
import FreshetTesting
import Testing

/// The identity of request bodies, and which of their bytes are sent.
@Suite("JSON bodies of requests", .standardTimeLimit)
struct RequestBodyIdentityTests {
  private typealias Search = Resource<Page<Int>>

  private static func search(
    _ body: String, in service: Service, style: PageStyle = .linkHeader
  ) throws -> Search {
    service.resource(
      .post, absoluteURL: "https://api.test/search", body: try JSONText(parsing: body),
      decoder: .page(style))
  }

  private static func sent(_ stub: StubTransport) -> [String] {
    stub.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
  }

  @Test(
    "A body is sent byte for byte: order, white space, numbers, escapes",
    arguments: StoreActor.allCases)
  func sentAsGiven(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.post, "/search", .json("[]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let bodies = [
        #"{"sort":{"z":1,"a":-1}}"#, "{ \"b\" : 1.0,\n\t\"a\":\"\\u0061 b\" }", "[ 1e2 , 100 ]",
      ]
      for body in bodies { await (try Self.search(body, in: service)).load().completed() }
      #expect(Self.sent(stub) == bodies)
    }
  }

  @Test("Two orders of members are two resources", arguments: StoreActor.allCases)
  func order(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
        isolation: actor)
      let first = try Self.search(#"{"sort":{"z":1,"a":-1}}"#, in: service)
      let second = try Self.search(#"{"sort":{"a":-1,"z":1}}"#, in: service)
      #expect(first !== second && first.key != second.key)
      #expect(try Self.search(#"{"n":1}"#, in: service) !== Self.search(#"{"n":1.0}"#, in: service))
      #expect(
        try Self.search(#"{"n":" a"}"#, in: service) !== Self.search(#"{"n":"a"}"#, in: service))
    }
  }

  @Test("Two spacings are one resource, which sends the first", arguments: StoreActor.allCases)
  func spacing(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.post, "/search", .json("[]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let spaced = "{ \"q\" : \"a b\\\" \" ,\n\"n\":[ 1, 2 ] }"
      let first = try Self.search(spaced, in: service)
      let second = try Self.search(#"{"q":"a b\" ","n":[1,2]}"#, in: service)
      #expect(first === second)
      #expect(first.key.hashValue == second.key.hashValue)
      await second.load().completed()
      #expect(Self.sent(stub) == [spaced])
    }
  }

  @Test("Cursor objects go back byte for byte along a chain", arguments: StoreActor.allCases)
  func cursors(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cursors = [
        #"{"z": {"N":"12345678901234567890"},  "a":1e400, "m":"\u002f é"}"#, "[ 2 , 1 ]",
        "\"/\\/\"",
      ]
      let stub = StubTransport()
      stub.on(where: { _ in true }) { request in
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        let position = cursors.firstIndex { body.contains($0) }.map { $0 + 1 } ?? 0
        let next = position < cursors.count ? #", "next" : \#(cursors[position])"# : ""
        return .json(#"{"items": [\#(position)]\#(next) }"#)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let body = "{ \"q\":{ \"z\":1, \"a\":2 } , \"after\" : null , \"x\":[ ] }"
      let list = PagedCollection(
        firstPage: try Self.search(
          body, in: service, style: .cursor(at: "next", bodyKey: "after").items(at: "items")))
      list.loadAll()
      await list.settled()
      #expect(list.items == [0, 1, 2, 3], "\(list.state)")
      #expect(
        Self.sent(stub) == [body] + cursors.map { body.replacing("null", with: $0) })
    }
  }

  @Test("Keys that differ only beyond byte 80 of the body have hashes of their own")
  func hashes() async throws {
    try await StoreActor.plainActor.run { actor in
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
        isolation: actor)
      let filler = String(repeating: "x", count: 100)
      let keys = try (0..<8_000).map {
        try Self.search(#"{"filler":"\#(filler)","token":\#($0)}"#, in: service).key
      }
      #expect(Set(keys.map(\.hashValue)).count == 8_000)
      #expect(Set(keys).count == 8_000)
    }
  }
}
