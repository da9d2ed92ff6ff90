import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Corners of queries and links", .standardTimeLimit)
struct PageQueryClaimTests {
  private struct Setup {
    let stub = StubTransport()
    let clock = ManualClock()
    let service: Service

    init(isolation: isolated any Actor = #isolation) {
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    }

    func page(_ path: String, _ style: PageStyle) -> Resource<Page<Int>> {
      service.resource(path, decoder: .page(style))
    }
  }

  private final class Log {
    var items: [Int] = []
    var ends: [String] = []
    let query: PageQuery<Int>

    init(_ page: Resource<Page<Int>>, from cursor: PageCursor = .start) {
      query = PageQuery(firstPage: page, from: cursor)
      query.itemReceived = { [weak self] in self?.items.append($0) }
      query.pageCompleted = { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(.end): ends.append("end")
        case .success: ends.append("next")
        case .failure(let error): ends.append("\(error)")
        }
      }
    }

    nonisolated(nonsending) func run() async {
      query.start()
      await query.settled()
    }
  }

  @Test("A query that resumes continues to a 404 that ends the list")
  func resumedBeforeTheEnd() async throws {
    await StoreActor.mainActor.run { actor in
      let style = PageStyle.pageNumber("page")
      let later = Setup()
      later.stub.on(.get, "/rows?page=2", .json("[2]"))
      later.stub.on(.get, "/rows?page=3", .status(404))
      let rest = Log(later.page("rows", style), from: .next(PageLink(.query("page", "2"))))
      await rest.run()
      #expect(rest.ends == ["next", "end"] && rest.items == [2])
    }
  }

  @Test("A query that resumes at a stored cursor ends where there is no such page any more")
  func resumedAtTheEnd() async throws {
    await StoreActor.mainActor.run { actor in
      let style = PageStyle.pageNumber("page")
      let first = Setup()
      first.stub.on(.get, "/rows", .json("[1]"))
      let log = Log(first.page("rows", style))
      log.query.pageBudget = 1
      await log.run()
      #expect(log.ends == ["next"])
      let later = Setup()
      later.stub.on(.get, "/rows?page=2", .status(404))
      let rest = Log(later.page("rows", style), from: log.query.cursor)
      await rest.run()
      #expect(rest.ends == ["end"] && rest.query.isEnded, "\(rest.ends)")
    }
  }

  @Test("With a style that does not end with a 404 it fails there")
  func resumedAtMissingLink() async throws {
    await StoreActor.mainActor.run { actor in
      let later = Setup()
      later.stub.on(.get, "/rows?page=2", .status(404))
      let rest = Log(
        later.page("rows", .linkHeader), from: .next(PageLink(.follow("/rows?page=2"))))
      await rest.run()
      #expect(rest.ends.count == 1 && rest.ends != ["end"] && !rest.query.isEnded)
    }
  }

  @Test("The bodies of cursor pages are the user's own, byte for byte, but for the cursor")
  func bodyBytes() async throws {
    await StoreActor.mainActor.run { actor in
      let body =
        #"{ "z" : 1.0e2, "a":"\u00e9\/é", "a": -0,"after" : null , "n":{"b":[ 1 ,2],"a":12345678901234567890123}}"#
      let bodies = Locked<[String]>([])
      let cursor = #"{"y": 1.50,"x":"\u0041","y":[1,  2]}"#
      let stub = StubTransport { request in
        let count = bodies.withLock { bodies in
          bodies.append(String(decoding: request.body ?? Data(), as: UTF8.self))
          return bodies.count
        }
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data("{\"items\":[\(count)],\"next\":\(count == 1 ? cursor : "null")}".utf8),
          url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let style = PageStyle.cursor(at: "next", bodyKey: "after").items(at: "items")
      let first = service.resource(
        .post, absoluteURL: "https://api.test/rows", body: try? JSONText(parsing: Data(body.utf8)),
        decoder: ContentDecoder<Page<Int>>.page(style))
      let list = PagedCollection(firstPage: first)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      let sent = bodies.withLock { $0 }
      #expect(sent.first == body)
      #expect(sent.last == body.replacing("\"after\" : null", with: "\"after\" : " + cursor))
    }
  }

  @Test(
    "A token goes into the query as the server gave it",
    arguments: [
      ("\"a+b/c==&d=%20é\"", "a%2Bb%2Fc%3D%3D%26d%3D%2520%C3%A9"),
      ("12345678901234567890123", "12345678901234567890123"), ("1.0", "1.0"), ("-0", "-0"),
      ("1E5", "1E5"),
    ])
  func tokens(token: String, expected: String) async throws {
    await StoreActor.mainActor.run { actor in
      let setup = Setup()
      setup.stub.on(.get, "/rows?keep=a+b%2f", .json("{\"items\":[1],\"next\":\(token)}"))
      let list = PagedCollection(
        firstPage: setup.page("rows?keep=a+b%2f", .token(at: "next", query: "t").items(at: "items"))
      )
      list.loadAll()
      await list.settled()
      let query = setup.stub.requests.last?.url.absoluteString ?? ""
      let value = query.components(separatedBy: "&t=").last ?? ""
      #expect(query.hasPrefix("https://api.test/rows?keep=a+b%2f&t="), "\(query)")
      #expect(value.removingPercentEncoding == expected.removingPercentEncoding, "\(query)")
      #expect(!value.contains("+"), "\(query)")
    }
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let body: String
    let status: Int
    let headers: [String: String]
    init(_ body: String, _ status: Int, _ headers: [String: String]) {
      (self.body, self.status, self.headers) = (body, status, headers)
    }
    var testDescription: String { "\(status) \(body) \(headers)" }
  }

  private static let samples: [Sample] = [
    .init("[]", 202, [:]), .init("[1]", 200, ["Content-Range": "0-0/500"]),
    .init("[1]", 200, ["Content-Range": "items 0-0/500"]),
    .init("[1]", 200, ["Content-Range": "items 0-0 / 500"]),
    .init("[1]", 200, ["Content-Range": "items=0-0/500"]),
    .init("[1]", 200, ["Content-Range": "ITEMS  0-0/500"]),
    .init("[1]", 206, ["Content-Range": "items 0-0/500"]),
    .init("{\"items\":[1],\"total\":2}", 200, [:]),
    .init("{\"items\":[1],\"total\":\"2\"}", 200, [:]),
    .init("{\"items\":[1],\"total\":1e400}", 200, [:]),
    .init("{\"items\":[1],\"page\":1,\"total_pages\":9223372036854775807}", 200, [:]),
    .init("{\"items\":[1],\"links\":{\"next\":{\"href\":\"b\"}}}", 200, [:]),
    .init("{\"items\":[1],\"links\":{\"next\":{\"url\":\"b\"}}}", 200, [:]),
    .init("{\"items\":[1],\"links\":{\"next\":\"b\"}}", 200, [:]),
    .init("{\"items\":[1],\"next\":2}", 200, [:]),
    .init("{\"items\":[1],\"next\":{\"page\":2}}", 200, [:]),
    .init("{\"items\":[1],\"nextPage\":2}", 200, [:]),
    .init("{\"items\":[1],\"next_offset\":1}", 200, [:]),
    .init("{\"items\":[1],\"has_more\":true}", 200, [:]),
    .init("{\"items\":[1],\"hasMore\":\"true\"}", 200, [:]),
    .init("[1]", 200, ["Link": "</rows?page=2>; rel=\"next"]),
    .init("[1]", 200, ["Link": "</rows?page=2; rel=next"]),
    .init("[1]", 200, ["Link": "/rows?page=2; rel=next"]),
    .init("[1]", 200, ["Link": "<ht\tp://x>; rel=\"next\""]),
    .init("[1]", 200, ["Link": "</rows?page=2>; rel = next"]),
    .init("[1]", 200, ["Link": "</rows?page=2>; REL='next'"]),
    .init("[1]", 200, ["Link": "</rows?page=2> rel=\"next\""]),
    .init("[1]", 200, ["Link": "</a>; title=\"x, </rows?page=2>; rel=\"next\""]),
    .init("[1]", 200, ["X-Next-Page": "-9223372036854775808"]),
    .init("[1]", 200, ["X-Total-Count": "99999999999999999999"]),
    .init("[1]", 200, ["X-Total-Pages": "2"]), .init("[1]", 200, ["X-Page-Count": "2"]),
    .init("[1]", 200, ["X-Total-Count": "2"]), .init("[1]", 200, ["Total-Count": "2"]),

  ]

  @Test(
    "A response that indicates in some way that it is not all is not a complete list",
    arguments: samples)
  func incomplete(sample: Sample) async throws {
    await StoreActor.mainActor.run { actor in
      let setup = Setup()
      var headers: HTTPHeaders = [:]
      for (name, value) in sample.headers { headers[name] = value }
      setup.stub.on(.get, "/rows", .json(sample.body, status: sample.status, headers: headers))
      let list = setup.service.pages("rows", of: Int.self)
      list.loadAll()
      await list.settled()
      #expect(list.state.description != "ended")
    }
  }

  @Test("A link to another origin in every spelling gets nothing")
  func foreignSpellings() async throws {
    await StoreActor.mainActor.run { actor in
      for link in [
        "//evil.test/x", "///evil.test/x", "https:evil", "https:///evil.test/x",
        "https://api.test:444/x",
        "https://api.test.evil.test/x", "https://api.test@evil.test/x",
        "https://evil.test\\@api.test/x",
        "/\\evil.test/x", "http://api.test:443/x", "HTTPS://EVIL.TEST/x",
        "https://api.test%2eevil.test/",
        "https://api.test:80443/x", "https://api.test:0443/x", "https://api.test:/x",
        "https://[::1]/x",
        "https://API.test/x", "https://api.test./x", "?x", "x:y",
      ] {
        let setup = Setup()
        setup.service.configure { $0.headers["Authorization"] = "secret" }
        setup.stub.on(.get, "/rows", .json("[1]", headers: ["Link": "<\(link)>; rel=\"next\""]))
        let list = setup.service.pages("rows", of: Int.self, style: .linkHeader)
        list.loadAll()
        await list.settled()
        for request in setup.stub.requests.dropFirst() {
          #expect(
            request.url.scheme == "https" && request.url.host()?.lowercased() == "api.test"
              && (request.url.port ?? 443) == 443, "\(link): \(request.url)")
        }
      }
    }
  }

  @Test("A page that has failed gets no request once its origin is not allowed any more")
  func allowedOnce() async throws {
    await StoreActor.mainActor.run { actor in
      let setup = Setup()
      setup.stub.on(
        .get, "/rows", .json("[1]", headers: ["Link": "<https://other.test/x>; rel=\"next\""]))
      setup.stub.on(.get, "/x", .status(500), .json("[2]"))
      let log = Log(setup.page("rows", .linkHeader))
      log.query.allowedOrigins = ["https://other.test"]
      await log.run()
      #expect(setup.stub.requests.count == 2)
      log.query.allowedOrigins = []
      log.query.retry()
      await log.query.settled()
      #expect(setup.stub.requests.count == 2)
      #expect(log.query.latestError == .link(.crossOrigin("https://other.test")))
      log.query.allowedOrigins = ["https://other.test"]
      log.query.retry()
      await log.query.settled()
      #expect(log.items == [1, 2] && log.query.isEnded)
    }
  }

  @Test("After an allowed foreign page nothing secret goes to it, also after a redirect there")
  func redirectedThere() async throws {
    await StoreActor.mainActor.run { actor in
      for isAllowed in [false, true] {
        let seen = Locked<[HTTPRequest]>([])
        let stub = StubTransport { request in
          seen.withLock { $0.append(request) }
          let isFirst = request.url.host() == "api.test"
          // The transport has followed a redirect of the first page.
          return HTTPResponse(
            status: 200,
            headers: [
              "Content-Type": "application/json",
              "Link": isFirst ? "</rows?page=2>; rel=\"next\"" : "</rows?page=3>; rel=\"next\"",
            ],
            body: Data("[1]".utf8),
            url: isFirst ? URL(string: "https://cdn.test/rows")! : request.url)
        }
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        service.configure {
          $0.headers["Authorization"] = "secret"
          $0.headers["X-Key"] = "secret"
          $0.varyingHeaders = ["Authorization", "X-Key"]
        }
        var options = PagedCollection<Int>.Options()
        if isAllowed { options.allowedOrigins = ["https://cdn.test"] }
        options.pageLimit = 4
        let list = service.pages("rows", of: Int.self, style: .linkHeader, options: options)
        list.loadAll()
        await list.settled()
        let foreign = seen.withLock { $0.filter { $0.url.host() != "api.test" } }
        #expect(foreign.isEmpty == !isAllowed, "\(list.state)")
        for request in foreign {
          #expect(request.headers["Authorization"] == nil && request.headers["X-Key"] == nil)
        }
      }
    }
  }
}
