import Freshet
import Testing

@testable import pagewalk

@Suite("Styles on the command line", .standardTimeLimit) struct StyleParsingTests {
  @Test(
    "The text of a style on a command line is its name",
    arguments: [
      "auto", "single", "link", "header=X-Next-Page", "url=_links.next.href", "url=@odata.nextLink",
      "page=page", "page=p,from 0", "page=p,of meta.pages", "page=p,from 0,of n",
      "offset=_start", "offset=o,limit l", "token=t,header X-Token",
      "token=header X-Next-Page,page", "token=header X-Next,header X-Token",
      "last=id,starting_after", "last=id,starting_after,has_more",
      "token=next_page_token,page_token", #"cursor=a\.b,c"#,
      "cursor=data.x.pageInfo.endCursor,variables.after,data.x.pageInfo.hasNextPage",
    ])
  func parsing(text: String) throws {
    #expect(try PageStyle(parsing: text).name == text)
  }

  @Test(
    "A text that names no style is a usage error that says how to write it",
    arguments: [
      ("", "unknown style ''"), ("links", "unknown style 'links'"), ("auto=x", "takes no values"),
      ("single=x", "takes no values"),
      ("header", "header=NAME"), ("header=", "header=NAME"), ("header=X Y", "not a header name"),
      ("url=", "url=PATH"), ("url=a,b", "url=PATH"), ("url=a..b", "empty name"),
      ("page", "page=PARAM"),
      ("token=a", "token=PATH,PARAM"), ("token=a,", "token=PATH,PARAM"),
      ("page=p,x", "page=PARAM"), ("page=p,from x", "page=PARAM"), ("page=p,of a..b", "empty name"),
      ("page=p,of n,from 0", "page=PARAM"), ("offset=o,l", "offset=PARAM"),
      ("token=header X,p,more", "'header NAME' in place of PARAM"),
      ("token=header X,header X Y", "not a header name"),
      ("token=t,header X Y", "not a header name"), ("last=a", "last=PATH,PARAM"),
      ("cursor=a", "cursor=PATH,KEY"),
      ("cursor=a,b,c,d", "cursor=PATH,KEY,MORE"), ("offset=", "offset=PARAM"),
    ])
  func usageErrors(text: String, message: String) throws {
    let error = try #require(throws: PageStyle.ParsingError.self) { try PageStyle(parsing: text) }
    #expect(error.description.contains(message))
  }

  @Test(
    "'until repeated' is a part of the style's text",
    arguments: [
      "token=t,q,until repeated", "token=t,header X-T,until repeated",
      "token=header X-T,q,until repeated", "token=header X-T,header X-T,until repeated",
      "cursor=c,k,until repeated", "cursor=c,k,more,until repeated", "last=id,q,until repeated",
      "last=id,q,more,until repeated",
    ])
  func untilRepeated(text: String) throws {
    let style = try PageStyle(parsing: text)
    #expect(style.name == text)
    #expect(style != (try PageStyle(parsing: String(text.dropLast(",until repeated".count)))))
  }

  @Test(
    "'until repeated' stands at the end, of these styles only",
    arguments: [
      "token=until repeated", "token=header X,q,until repeated,m", "last=id,until repeated",
      "url=next,until repeated", "offset=o,until repeated",
    ])
  func misplaced(text: String) {
    #expect(throws: PageStyle.ParsingError.self) { try PageStyle(parsing: text) }
  }

  @Test(
    "A text names the style that a program makes of the same values",
    arguments: [
      ("auto", .auto), ("single", .single), ("link", .linkHeader), ("header=X", .header("X")),
      ("url=a.b", .nextURL(at: "a.b")), ("page=p,from 1", .pageNumber("p")),
      ("page=p,from 0,of n", .pageNumber("p", startingAt: 0, totalPageCount: "n")),
      ("offset=o,limit l", .offset("o", limit: "l")),
      ("token=next,t,more", .token(at: "next", query: "t", more: "more")),
      ("token=next,header T,more", .token(at: "next", header: "T", more: "more")),
      ("token=header X,q", .token(inHeader: "X", query: "q")),
      (
        "token=header X-Next,header X-T,until repeated",
        PageStyle(sending: .headerField("X-Next"), in: .header("X-T"), untilRepeated: true)
      ),
      ("last=id,q,more", .lastItem("id", query: "q", more: "more")),
      (
        "cursor=nextForwardToken,nextToken,until repeated",
        .cursor(at: "nextForwardToken", bodyKey: "nextToken", untilRepeated: true)
      ),
    ] as [(String, PageStyle)])
  func styles(text: String, style: PageStyle) throws {
    #expect(try PageStyle(parsing: text) == style)
  }

  @Test("The largest page number is one that can grow")
  func largestNumber() throws {
    #expect(throws: PageStyle.ParsingError.self) {
      try PageStyle(parsing: "page=p,from \(Int.max)")
    }
    #expect(
      try PageStyle(parsing: "page=p,from \(Int.max - 1)")
        == .pageNumber("p", startingAt: .max - 1))
  }
}
