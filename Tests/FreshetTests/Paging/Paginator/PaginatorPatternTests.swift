import Foundation
import Testing

@testable import Freshet

@Suite("The pattern URL of a paginator")
struct PaginatorPatternTests {
  @Test(
    "Placeholders are replaced, and nothing else",
    arguments: [
      ("articles?per_page=:perPage&page=:currentPage", "articles?per_page=25&page=3"),
      ("rows?limit=:perPage&skip=:offset", "rows?limit=25&skip=50"),
      ("pages/:currentPage.json", "pages/3.json"),
      ("page-:currentPage/of:perPage", "page-3/of25"),
      ("users:list?p=:currentPage", "users:list?p=3"),
      ("https://host.test:8080/a?p=:currentPage", "https://host.test:8080/a?p=3"),
      ("a?at=12:30&p=:currentPage", "a?at=12:30&p=3"),
      ("a?x=%3AcurrentPage&p=:currentPage", "a?x=%3AcurrentPage&p=3"),
      ("a?q=é b&p=:currentPage&again=:currentPage", "a?q=é b&p=3&again=3"),
      ("a?p=:currentPage&end=:", "a?p=3&end=:"),
    ])
  func replaced(pattern: String, url: String) throws {
    let pattern = try PaginatorPattern(parsing: pattern)
    #expect(pattern.url(page: 3, perPage: 25, offset: 50) == url)
  }

  @Test(
    "A text that is no pattern is refused with the reason",
    arguments: [
      ("articles?page=2", PaginatorPattern.ParsingError.noPage),
      ("articles?per_page=:perPage", .noPage),
      ("", .noPage),
      ("articles#:currentPage", .noPage),
      ("articles?page=:page", .unknownPlaceholder("page")),
      (":currentpage", .unknownPlaceholder("currentpage")),
      ("a/:currentPageX?p=:currentPage", .unknownPlaceholder("currentPageX")),
    ])
  func refused(text: String, reason: PaginatorPattern.ParsingError) {
    #expect(throws: reason) { try PaginatorPattern(parsing: text) }
  }

  @Test("A literal in the source can be parsed, too")
  func parsedLiteral() {
    #expect(throws: PaginatorPattern.ParsingError.noPage) {
      try PaginatorPattern(parsing: "rows?limit=:perPage")
    }
  }

  @Test("The description is the text that it was made of")
  func description() throws {
    let text = "a:b?per=:perPage&p=:currentPage&o=:offset:"
    #expect(try PaginatorPattern(parsing: text).description == text)
  }

  @Test(
    "The description hides secrets, and leaves the rest as it is",
    arguments: [
      ("a?api_key=S&page=:currentPage", "a?api_key=***&page=:currentPage"),
      ("https://me:S@a.test/x?p=:currentPage", "https://***@a.test/x?p=:currentPage"),
      ("käse liste?q=a b&p=:currentPage", "käse liste?q=a b&p=:currentPage"),
      ("//a.test/x?p=:currentPage", "//a.test/x?p=:currentPage"),
    ])
  func secrets(text: String, shown: String) throws {
    let pattern = try PaginatorPattern(parsing: text)
    #expect(pattern.description == shown && pattern.text == text)
    #expect(Mirror(reflecting: pattern).children.isEmpty)
    #expect(String(reflecting: pattern) == shown)
    var dumped = ""
    dump(pattern, to: &dumped)
    #expect(!dumped.contains("S&") && !dumped.contains(":S"))
  }

  @Test("What a URL cannot hold is encoded once, and existing encoding stays")
  @MainActor
  func encoding() {
    let service = Service(baseURL: "https://api.test/v1", isolation: #isolation)
    let list = service.paginator("käse liste?q=a%2Fb c&p=:currentPage", of: Int.self)
    #expect(list.page(7).key.url == "https://api.test/v1/k%C3%A4se%20liste?q=a%2Fb%20c&p=7")
    let other = service.paginator("https://other.test:8080/x?p=:currentPage", of: Int.self)
    #expect(other.page(7).key.url == "https://other.test:8080/x?p=7")
  }
}
