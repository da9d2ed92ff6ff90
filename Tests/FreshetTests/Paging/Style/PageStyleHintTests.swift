import FreshetTesting
import Testing

@testable import Freshet

/// Responses of one page whose members have names that are in no table.
@Suite("PageStyle.auto: hints of more items", .standardTimeLimit) struct PageStyleHintTests {
  /// Members beside two items, and where these are said to be a part.
  @Test(
    "A total of more items than the page has is no complete list, by whatever name",
    arguments: [
      (#""nbHits":9,"nbPages":5"#, "nbHits"), (#""estimatedTotalHits":9"#, "estimatedTotalHits"),
      (#""found":9,"out_of":1000"#, "found"), (#""numFound":9,"start":0"#, "numFound"),
      (#""hitCount":9"#, "hitCount"), (#""resultCount":9"#, "resultCount"),
      (#""meta":{"results_count":9}"#, "meta.results_count"),
      (#""numberMatched":9,"numberReturned":2"#, "numberMatched"),
      (#""total_entries":9"#, "total_entries"), (#""rowCount":9"#, "rowCount"),
      (#""num-found":"9""#, "num-found"), (#""totalItems":9"#, "totalItems"),
      (#""nbPages":5"#, "nbPages"), (#""count":9"#, "count"), (#""__count":"9""#, "__count"),
      (#""meta":{"hits":9}"#, "meta.hits"), (#""meta":{"count":9,"page":1}"#, "meta.count"),
      (#""meta":{"results":{"total":9}}"#, "meta.results.total"),
      (#""result_info":{"total_count":9}"#, "result_info.total_count"),
      (#""metadata":{"resultset":{"count":9}}"#, "metadata.resultset.count"),
      (#""searchInformation":{"totalResults":"9"}"#, "searchInformation.totalResults"),
      (#""range":{"total":9,"limit":2}"#, "range.total"),
      (#""@attr":{"total":"9"}"#, "@attr.total"),
      (#""opensearch:totalResults":"9""#, "opensearch:totalResults"),
    ])
  func totals(members: String, sign: String) throws {
    expectContinuation(at: sign) {
      try PageSample(response: #"{"items":[{},{}],\#(members)}"#).page(.auto)
    }
    // All of them on the page.
    let whole = members.replacing("9", with: "2").replacing("5", with: "1")
    let page = try PageSample(response: #"{"items":[{},{}],\#(whole)}"#).page(.auto)
    #expect(page.next == nil)
    // Later in the list, and with a style that is named, a total does not matter.
    let sample = PageSample(
      "https://a.org/items?page=5", response: #"{"items":[{},{}],\#(members)}"#)
    #expect(try sample.page(.auto).next == nil)
    let named = PageSample(response: #"{"items":[{},{}],\#(members)}"#)
    #expect(throws: Never.self) { try named.page(.linkHeader) }
  }

  @Test("What the items are called may be part of the name of their total")
  func nouns() throws {
    for (array, total) in [
      ("releases", "release-count"), ("articles", "totalArticles"), ("entities", "numEntities"),
      ("matches", "match_count"),
    ] {
      expectContinuation(at: total, "\(total)") {
        try PageSample(response: #"{"\#(array)":[{}],"\#(total)":7}"#).page(.auto)
      }
    }
    let enclosed = #"{"webPages":{"totalEstimatedMatches":7,"value":[{}]},"mainline":{"a":1}}"#
    expectContinuation(at: "webPages.totalEstimatedMatches") {
      try PageSample(response: enclosed).page(.auto)
    }
  }

  @Test(
    "A member whose name speaks of more is no complete list",
    arguments: [
      (#""next_page_params":{"block":5}"#, "next_page_params"), (#""next_openid":"o"#, ""),
      (#""scroll_param":"69"#, ""), (#""query-continue":{"pages":{"from":"B"}}"#, "query-continue"),
      (#""search-continue":10"#, "search-continue"),
      (#""have_more_results":true"#, "have_more_results"), (#""has_more":"Y"#, ""),
      (#""page":1,"has_additional":true"#, "has_additional"),
      (#""resultTruncated":"true"#, ""), (#""items_truncated":true"#, "items_truncated"),
      (#""exceededTransferLimit":true"#, "exceededTransferLimit"),
      (#""properties":{"exceededTransferLimit":true},"hasMore":true"#, "hasMore"),
      (#""pending":15,"last_seq":10"#, "pending"), (#""remaining_count":3"#, "remaining_count"),
      (#""pagination":{"more_items_in_collection":true}"#, "pagination.more_items_in_collection"),
      (#""additional_data":{"next_cursor":"x"}"#, "additional_data.next_cursor"),
      (#""result_info":{"cursor":"x"}"#, "result_info.cursor"),
      (#""page_metadata":{"hasNext":true}"#, "page_metadata.hasNext"),
      (#""links":{"pages":{"next":"https://a.org/?page=2"}}"#, "links.pages.next"),
      (#""queries":{"nextPage":[{"start":11}]}"#, "queries.nextPage"),
      (#""recordsTotal":57,"recordsFiltered":9"#, "recordsFiltered"),
      (#""total":57,"filtered_total":9"#, "filtered_total"),
      (#""total":57,"filtered":true"#, "total"), (#""items_number":9"#, "items_number"),
      (#""done":0"#, "done"), (#""done":false,"failed":1"#, "done"),
      (#""remaining":9,"limit":2"#, "remaining"),
      (#""d":{"state":{"next_token":"x"}}"#, "d.state.next_token"),
      (
        #""related_links":[{"rel":"help","href":"/h"}],"d":{"state":{"next_token":"x"}}"#,
        "d.state.next_token"
      ),
    ])
  func more(members: String, sign: String) throws {
    // A shorter row: a string as the last value, at the member that it begins with.
    let text = sign.isEmpty ? members + "\"" : members
    let path = sign.isEmpty ? String(members.split(separator: "\"")[0]) : sign
    expectContinuation(at: path) {
      try PageSample(response: #"{"items":[{},{}],\#(text)}"#).page(.auto)
    }
  }

  @Test(
    "A member whose value is a URL is a link, and precedes a total",
    arguments: [
      (
        #""links":{"pages":{"next":"https://a.org/?page=2"}},"meta":{"total":9}"#,
        "links.pages.next"
      ),
      (#""navigation":{"next":{"url":"/r9?p=2"}}"#, "navigation.next"),
      (#""navigation":{"next":{"url":"/r9?p=2"}},"total":9"#, "navigation.next"),
      (#""pager":{"more":"/r9?p=2"},"total_pages":5"#, "pager.more"),
      (
        #""items@odata.count":9,"items@odata.nextLink":"/r9?$skip=2""#, "items@odata.nextLink"
      ),
      (#""nbHits":9,"navigation":{"next":"/r9?p=2"}"#, "navigation.next"),
    ])
  func links(members: String, path: String) throws {
    let sample = PageSample(response: #"{"items":[{},{}],\#(members)}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.description == path && error.continuation?.kind == .link)
    #expect(try sample.page(.nextURL(at: JSONPath(path))).next != nil)
  }

  @Test(
    "A token is none, and follows a total as before",
    arguments: [
      (#""navigation":{"next":"x7"}"#, "navigation.next", .token),
      (#""navigation":{"next":{"after":"x7"}}"#, "navigation.next", .token),
      (#""navigation":{"next":"x7"},"total":9"#, "total", .itemCount),
      (#""navigation":{"more_info":"https://a.org/docs"},"total":9"#, "total", .itemCount),
      (#""navigation":{"next":""},"total":9"#, "total", .itemCount),
      (#""navigation":{"next":"x7"},"nbHits":9"#, "nbHits", .itemCount),
    ] as [(String, String, PageError.Continuation.Kind)])
  func tokens(members: String, path: String, kind: PageError.Continuation.Kind) throws {
    let sample = PageSample(response: #"{"items":[{},{}],\#(members)}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.description == path && error.continuation?.kind == kind)
  }

  @Test(
    "A header field whose name speaks of more is no complete list",
    arguments: [
      ("X-Nomad-NextToken", "x/7"), ("X-Nomad-Nexttoken", "x/7"), ("x-nomad-nexttoken", "x/7"),
      ("x-nomadnexttoken", "x/7"), ("X-Api-Hasmore", "true"), ("opc-next-page", "AAA"),
      ("CB-AFTER", "100"),
      ("Next-Range", "id ]2..; max=2"), ("X-Total-Number-Of-Pages", "3"), ("X-Pages-Total", "3"),
      ("X-Items-Count", "9"), ("X-Records-Total", "9"), ("X-Pagination-Next", "2"),
      ("X-Pagination-Next-Cursor", "x"), ("X-Api-Next-Token", "x"), ("X-Api-Has-Next", "true"),
      ("X-Pagination", #"{"TotalCount":6,"CurrentPage":1,"TotalPages":3,"HasNext":true}"#),
      ("Pagination", #"{"currentPage":1,"itemsPerPage":2,"totalItems":6,"totalPages":3}"#),
      ("X-Pagination", #"{"TotalCount":6,"PageSize":2}"#),
      ("X-Pagination", #"{"nextPageLink":"https://a.org/?page=2","previousPageLink":""}"#),
    ])
  func fields(name: String, value: String) throws {
    let headers = HTTPHeaders([.init(name: name, value: value)])
    for response in ["[{},{}]", #"{"items":[{},{}]}"#] {
      let sample = PageSample(headers: headers, response: response)
      expectContinuation(at: name) { try sample.page(.auto) }
      #expect(try sample.page(.single).next == nil)
    }
  }

  @Test(
    "Header fields of other things are no hint, and an object there may be the end",
    arguments: [
      ("X-RateLimit-Remaining", "4999", false), ("X-Next-Retry-At", "1700000000", false),
      ("X-RateLimit-Next", "7", false), ("X-Rate-Limit-Total-Count", "5000", false),
      ("Retry-After", "7", false), ("x-next-cache-tags", "a", false), ("X-Cache-Hits", "9", false),
      ("X-Learn-More", "https://a.org/docs", false), ("X-Remaining-Items", "9", false),
      ("X-Items-Count", "2", false), ("X-Total-Size", "4096", false), ("CB-BEFORE", "1", false),
      ("X-Pagination", "{", false), ("X-Pagination", #"{"PageSize":2}"#, false),
      ("X-Pagination", #"{"TotalCount":2,"TotalPages":1,"HasNext":false}"#, true),
      ("X-Other", #"{"TotalCount":6,"HasNext":true}"#, false), ("X-Nomad-Index", "7", false),
      ("X-Context-Token", "a", false), ("X-Api-Nextupdate", "2030-01-01", false),
      ("X-Cache-Truncated", "true", false),
    ])
  func otherFields(name: String, value: String, isEnd: Bool) throws {
    let sample = PageSample(headers: .init([.init(name: name, value: value)]), response: "[{},{}]")
    #expect(try sample.page(.auto).presumedEnd == (isEnd ? nil : .bareArray))
  }

  @Test(
    "Numbers and names of other things are no hint",
    arguments: [
      #""page":1,"per_page":50"#, #""limit":1000,"max_items":500"#, #""page_number":7,"limit":9"#,
      #""size":20,"rows":20"#, #""_shards":{"total":5,"successful":5}"#,
      #""facets":{"count":99,"total":99}"#, #""aggregations":{"a":{"total":99}}"#,
      #""quota_remaining":299"#, #""rateLimit":{"remaining":4999,"next":"x","hasMore":true}"#,
      #""no_more":true"#, #""has_more_before":true"#, #""finished":3,"complete":0"#,
      #""pending":3,"completed":9,"failed":1"#, #""more_info":"https://a.org/docs""#,
      #""next_update":"2030-01-01","nextSyncToken":"x""#, #""totalAmount":99,"total_bytes":1234"#,
      #""followers":{"total":300},"user":{"repos_count":30,"next":"soon"}"#,
      #""request_params":{"per_page":50,"next":"x"}"#, #""took":12,"elapsed":40"#,
      #""next":null,"count":9"#, #""has_more":false,"cursor":"x","count":9"#,
      #""pagination":{"next_starting_after":"x","next_uri":null}"#,
      #""next_cursor":0,"next_cursor_str":"0""#, #""total":2,"nextCursorMark":"A2""#,
      #""paging":{"cursors":{"before":"a","after":"b"}}"#, #""found":true,"number":9"#,
      #""cursor":{"before":2588}"#, #""cursor":{"previous":"a","after":null}"#,
      #""cursor":{"limit":2,"before":"a"}"#, #""cursor":{"limit":2,"after":null,"before":null}"#,
      #""cursor":{"limit":2,"after":null,"before":"a","order":"newest"}"#, #""cursor":{"limit":2}"#,
      #""cursor":{"next":"","id":7}"#,
      #""has_more":0.0"#, #""has_more":false,"next_cursor":"x""#,
      #""isLast":true,"nextPageToken":0"#,
      #""end_of_stream":true,"next_token":"x""#,
      #""next":"None","next_cursor":"-1","nextOffset":-1"#,
      #""nextBuildNumber":7,"next_invoice":"x","continue_watching":true"#,
      #""item":5,"items_version":5"#, #""recordsTotal":57,"recordsFiltered":2"#,
      #""total":57,"filtered_total":2"#, #""count":57,"filteredCount":2"#,
      #""meta":{"total":57,"total_filtered":2}"#, #""item_number":5"#, #""row_num":5"#,
      #""done":0,"total":2"#, #""done":0,"pending":2"#, #""done":0,"failed":1"#,
      #""pending":3,"processed":9"#, #""pending":3,"in_progress":1"#,
      #""remaining":4999,"limit":5000,"reset":1700000000"#, #""remaining":99,"used":1"#,
      #""book":{"title":"x","page_count":320,"pages":320}"#, #""pages":320"#,
      #""order":{"id":7,"total":99,"size":3}"#, #""order":{"total":99,"size":3,"number":7}"#,
      #""order":{"state":"x","total_items":9,"page_size":3,"currency":"x","sum":1}"#,
      #""properties":{"name":"x","total":99,"size":3}"#, #""plan":{"limit_exceeded":true}"#,
      #""properties":{"exceededTransferLimit":false}"#,
      #""additional_info":true,"additionalData":{"a":1}"#, #""description_truncated":true"#,
      #""has_additional":false,"resultTruncated":"false""#, #""additional":7,"truncated_items":3"#,
      #""allow_additional":true,"additional_fee":true"#,
      #""comments":{"items":[],"total_count":50,"page_size":10}"#,
      #""start":"2024-01-01T00:00:00Z","end":"2024-12-31T23:59:59Z""#,
      #""start":"Berlin Hauptbahnhof 1","end":"Paris-Est""#, #""end":"t47409-4357353_219380_26""#,
      #""footer_links":[{"rel":"next steps","href":"/a"}]"#,
      #""pageViews":{"total":5000}"#, #""pageProps":{"total":5000}"#,
      #""attachments":[{"rel":"next steps","href":"/a"},{"name":"Next","rel":"x","href":"/b"}]"#,
    ])
  func noHints(members: String) throws {
    let page = try PageSample(response: #"{"items":[{},{}],\#(members)}"#).page(.auto)
    #expect(page.next == nil && page.items.count == 2)
  }

  @Test(
    "A page that nothing declares to be whole is marked",
    arguments: [
      ("[{},{}]", .bareArray), (#"{"items":[{},{}]}"#, .object),
      (#"{"status":"ok","data":{"list":[{},{}]}}"#, .object),
      (#"{"items":[{},{}],"count":2}"#, .object),
      (#"{"items":[{},{}],"count":9,"next":null}"#, .count(9, at: "count")),
      (#"{"items":[{},{}],"limit":2,"offset":0}"#, .object),
      (#"{"resultCount":2,"results":[{},{}]}"#, .object),
      (#"{"data":[{},{}],"meta":{"result_count":2}}"#, .object),
      ("[]", nil), (#"{"items":[]}"#, nil), (#"{"items":[{},{}],"next":null}"#, nil),
      (#"{"items":[{},{}],"total":2}"#, nil), (#"{"items":[{},{}],"nbHits":2}"#, nil),
      (#"{"items":[{},{}],"has_more":false}"#, nil), (#"{"items":[{},{}],"isLast":true}"#, nil),
      (#"{"items":[{},{}],"has_additional":false}"#, nil),
      (#"{"items":[{},{}],"links":{}}"#, nil),
      (#"{"items":[{},{}],"_links":{"self":{"href":"/"}}}"#, nil),
      (#"{"items":[{},{}],"items_links":[{"rel":"self","href":"/"}]}"#, nil),
      (#"{"items":[{},{}],"link":{"rel":"self","href":"/"}}"#, .object),
      (#"{"items":[{},{}],"link":[{"rel":"self","href":"/"}]}"#, nil),
      (
        #"{"results":{"size":4,"max-result":2,"result":[{},{}]},"link":{"href":"/","rel":"self"}}"#,
        .object
      ),
      (#"{"items":[{},{}],"related_links":[{"rel":"help","href":"/"}]}"#, .object),
      (#"{"data":[{},{}],"pagination":{}}"#, nil), (#"{"items":[{},{}],"limit":50}"#, nil),
      (#"{"items":[{},{}],"cursor":null}"#, nil),
      (#"{"items":[{},{}],"page":1,"total_pages":1}"#, nil),
      (#"{"@odata.context":"x","value":[{},{}]}"#, nil),
      (#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{},{}]}"#, nil),
    ] as [(String, PresumedEnd?)])
  func presumed(body: String, end: PresumedEnd?) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.presumedEnd == end)
    #expect(try PageSample(response: body).page(.single).presumedEnd == nil)
    #expect(
      try PageSample("https://a.org/?per_page=50", response: body).page(.auto).presumedEnd
        == ([.object, .bareArray].contains(end) ? nil : end))
    let linked = PageSample(headers: ["Link": "</items>; rel=first"], response: body)
    #expect(try linked.page(.auto).presumedEnd == nil)
  }

  @Test(
    "A round number of items may be the most that a server sends, whatever was requested",
    arguments: [
      (10, true), (20, true), (25, true), (30, true), (60, true), (200, true), (5, false),
      (9, false), (24, false), (199, false),
    ])
  func roundNumbers(count: Int, isMarked: Bool) throws {
    let items = Array(repeating: "{}", count: count).joined(separator: ",")
    func end(_ response: String) throws -> PresumedEnd? {
      try PageSample("https://a.org/search?limit=500", response: response).page(.auto).presumedEnd
    }
    #expect(try end("[\(items)]") == (isMarked ? .bareArray : nil))
    #expect(try end(#"{"rows":[\#(items)]}"#) == (isMarked ? .object : nil))
    let counted = #"{"resultCount":\#(count),"results":[\#(items)]}"#
    #expect(try end(counted) == (isMarked ? .object : nil))
    #expect(try end(#"{"total":\#(count),"results":[\#(items)]}"#) == nil)
  }

  @Test("Links to the first and the last page end no list of which more items are counted")
  func countBesideLinks() throws {
    let items = Array(repeating: "{}", count: 10).joined(separator: ",")
    let links = #""first":"/x?cursor=a","last":"/x?cursor=z""#
    expectContinuation(at: "count") {
      try PageSample(response: #"{"items":[\#(items)],"count":50,\#(links)}"#).page(.auto)
    }
    let end = try PageSample(response: #"{"items":[\#(items)],\#(links)}"#).page(.auto).presumedEnd
    #expect(end == nil)
  }

  @Test("What is presumed is logged")
  func logged() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      let (entries, entry) = AsyncStream<Service.LogEntry>.makeStream()
      fixture.service.configure(nil) { $0.log = { entry.yield($0) } }
      fixture.stub.on(.get, "/items", .json(#"{"items":[{"a":1}]}"#))
      let page = fixture.service.resource("items", decoder: .page(.auto))
      _ = try await page.load().value()
      entry.finish()
      var messages: [String] = []
      for await entry in entries where entry.category == .presumedEnd {
        messages.append(entry.message)
      }
      #expect(messages.count == 1)
      #expect(messages.first?.contains("PageStyle.single") == true)
    }
  }

  @Test(
    "The words of a name, however it is written",
    arguments: [
      ("nextPageToken", "next page token"), ("NEXT-page_token", "next page token"),
      ("HTTPStatus", "http status"), ("@odata.nextLink", "odata next link"), ("nbHits", "nb hits"),
      ("page2of", "page of"), ("", ""), ("__", ""), ("größe", "größe"), ("ID", "id"),
    ])
  func words(name: String, words: String) {
    #expect(name.words.joined(separator: " ") == words)
  }
}
