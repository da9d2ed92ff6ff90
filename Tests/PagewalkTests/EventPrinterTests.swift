import Foundation
import FreshetTesting
import Testing

@testable import Freshet
@testable import PagewalkBrowser

@Suite("Printing events", .standardTimeLimit)
@MainActor
struct EventPrinterTests {
  @Test("Pages that others have replaced are released")
  func replacedPages() async throws {
    let token = Locked(0)
    let transport = StubTransport { request in
      let number = token.withLock { token in
        token += 1
        return token
      }
      // Three pages, with new cursors for each read.
      let depth = Int(request.url.query?.split(separator: "-").last ?? "0") ?? 0
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      if depth < 2 { headers["Link"] = "</items?t=\(number)-\(depth + 1)>; rel=\"next\"" }
      return HTTPResponse(
        status: 200, headers: headers, body: Data("[\(depth)]".utf8), url: request.url)
    }
    let service = Service(
      baseURL: "https://api.test", transport: transport, clock: ManualClock(), isolation: #isolation
    )
    let list = service.pages("items", of: JSONText.self, style: .linkHeader)
    var lines = 0
    let printer = EventPrinter(list) { _ in lines += 1 }
    list.loadAll()
    await list.settled()
    for _ in 0..<5 {
      list.refresh()
      await list.settled()
    }
    #expect(list.items.count == 3 && lines > 6 * 3)
    #expect(service.resources.count { $0.isObserved } == 3)
    withExtendedLifetime(printer) {}
  }

  @Test(
    "A page has its new number where others before it have left the chain, which are released",
    arguments: [("/c", ["/c", "/d"]), ("/d", ["/d"]), (nil, [])] as [(String?, [String])])
  func movedPage(link: String?, pages: [String]) async throws {
    let stub = StubTransport()
    let newLink: HTTPHeaders = link.map { ["Link": "<\($0)>; rel=next"] } ?? [:]
    stub.on(
      .get, "/items", .json("[1]", headers: ["Link": "</b>; rel=next"]),
      .json("[1]", headers: newLink))
    stub.on(.get, "/b", .json("[2]", headers: ["Link": "</c>; rel=next"]))
    stub.on(.get, "/c", .json("[3]", headers: ["Link": "</d>; rel=next"]))
    stub.on(.get, "/d", .json("[4]"))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    let list = service.pages("items", of: JSONText.self, style: .linkHeader)
    var lines: [String] = []
    let printer = EventPrinter(list) { lines.append($0) }
    list.loadAll()
    await list.settled()
    #expect(lines.contains("page 4 GET https://api.test/d newData(network)"))
    lines = []
    list.refresh()
    await list.settled()
    #expect(list.items.map(\.description) == ["1"] + pages.map { $0 == "/c" ? "3" : "4" })
    for (page, number) in zip(pages, 2...) {
      let numbers = lines.compactMap { line in
        line.contains(page) ? line.split(separator: " ").dropFirst().first : nil
      }
      #expect(!numbers.isEmpty && numbers.allSatisfy { $0 == "\(number)" }, "\(lines)")
    }
    #expect(service.resources.count { $0.isObserved } == 1 + pages.count)
    withExtendedLifetime(printer) {}
  }
}
