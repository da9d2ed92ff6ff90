import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Styles that are suggested", .standardTimeLimit) struct SuggestedStyleTests {
  private typealias Continuation = PageError.Continuation

  @Test(
    "A sign of more items suggests styles, with the parameter where it can be guessed",
    arguments: [
      (.member("meta.next_cursor"), .token, ["token=meta.next_cursor,cursor"]),
      (.member("nextPageToken"), .token, ["token=nextPageToken,pageToken"]),
      (.member("continuationToken"), .token, ["token=continuationToken,continuationToken"]),
      (.member(JSONPath(names: ["@odata.nextBatch"])), .token, ["token=@odata.nextBatch,batch"]),
      (.member("next"), .token, ["token=next,PARAM"]),
      (.member("NextMarker"), .token, ["token=NextMarker,Marker"]),
      (.member("last_id"), .token, ["token=last_id,after", "token=last_id,after_id"]),
      (
        .member("meta.next_token"), .token,
        ["token=meta.next_token,next_token", "token=meta.next_token,pagination_token"]
      ),
      (
        .headerField("x-ms-continuationtoken"), .token,
        ["token=header x-ms-continuationtoken,continuationToken"]
      ),
      (.member("next_page"), .token, ["token=next_page,page", "token=next_page,next_page"]),
      (.headerField("X-Nomad-NextToken"), .token, ["token=header X-Nomad-NextToken,next_token"]),
      (.member("_links.nextByOffset"), .link, ["url=_links.nextByOffset"]),
      (.headerField("X-Next-Page"), .token, ["token=header X-Next-Page,page"]),
      (.headerField("cursor"), .token, ["token=header cursor,cursor"]),
      (.headerField("opc-next-page"), .token, ["token=header opc-next-page,page"]),
      (.headerField("X-Api-Next"), .link, ["header=X-Api-Next"]),
      (.headerField("CB-AFTER"), .token, ["token=header CB-AFTER,after"]),
      (.member("meta.pages"), .pageCount, ["page=page"]),
      (.member("nbHits"), .itemCount, ["page=page", "offset=offset"]),
      (.headerField("X-Has-More"), .flag, ["page=page", "offset=offset"]),
      (.member("a,next"), .token, []), (.member("next\u{1B}"), .token, []),
    ] as [(Continuation.Place, Continuation.Kind, [String])])
  func suggestions(
    place: PageError.Continuation.Place, kind: PageError.Continuation.Kind, styles: [String]
  ) {
    #expect(Continuation(at: place, kind).suggestedStyles(sendsBody: false) == styles)
    for style in styles { #expect(throws: Never.self) { try PageStyle(parsing: style) } }
  }

  @Test("A token is sent with the flag beside it, and in a body as one of the object of a link")
  func flagsAndObjects() {
    var token = Continuation(at: .member("cursor"), .token)
    token.more = "has_more"
    #expect(token.suggestedStyles(sendsBody: true) == ["cursor=cursor,cursor,has_more"])
    #expect(token.suggestedStyles(sendsBody: false) == ["token=cursor,cursor,has_more"])
    var link = Continuation(at: .member("paging.next"), .token)
    link.tokenName = "after"
    #expect(link.suggestedStyles(sendsBody: true) == ["cursor=paging.next.after,after"])
  }

  @Test(
    "A GraphQL connection suggests its cursor, and the argument that the query needs for it",
    arguments: [
      (.member("data.a.pageInfo.hasNextPage"), .flag),
      (.member("data.a.pageInfo.endCursor"), .token),
    ] as [(Continuation.Place, Continuation.Kind)])
  func connections(place: PageError.Continuation.Place, kind: PageError.Continuation.Kind) {
    let sign = Continuation(at: place, kind)
    let style = "cursor=data.a.pageInfo.endCursor,variables.after,data.a.pageInfo.hasNextPage"
    #expect(sign.suggestedStyles(sendsBody: true) == [style])
    #expect(
      PageError.unknownContinuation(sign).advice(sendsBody: true)
        == "choose another --style, perhaps --style \(style) and 'after: $after' in the query, "
        + "or --style single if this is the whole list")
  }

  @Test("A GraphQL query suggests the variables that it has")
  func variables() {
    var connection = Continuation(at: .member("data.a.pageInfo.hasNextPage"), .flag)
    connection.variables = ["a", "b"]
    #expect(
      PageError.unknownContinuation(connection).advice(sendsBody: true)
        == "choose another --style, perhaps "
        + "--style cursor=data.a.pageInfo.endCursor,variables.a,data.a.pageInfo.hasNextPage or "
        + "--style cursor=data.a.pageInfo.endCursor,variables.b,data.a.pageInfo.hasNextPage, "
        + "or --style single if this is the whole list")
    var token = Continuation(at: .member("data.next_items_page.cursor"), .token)
    #expect(
      token.suggestedStyles(sendsBody: true) == ["cursor=data.next_items_page.cursor,cursor"])
    token.variables = []
    #expect(
      token.suggestedStyles(sendsBody: true)
        == ["cursor=data.next_items_page.cursor,variables.cursor"])
  }

  @Test("A list with the shape of Stripe's suggests the identity of its last item")
  func lastItem() {
    var flag = Continuation(at: .member("has_more"), .flag)
    flag.identity = "id"
    #expect(
      flag.suggestedStyles(sendsBody: false)
        == ["last=id,starting_after,has_more", "last=id,after,has_more"])
  }

  @Test("An empty list beside the items does not hide that nothing speaks of pages")
  @MainActor
  func besideEmptyList() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json(#"{"start":"t0","end":"t5","chunk":[{"id":1}],"state":[]}"#))
    #expect(await session.run(address, transport: stub) == .complete)
    let warning = session.errorLines.first { $0.contains("warning: ") }
    #expect(warning?.contains("--items state") == true, "\(session.errorText)")
    #expect(warning?.contains("if there are more pages, name a style, such as ") == true)
  }

  @Test("Where the first page may have the number 0 the advice says so")
  func firstNumber() {
    let flag = PageError.unknownContinuation(Continuation(at: .member("last_page"), .flag))
    #expect(
      flag.advice(sendsBody: false)
        == "choose another --style, perhaps --style page=page or --style offset=offset "
        + "('page=page,from 0' where the first page has the number 0), "
        + "or --style single if this is the whole list")
  }

  @Test("A token goes into the body of a request that has one")
  func bodies() {
    func styles(
      _ place: PageError.Continuation.Place, _ kind: PageError.Continuation.Kind
    ) -> [String] {
      Continuation(at: place, kind).suggestedStyles(sendsBody: true)
    }
    #expect(styles(.member("nextToken"), .token) == ["cursor=nextToken,nextToken"])
    #expect(styles(.member("next_cursor"), .token) == ["cursor=next_cursor,cursor"])
    #expect(
      styles(.member("nextPageToken"), .token)
        == ["cursor=nextPageToken,pageToken", "cursor=nextPageToken,nextPageToken"])
    #expect(
      styles(.member("result.next_page_offset"), .token)
        == ["cursor=result.next_page_offset,offset"])
    #expect(
      styles(.member("hits.hits.-1.sort"), .token) == ["cursor=hits.hits.-1.sort,search_after"])
    #expect(styles(.headerField("X-Next-Token"), .token) == [])
    #expect(styles(.member("total"), .itemCount) == [])
    #expect(styles(.member("links.1.body.token"), .token) == ["cursor=links.1.body.token,token"])
    #expect(
      styles(.member("S.LastEvaluatedShardId"), .token)
        == ["cursor=S.LastEvaluatedShardId,ExclusiveStartShardId"])
  }

  @Test(
    "Where a POST counts is said, and the body with a number to start from gives the whole list",
    arguments: [
      (#""total":4"#, "{}", #"{"offset":0}"#, "offset=KEY", "offset=offset"),
      (#""total":4"#, #"{"offset":0}"#, #"{"offset":0}"#, "offset=offset", "offset=offset"),
      (#""more":true"#, #"{"v":{}}"#, #"{"v":{"skip":0}}"#, "offset=KEY", "offset=v.skip"),
    ])
  @MainActor
  func countedInBody(
    members: String, body: String, corrected: String, advised: String, style: String
  ) async {
    let path = JSONPath(String(style.dropFirst("offset=".count)))
    let items = (0..<4).map { #"{"id":\#($0)}"# }
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let start = (try? JSONText(parsing: request.body ?? Data()))?[at: path]?.int ?? 0
      let items = start < 4 ? items[start...start + 1].joined(separator: ",") : ""
      return .json(#"{"items":[\#(items)],"# + members + "}")
    }
    let (session, second, third) = (Session(), Session(), Session())
    #expect(await session.run(address, "-d", body, transport: stub) == .incomplete)
    #expect(
      session.errorText.contains(
        "--style \(advised), which counts in --body if that has the number"),
      "\(session.errorText)")
    let status = await second.run(
      address, "-d", corrected, "--style", style, transport: stub)
    #expect(status == .complete && second.lines == items)
    // Without the number in the body, the server does not see it.
    let ignored = await third.run(address, "-d", "{}", "--style", style, transport: stub)
    #expect(ignored == .incomplete)
    #expect(
      third.errorText.contains("or put the number to start from into --body"), "\(third.errorText)")
  }

  @Test("The note of a list that a POST gave says where a style counts")
  @MainActor
  func noteOfPost() async {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { _ in .json(#"[{"id":1}]"#) }
    let (session, second) = (Session(), Session())
    #expect(await session.run(address, "-d", "{}", transport: stub) == .complete)
    #expect(
      session.errorText.contains("offset=offset, which counts in --body if that has the number"))
    #expect(await second.run(address, transport: stub) == .complete)
    #expect(!second.errorText.contains("--body"))
  }

  @Test(
    "A suggested style counts as the response or the request does, and gives the whole list",
    arguments: [
      ("", #""page":%,"total_pages":3"#, "page=page,from 0"),
      ("", #""page":%,"total_pages":3"#, "page=page"),
      ("", #""size":1,"number":%,"totalPages":3"#, "page=page,from 0"),
      ("", #""pageable":{"pageNumber":%},"last":false,"number":%,"size":1"#, "page=page,from 0"),
      ("", #""number":%,"totalPages":3,"totalElements":3,"last":false"#, "page=page,from 0"),
      ("", #""pageNumber":%,"hasMore":true"#, "page=pageNumber,from 0"),
      ("", #""page_index":"%","total":3"#, "page=page_index,from 0"),
      ("", #""current_page":%,"last_page":3"#, "page=page,from 0"),
      ("", #""current_page":%,"from":1,"to":1,"total":3"#, "page=page"),
      ("", #""meta":{"currentPage":%,"totalPages":3}"#, "page=page"),
      ("", #""offset":%,"limit":1,"total":3"#, "offset=offset"),
      ("", #""paging":{"skip":%,"hasMore":true}"#, "offset=skip"),
      ("p=1", #""total":3"#, "page=p"), ("p=0", #""total":3"#, "page=p,from 0"),
      ("q=x&_page=1", #""total":3"#, "page=_page"), ("start=0", #""total":3"#, "offset=start"),
      ("pageNo=1", #""currentPage":%,"total":3"#, "page=pageNo"),
    ])
  @MainActor
  func followed(query: String, members: String, style: String) async {
    let first = style.hasSuffix(" 0") || style.hasPrefix("offset") ? 0 : 1
    let parameter = String(style.split { "=,".contains($0) }[1])
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let value = URIQuery(url: request.url.absoluteString).value(of: parameter)
      let number = value.flatMap { Int($0) } ?? first
      let item = (first..<first + 3).contains(number) ? "\(number - first)" : ""
      return .json(#"{"items":[\#(item)],"# + members.replacing("%", with: "\(number)") + "}")
    }
    let (session, second) = (Session(), Session())
    #expect(await session.run(address + "?" + query, transport: stub) == .incomplete)
    let advice = "perhaps --style \(ShellWord.quoted(style)), or --style single"
    #expect(session.errorText.contains(advice), "\(session.errorText)")
    let status = await second.run(address + "?" + query, "--style", style, transport: stub)
    #expect(status == .complete && second.lines == ["0", "1", "2"])
  }

  /// Ten items in pages of four, the first of which has the number 0 in requests and in the response.
  private func slices(_ members: String) -> StubTransport {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let value = URIQuery(url: request.url.absoluteString).value(of: "page")
      let number = value.flatMap { Int($0) } ?? 0
      let items = (0..<10).dropFirst(number * 4).prefix(4).map(String.init).joined(separator: ",")
      return .json(
        #"{"items":[\#(items)],"# + members.replacing("%", with: "\(number)") + #","size":4}"#)
    }
    return stub
  }

  @Test(
    "The note of a page that shows no end names the style that counts as its number does",
    arguments: [#""page":%"#, #""number":%,"first":true"#])
  @MainActor
  func noteOfNumber(members: String) async {
    let (session, second) = (Session(), Session())
    #expect(await session.run(address, transport: slices(members)) == .complete)
    #expect(session.errorText.contains("such as --style 'page=page,from 0'; --style single"))
    #expect(!session.errorText.contains("offset=offset"))
    let status = await second.run(
      address, "--style", "page=page,from 0", transport: slices(members))
    #expect(status == .complete && second.lines == (0..<10).map(String.init))
  }

  @Test(
    "A style that counts from 1 where the list is counted from 0 skips no page",
    arguments: [#""page":%"#, #""number":%,"first":true"#])
  @MainActor
  func skippedPage(members: String) async {
    let session = Session()
    let status = await session.run(address, "--style", "page=page", transport: slices(members))
    #expect(status == .incomplete && session.lines == ["0", "1", "2", "3"])
    let advice = "was skipped: choose --style 'page=page,from 0'"
    #expect(session.errorText.contains(advice), "\(session.errorText)")
  }

  @Test("Items that are counted from 1 come once each, as SCIM has them")
  @MainActor
  func itemsFromOne() async {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let value = URIQuery(url: request.url.absoluteString).value(of: "startIndex")
      let start = value.flatMap { Int($0) } ?? 1
      let items = (1...26).dropFirst(start - 1).prefix(10).map(String.init).joined(separator: ",")
      return .json(#"{"totalResults":26,"startIndex":\#(start),"Resources":[\#(items)]}"#)
    }
    let (session, second) = (Session(), Session())
    #expect(await session.run(address, transport: stub) == .incomplete)
    #expect(session.errorText.contains("perhaps --style offset=startIndex, or --style single"))
    let status = await second.run(address, "--style", "offset=startIndex", transport: stub)
    #expect(status == .complete && second.lines == (1...26).map(String.init))
  }

  @Test(
    "A token inside an object is suggested by its own path",
    arguments: [
      (
        #""continue":{"cmcontinue":"page|7","continue":"-||"}"#,
        "token=continue.cmcontinue,cmcontinue"
      ),
      (#""paging":{"next":{"after":"10"}}"#, "token=paging.next.after,after"),
      (#""next":{"page":2}"#, "token=next.page,page"),
      (#""cursor":{"before":2588,"after":2559}"#, "token=cursor.after,after"),
      (#""cursor":{"prev":"a","id":"b"}"#, "token=cursor.id,id"),
      (#""next_token":"x""#, "token=next_token,next_token"),
    ])
  @MainActor
  func tokensInObjects(member: String, style: String) async {
    let stub = StubTransport()
    stub.on(.get, "/items", .json(#"{"items":[{"id":1}],\#(member)}"#))
    let session = Session()
    #expect(await session.run(address, transport: stub) == .incomplete)
    #expect(session.errorText.contains("perhaps --style \(style), or"), "\(session.errorText)")
  }

  @Test("The token that is suggested leads on, as Figma has one that leads back before it")
  @MainActor
  func tokenBack() async {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let value = URIQuery(url: request.url.absoluteString).value(of: "after")
      let keys = (1...4).dropFirst(value.flatMap { Int($0) } ?? 0).prefix(2)
      let items = keys.map { #"{"key":\#($0)}"# }.joined(separator: ",")
      let ends = keys.last.map { #""before":\#($0 - 1),"after":\#($0)"# } ?? #""before":4"#
      return .json(
        #"{"status":200,"error":false,"meta":{"components":[\#(items)],"cursor":{\#(ends)}}}"#)
    }
    let (session, second) = (Session(), Session())
    let items = "--items=meta.components"
    #expect(await session.run(address, items, transport: stub) == .incomplete)
    let style = "token=meta.cursor.after,after"
    #expect(session.errorText.contains("perhaps --style \(style), or"), "\(session.errorText)")
    #expect(await second.run(address, items, "--style", style, transport: stub) == .complete)
    #expect(second.lines == (1...4).map { #"{"key":\#($0)}"# })
  }

  @Test("A token that comes again is explained where lists end so")
  @MainActor
  func repeatedToken() async {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { _ in .json(#"{"items":[{"id":1}],"mark":"x"}"#) }
    let session = Session()
    #expect(await session.run(address, "--style", "token=mark,m", transport: stub) == .incomplete)
    let style = "'token=mark,m,until repeated'"
    #expect(session.errorText.contains("if that is the end of the list, --style \(style)"))
  }

  @Test(
    "A chosen style that overlooks a sign of more is reported, and the style that sees it named")
  @MainActor
  func overlookedSign() async {
    let stub = StubTransport()
    stub.on(.get, "/items", .json(#"{"items":[{"id":1}],"next":"/items?page=2"}"#))
    let session = Session()
    let status = await session.run(address, "--style", "url=nxt", "--quiet", transport: stub)
    #expect(status == .complete)
    #expect(session.errorText.contains("the style 'url=next' finds one"))
    let single = Session()
    _ = await single.run(address, "--style", "single", "--quiet", transport: stub)
    #expect(single.errorText.isEmpty)
  }

  @Test(
    "A page with a warning of the server, and an unasked part, are reported as its own",
    arguments: [
      (#"{"items":[{"id":1}],"timed_out":true}"#, 200, "by 'timed_out' that some may be missing"),
      (#"[{"id":1}]"#, 206, "That is a fault of the server"),
      (#"{"first":"/items?page=1","totalItems":3}"#, 200, "'first': request that URL"),
      (#"{"results":[],"posts":[{"id":1}]}"#, 200, "if that is the list, --items posts"),
    ])
  @MainActor
  func oddPages(body: String, status: Int, text: String) async {
    let stub = StubTransport()
    stub.on(.get, "/items", .json(body, status: status))
    let session = Session()
    _ = await session.run(address, "--quiet", transport: stub)
    #expect(session.errorText.contains(text), "\(session.errorText)")
  }

  @Test(
    "A remedy names options of the command",
    arguments: [
      (.noItems(at: nil, nil), "--items PATH"), (.ambiguousItems([]), "--items PATH"),
      (.noItems(at: "a", nil), "correct that path"), (.noItems(at: "a", .null), "--items PATH"),
      (.otherPage(1, requested: 2), "another --style"),
      (
        .partOfRange("0-1/3", itemCount: 2),
        "another --style, perhaps --style offset=offset or --style page=page"
      ),
      (.skippedPage(parameter: "p", first: 0), "choose --style 'page=p,from 0'"),
      (.noLastItem("id"), "path in --style"), (.unusableLink(at: "next", .bool), "path in --style"),
      (.lastItemNeeded(query: "after", more: "a.more"), "--style last=PATH,after,a.more"),
      (
        .unknownContinuation(.init(at: .member("nextToken"), .token)),
        "perhaps --style token=nextToken,nextToken"
      ),
      (.notReady(status: 202), "retry later"),
    ] as [(PageError, String)])
  func remedies(error: PageError, option: String) {
    #expect(error.advice(sendsBody: false)?.contains(option) == true)
  }
}
