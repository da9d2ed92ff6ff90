import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A server that names a next page for ever", .standardTimeLimit)
@MainActor
struct EndlessListTests {
  private func walk(
    _ options: String..., respond: @escaping @Sendable (Int) -> StubTransport.Response
  ) async -> (session: Session, requestCount: Int) {
    let session = Session()
    let stub = StubTransport(numbered: respond)
    _ = await session.run([address, "--summary"] + options, transport: stub)
    return (session, stub.requests.count)
  }

  @Test("It is incomplete after 100 pages without items, or as many as an option says")
  func emptyPages() async {
    let page: @Sendable (Int) -> StubTransport.Response = {
      .json(#"{"items": \#($0 == 1 ? "[1]" : "[]"), "next": "?page=\#($0 + 1)"}"#)
    }
    let (session, requestCount) = await walk(respond: page)
    #expect(session.lines == ["1"] && requestCount == 101)
    #expect(session.summary?["status"]?.string == "incomplete")
    #expect(session.summary?["reason"]?.string == "maxPages")
    #expect(session.errorText.contains("the last 100 pages have no items"))
    #expect(session.errorText.contains("(--max-empty-pages)"))
    let (_, fewer) = await walk("--max-empty-pages=2", respond: page)
    #expect(fewer == 3)
  }

  @Test("The limit of one page names it as one")
  func singlePage() async {
    let (session, _) = await walk("--max-pages=1") {
      .json(#"{"items": [\#($0)], "next": "?page=\#($0 + 1)"}"#)
    }
    #expect(session.errorText.contains("1 page was loaded and there are more"))
  }

  @Test("It is complete where a page without items counts those before it")
  func total() async {
    let (session, requestCount) = await walk {
      .json(#"{"items": \#($0 < 3 ? "[\($0)]" : "[]"), "total": 2, "next": "?page=\#($0 + 1)"}"#)
    }
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.lines == ["1", "2"] && requestCount == 3)
  }

  @Test("It is complete where the link says that it has no results")
  func results() async {
    let (session, requestCount) = await walk { page in
      func link(_ page: Int, _ relation: String, _ hasResults: Bool) -> String {
        "<?page=\(page)>; rel=\"\(relation)\"; results=\"\(hasResults)\""
      }
      return .json(
        page < 4 ? "[\(page)]" : "[]",
        headers: [
          "Link": link(page - 1, "previous", page > 1) + ", " + link(page + 1, "next", page < 3)
        ])
    }
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.lines == ["1", "2", "3"] && requestCount == 3)
  }
}
