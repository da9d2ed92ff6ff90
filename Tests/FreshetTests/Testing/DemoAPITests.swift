import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The demo API", .standardTimeLimit)
struct DemoAPITests {
  let demo = DemoAPI()

  func get(
    _ target: String, _ headers: HTTPHeaders = [:], method: HTTPMethod = .get
  ) throws -> HTTPResponse {
    let url = try #require(URL(string: "https://api.test" + target))
    return demo.respond(to: HTTPRequest(method: method, url: url, headers: headers))
  }

  func ids(_ response: HTTPResponse) throws -> [Int] {
    struct Item: Decodable { let id: Int }
    return try JSONDecoder().decode([Item].self, from: response.body).map(\.id)
  }

  func link(_ relation: String, of response: HTTPResponse) throws -> String? {
    let elements = try #require(response.headers["Link"]).components(separatedBy: ", ")
    let element = elements.first { $0.hasSuffix("; rel=\"\(relation)\"") }
    return element?.split(separator: ">").first?.dropFirst().description
  }

  /// Follows `next` from a first page to the end, with something happening after each page.
  func walk(from target: String, between: (Int) -> Void = { _ in }) throws -> [Int] {
    var all: [Int] = []
    var next: String? = "https://api.test" + target
    var pages = 0
    while let address = next {
      let response = demo.respond(to: HTTPRequest(url: try #require(URL(string: address))))
      all += try ids(response)
      next = try link("next", of: response)
      pages += 1
      between(pages)
    }
    return all
  }

  @Test("makes the same bytes of the same seed, on every platform")
  func determinism() throws {
    let url = try #require(URL(string: "http://other.test/items"))
    let body = try get("/items").body
    #expect(DemoAPI(seed: 1).respond(to: HTTPRequest(url: url)).body == body)
    #expect(DemoAPI(seed: 2).respond(to: HTTPRequest(url: url)).body != body)
    // Written down once: what every platform has to come to.
    let tag = try get("/items").headers["ETag"]
    #expect(tag == "\"f188a8647acadb7e\"")
    #expect(
      String(decoding: try get("/items/1").body, as: UTF8.self) == #"""
        {"id":1,"river":"長江","station":"Mill\/Lock 1","serial":12345678901234567890,\#
        "level":{"meters":7.26,"trend":"falling","alarm":true},"gain":0.1,"tiny":1e-7,\#
        "note":[1,[2,[]],{}],"revision":1}
        """#)
  }

  @Test("has values that a sloppy client gets wrong, in valid JSON")
  func values() throws {
    let text = String(decoding: try get("/items?per_page=500").body, as: UTF8.self)
    for value in [
      "12345678901234567890", "0.1", "\"level\":{", "Cafe\u{301}", "\\ud83d\\ude00", "🌊",
    ] {
      #expect(text.utf8.contains(value.utf8), "\(value)")
    }
    #expect(try ids(try get("/items?per_page=500")) == Array(1...500))
  }

  @Test("pages by number, with links and the total")
  func pages() throws {
    let first = try get("/items")
    #expect(try ids(first) == Array(1...50))
    #expect(first.headers["X-Total-Count"] == "500")
    #expect(try link("prev", of: first) == nil)
    #expect(try link("next", of: first) == "https://api.test/items?page=2&per_page=50")
    #expect(try link("last", of: first) == "https://api.test/items?page=10&per_page=50")

    let last = try get("/items?page=3&per_page=200")
    #expect(try ids(last) == Array(401...500))
    #expect(try link("next", of: last) == nil)
    #expect(try link("prev", of: last) == "https://api.test/items?page=2&per_page=200")
    #expect(try link("first", of: last) == "https://api.test/items?page=1&per_page=200")
    #expect(try walk(from: "/items") == Array(1...500))
  }

  @Test("has an empty page after the last one, which leads back")
  func afterTheEnd() throws {
    let page = try get("/items?page=99")
    #expect(page.body == Data("[]".utf8))
    #expect(try link("prev", of: page) == "https://api.test/items?page=10&per_page=50")
    #expect(try link("next", of: page) == nil)
  }

  @Test("serves no items as one empty page")
  func noItems() throws {
    let demo = DemoAPI(itemCount: 0)
    let url = try #require(URL(string: "https://api.test/items"))
    let response = demo.respond(to: HTTPRequest(url: url))
    #expect(response.body == Data("[]".utf8))
    #expect(try link("next", of: response) == nil)
    #expect(demo.insert(at: 0) == 1)
  }

  @Test("pages by cursor")
  func cursor() throws {
    let first = try get("/items?after=&per_page=100")
    #expect(try link("next", of: first) == "https://api.test/items?after=100&per_page=100")
    #expect(try walk(from: "/items?after=&per_page=100") == Array(1...500))
    #expect(try walk(from: "/items?after=450") == Array(451...500))
  }

  @Test("does not shift pages by cursor when items come and go before them")
  func cursorIsStable() throws {
    let seen = try walk(from: "/items?after=&per_page=50") { page in
      demo.insert(at: 0)
      demo.delete(id: page * 50)  // the very item that the next cursor names
    }
    #expect(seen == Array(1...500))
    #expect(try walk(from: "/items").count == 500)
  }

  @Test("shifts pages by number when an item comes before them")
  func numbersShift() throws {
    let seen = try walk(from: "/items?per_page=100") { if $0 == 1 { demo.insert(at: 0) } }
    #expect(seen.count == 501)
    #expect(seen.filter { $0 == 100 }.count == 2)
  }

  @Test("confirms what has not changed with 304, and counts")
  func validators() throws {
    let etag = try #require(try get("/items?page=2").headers["ETag"])
    for match in [etag, "\"other\", W/" + etag, "*"] {
      let response = try get("/items?page=2", ["If-None-Match": match])
      #expect(response.status == 304)
      #expect(response.body.isEmpty)
      #expect(response.headers["ETag"] == etag)
      #expect(response.headers["X-Total-Count"] == "500")
    }
    #expect(try get("/items?page=3", ["If-None-Match": etag]).status == 200)
    #expect(demo.counts.full == 2)
    #expect(demo.counts.notModified == 3)
  }

  @Test("changes the validator of the page that was edited, and of no other")
  func edit() throws {
    let before = try (1...10).map { try get("/items?page=\($0)").headers["ETag"] }
    #expect(demo.edit(id: 70))
    let after = try (1...10).map { try get("/items?page=\($0)").headers["ETag"] }
    #expect((0..<10).filter { before[$0] != after[$0] } == [1])
    #expect(Set(before + after).count == 11)
    #expect(String(decoding: try get("/items/70").body, as: UTF8.self).contains("\"revision\":2"))
    #expect(!demo.edit(id: 501))
    #expect(!demo.edit(id: .min) && !demo.delete(id: .min))
  }

  @Test("inserts and deletes at the given place")
  func insertAndDelete() throws {
    #expect(demo.insert(at: 2) == 501)
    #expect(demo.delete(id: 1))
    #expect(!demo.delete(id: 1))
    #expect(demo.ids.prefix(4) == [2, 501, 3, 4])
    #expect(try ids(try get("/items?per_page=3")) == [2, 501, 3])
    #expect(try get("/items/1").status == 404)
    #expect(try get("/items/501").status == 200)
  }

  @Test("keeps the path and the origin of the request in its links")
  func origin() throws {
    let url = try #require(URL(string: "http://x.test:81/v1/items?page=2"))
    let response = demo.respond(to: HTTPRequest(url: url))
    #expect(try link("next", of: response) == "http://x.test:81/v1/items?page=3&per_page=50")
  }

  @Test(
    "refuses what it does not serve, in JSON",
    arguments: [
      ("/", 404), ("/items/x", 404), ("/items/0", 404), ("/items?page=0", 400),
      ("/items?page=-1", 400), ("/items?page=x", 400), ("/items?page=", 400),
      ("/items?per_page=0", 400), ("/items?per_page=1001", 400), ("/items?after=x", 400),
      ("/items?after=9999", 400), ("/items?page=99999999999999999999", 400),
      ("/items/\(Int.min)", 404), ("/items?after=\(Int.min)", 400),
    ])
  func refusals(target: String, status: Int) throws {
    let response = try get(target)
    #expect(response.status == status)
    #expect(try JSONDecoder().decode([String: String].self, from: response.body)["message"] != nil)
    #expect(demo.counts.failed == 1)
  }

  @Test("serves GET and HEAD only")
  func methods() throws {
    let response = try get("/items", method: .post)
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == "GET, HEAD")
    let head = try get("/items", method: .head)
    #expect(head.body.isEmpty)
    #expect(head.headers["Content-Length"] == "\(try get("/items").body.count)")
    #expect(try head.headers["ETag"] == get("/items").headers["ETag"])
  }

  @Test("responds the same over a stub and over HTTP")
  func transports() async throws {
    let stub = StubTransport { [demo] in demo.respond(to: $0) }
    let server = try demo.start()
    let request = HTTPRequest(url: server.url.appending(path: "items"))
    let expected = demo.respond(to: request)
    #expect(try await stub.send(request) { _ in } == expected)

    let client = try RawClient(server.url)
    client.send(
      "GET /items HTTP/1.1\nHost: \(server.url.absoluteString.dropFirst(7))\nConnection: close\n\n")
    let (text, _) = await client.receiveAll()
    let body = try #require(text.range(of: "\r\n\r\n")).upperBound
    #expect(Data(text[body...].utf8) == expected.body)
    for field in expected.headers.fields {
      #expect(text[..<body].contains("\r\n\(field.name): \(field.value)\r\n"))
    }
  }

  @Test("may be edited and read from many tasks at once")
  func crowd() async {
    await withTaskGroup(of: Void.self) { group in
      for id in 1...100 {
        group.addTask {
          demo.edit(id: id)
          demo.insert(at: 0)
          _ = try? get("/items?page=\(id % 10 + 1)")
        }
      }
    }
    #expect(demo.ids.count == 600)
    #expect(demo.counts.full == 100)
  }
}

extension Sequence<UInt8> where Self: Collection {
  /// Whether the bytes occur: text is searched as bytes, for `String` merges equivalent characters.
  fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
