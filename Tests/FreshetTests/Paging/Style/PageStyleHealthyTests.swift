import Testing

@testable import Freshet

/// Responses of servers that work: none is an error, nor odd, however a list is paged.
@Suite("PageStyle.auto: healthy responses", .standardTimeLimit) struct PageStyleHealthyTests {
  /// A response with two items in place of `%`.
  struct Shape: Sendable, CustomTestStringConvertible {
    let query: String
    let headers: HTTPHeaders
    let body: String
    let hasNext: Bool

    init(_ body: String, _ query: String = "", _ headers: HTTPHeaders = [:], next: Bool = false) {
      (self.body, self.query, self.headers, hasNext) = (body, query, headers, next)
    }

    var testDescription: String { "\(query) \(headers) \(body)" }
  }

  @Test(
    "They are pages, with a next one where they name one", arguments: linked + numbered + others)
  func shapes(shape: Shape) throws {
    for items in [#"{"id":1},{"id":2}"#, #"{"id":"a","code":500},{"id":"b","error":"x"}"#] {
      var doubts: [String] = []
      let sample = PageSample(
        "https://a.org/items" + shape.query, headers: shape.headers,
        response: shape.body.replacing("%", with: "[\(items)]"))
      let page = try sample.page(.auto) { doubts.append($0) }
      #expect(page.items.count == 2)
      #expect((page.next != nil) == shape.hasNext)
      #expect(doubts == [])
      // Where the style that was recognized is named instead, it is the same.
      let style = try #require(page.style.form.chosen)
      let named = try sample.page(style.items(at: page.style.itemsPath ?? .root)) {
        doubts.append($0)
      }
      #expect(named.next == page.next && named.presumedEnd == nil)
      #expect(doubts == [])
    }
  }

