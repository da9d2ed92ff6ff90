import Freshet
import Testing

@testable import pagewalk

@Suite("Styles that are suggested") struct SuggestedStyleTests {
  private typealias Continuation = PageError.Continuation

  @Test(
    "A sign of more items suggests styles, with the parameter where it can be guessed",
    arguments: [
      (.member("meta.next_cursor"), .token, ["token=meta.next_cursor,cursor"]),
      (.member("nextPageToken"), .token, ["token=nextPageToken,pageToken"]),
      (.member("continuationToken"), .token, ["token=continuationToken,continuationToken"]),
      (.member(JSONPath(names: ["@odata.nextBatch"])), .token, ["token=@odata.nextBatch,batch"]),
      (.member("next"), .token, ["token=next,PARAM"]),
      (.member("_links.nextByOffset"), .link, ["url=_links.nextByOffset"]),
      (.headerField("X-Next-Page"), .token, ["token=header X-Next-Page,page"]),
      (.headerField("cursor"), .token, ["token=header cursor,cursor"]),
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

  @Test("A token goes into the body of a request that has one")
  func bodies() {
    func styles(
      _ place: PageError.Continuation.Place, _ kind: PageError.Continuation.Kind
    ) -> [String] {
      Continuation(at: place, kind).suggestedStyles(sendsBody: true)
    }
    #expect(styles(.member("nextToken"), .token) == ["cursor=nextToken,token"])
    #expect(styles(.headerField("X-Next-Token"), .token) == [])
    #expect(styles(.member("total"), .itemCount) == [])
  }

  @Test(
    "A remedy names options of the command",
    arguments: [
      (.itemsPath, "--items PATH"), (.style, "another --style"), (.stylePath, "path in --style"),
      (.lastItem(query: "after", more: "a.more"), "--style last=PATH,after,a.more"),
      (
        .continuation(.init(at: .member("nextToken"), .token)),
        "perhaps --style token=nextToken,token"
      ),
    ] as [(PageError.Remedy, String)])
  func remedies(remedy: PageError.Remedy, option: String) {
    #expect(remedy.advice(sendsBody: false).contains(option))
  }
}