  /// Links in header fields and bodies.
  static let linked: [Shape] = [
    Shape("%", "", ["Link": "</b>; rel=next, </z?page=9>; rel=last"], next: true),
    Shape("%", "?page=9", ["Link": "</a>; rel=prev, </a?page=9>; rel=last"]),
    Shape("%", "?page=3", ["Link": "</a>; rel=first, </a?page=2>; rel=prev"]),
    Shape("%", "?offset=20", ["Link": "</a?offset=0>; rel=prev, </a?offset=20>; rel=last"]),
    Shape("%", "?per_page=2", ["Link": "</a?page=1&per_page=2>; rel=last", "X-Total-Count": "2"]),
    Shape("%", "", ["X-Next-Page": "2", "X-Page": "1", "X-Total": "9"], next: true),
    Shape(
      "%", "?page=5", ["X-Next-Page": "", "X-Page": "5", "X-Total": "9", "X-Total-Pages": "5"]),
    Shape("%", "", ["Next-Page": "https://a.org/b"], next: true),
    Shape("%", "", ["X-Total-Count": "2"]), Shape("%", "", ["Content-Range": "items 0-1/2"]),
    Shape(#"{"count":9,"next":"https://a.org/b","previous":null,"results":%}"#, next: true),
    Shape(#"{"count":9,"next":null,"previous":"https://a.org/b","results":%}"#, "?page=5"),
    Shape(#"{"count":2,"next":null,"previous":null,"results":%}"#),
    Shape(#"{"next":"https://a.org/b?cursor=x","previous":null,"results":%}"#, next: true),
    Shape(#"{"next":null,"previous":"https://a.org/b?cursor=x","results":%}"#, "?cursor=y"),
    Shape(#"{"data":%,"links":{"self":"/a","next":"/b","last":"/a?page=9"}}"#, next: true),
    Shape(
      #"{"data":%,"links":{"self":"/a","next":null,"last":"/a?page[number]=9"}}"#,
      "?page[number]=9"),
    Shape(#"{"data":%,"links":{"first":"/a","prev":"/a"},"meta":{"total":9}}"#, "?page=2"),
    Shape(
      #"{"_embedded":{"orders":%},"_links":{"self":{"href":"/a"},"next":{"href":"/b"}}}"#,
      next: true),
    Shape(
      #"{"_embedded":{"orders":%},"_links":{"self":{"href":"/a"}},"page":{"size":20,"totalElements":2,"totalPages":1,"number":0}}"#
    ),
    Shape(#"{"@odata.context":"x","value":%,"@odata.nextLink":"https://a.org/b"}"#, next: true),
    Shape(#"{"@odata.context":"x","@odata.count":2,"value":%}"#),
    Shape(
      #"{"data":%,"paging":{"cursors":{"before":"x","after":"y"},"next":"https://a.org/b"}}"#,
      next: true),
    Shape(#"{"data":%,"paging":{"cursors":{"before":"x","after":"y"}}}"#, "?after=z"),
    Shape(#"{"rows":%,"next_url":"https://a.org/b","truncated":true}"#, next: true),
    Shape(#"{"rows":%,"next_url":null,"next":null,"truncated":false,"ok":true}"#),
    Shape(#"{"member":%,"totalItems":2,"view":{"@id":"/a?page=1"}}"#),
    Shape(
      #"{"hydra:member":%,"hydra:totalItems":9,"hydra:view":{"hydra:next":"/b?page=2"}}"#,
      next: true),
  ]

  /// Pages and items that are counted.
  static let numbered: [Shape] = [
    Shape(#"{"page":1,"total_pages":3,"items":%}"#, "?page=1", next: true),
    Shape(#"{"page":3,"total_pages":3,"items":%}"#, "?page=3"),
    Shape(#"{"page":1,"total_pages":1,"total":2,"items":%}"#),
    Shape(#"{"meta":{"current_page":2,"last_page":3,"total":6},"data":%}"#, "?page=2", next: true),
    Shape(
      #"{"meta":{"current_page":3,"last_page":3,"total":6,"from":5,"to":6},"data":%}"#, "?page=3"),
    Shape(
      #"{"current_page":1,"last_page":1,"next_page_url":null,"per_page":15,"total":2,"data":%}"#),
    Shape(
      #"{"number":0,"totalPages":2,"totalElements":4,"last":false,"first":true,"content":%}"#,
      "?page=0", next: true),
    Shape(
      #"{"number":1,"totalPages":2,"totalElements":4,"last":true,"first":false,"content":%}"#,
      "?page=1"),
    Shape(#"{"startAt":0,"maxResults":2,"total":9,"issues":%}"#, next: true),
    Shape(#"{"startAt":8,"maxResults":50,"total":10,"issues":%}"#, "?startAt=8"),
    Shape(#"{"offset":0,"limit":2,"total":9,"data":%}"#, "?offset=0&limit=2", next: true),
    Shape(#"{"offset":7,"limit":50,"total":9,"data":%}"#, "?offset=7"),
    Shape(#"{"pagination":{"page":1,"nextPage":2},"items":%}"#, "?page=1", next: true),
    Shape(#"{"pagination":{"page":2,"nextPage":null,"pages":2},"items":%}"#, "?page=2"),
    Shape(#"{"pagination":{"total":2,"per_page":50,"pages":1,"page":1},"releases":%}"#),
    Shape(#"{"total":2,"took":3,"hits":%}"#), Shape(#"{"nbHits":2,"page":0,"nbPages":1,"hits":%}"#),
    Shape(#"{"page":1,"per_page":2,"has_more":false,"items":%}"#),
    Shape(#"{"total_count":2,"incomplete_results":false,"items":%}"#),
  ]

  /// Tokens, and lists without pages.
  static let others: [Shape] = [
    Shape(#"{"items":%,"nextPageToken":"x","kind":"a#list"}"#, next: true),
    Shape(#"{"items":%,"kind":"a#list","etag":"x"}"#), Shape(#"{"files":%,"next_page_token":""}"#),
    Shape(#"{"ok":true,"channels":%,"response_metadata":{"next_cursor":"x"}}"#, next: true),
    Shape(#"{"ok":true,"channels":%,"response_metadata":{"next_cursor":""}}"#),
    Shape(#"{"object":"list","data":%,"has_more":true,"url":"/v1/a"}"#, next: true),
    Shape(#"{"object":"list","data":%,"has_more":false,"url":"/v1/a"}"#),
    Shape(#"{"object":"list","results":%,"next_cursor":"x","has_more":true}"#, next: true),
    Shape(#"{"object":"list","results":%,"next_cursor":null,"has_more":false}"#),
    Shape(
      #"{"apiVersion":"v1","metadata":{"continue":"x","remainingItemCount":9},"items":%}"#,
      next: true),
    Shape(#"{"apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":%}"#),
    Shape(
      #"{"took":2,"timed_out":false,"_shards":{"total":5,"failed":0},"hits":{"total":{"value":2},"hits":%}}"#
    ),
    Shape(#"{"code":0,"message":"success","data":%}"#),
    Shape(#"{"code":20000,"msg":"ok","data":%}"#),
    Shape(#"{"status":"success","errors":[],"warnings":["old"],"result":%}"#),
    Shape(
      #"{"success":true,"error":null,"result":%,"result_info":{"page":1,"per_page":20,"total_pages":1,"count":2,"total_count":2}}"#
    ),
    Shape(
      #"{"data":{"viewer":{"repos":{"nodes":%,"pageInfo":{"hasNextPage":false,"endCursor":"x"}}}}}"#
    ),
    Shape(#"{"results":%,"facets":[{"a":1}],"suggestions":[{"b":1}]}"#),
    Shape(#"{"results":%,"related":{"next":"soon","total":9}}"#), Shape("%"),
    Shape(#"{"values":%}"#),
    Shape(#"{"error":0,"data":%}"#), Shape(#"{"meta":{"code":200},"data":%,"pagination":{}}"#),
  ]
}

extension PageStyle.Form {
  /// The style of this form, as a program chooses it; `single` where none was recognized, and nil for a custom one.
  fileprivate var chosen: PageStyle? {
    switch self {
    case .auto, .single: .single
    case .linkHeader: .linkHeader
    case .header(let name): .header(name)
    case .nextURL(let path): .nextURL(at: path)
    case .pageNumber(let parameter, let first, let pageCount):
      .pageNumber(parameter, startingAt: first, totalPageCount: pageCount)
    case .offset(let parameter, let limit): .offset(parameter, limit: limit)
    case .token(let source, let target, let more, let untilRepeated):
      PageStyle(sending: source, in: target, more: more, untilRepeated: untilRepeated)
    case .custom: nil
    }
  }
}
