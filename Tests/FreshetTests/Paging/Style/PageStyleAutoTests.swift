import Testing

@testable import Freshet

/// What `auto` makes of well-known responses that name no URL.
@Suite("PageStyle: auto") struct PageStyleAutoTests {
  @Test("DynamoDB: a scan with a last key continues after it")
  func dynamoDB() throws {
    let response =
      #"{"Items":[{"p":{"B":"/+8AgA=="},"s":{"N":"1"}}],"Count":1,"ScannedCount":1,"LastEvaluatedKey":{"p":{"B":"/+8AgA=="},"s":{"N":"12345678901234567890123456789012345001"}}}"#
    let sample = PageSample(
      body: #"{"TableName":"t","Limit":1}"#,
      headers: ["Content-Type": "application/x-amz-json-1.0"], response: response)
    #expect(
      try sample.page(.auto).style
        == .cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey").items(at: "Items"))
    #expect(
      try sample.nextBody(.auto)
        == #"{"TableName":"t","Limit":1,"ExclusiveStartKey":{"p":{"B":"/+8AgA=="},"s":{"N":"12345678901234567890123456789012345001"}}}"#
    )
    expectContinuation(at: "LastEvaluatedKey") {
      try PageSample(body: "{}", response: response).page(.auto)
    }
  }

  @Test(
    "DynamoDB: each list continues after the last name or number that was evaluated",
    arguments: ["TableName", "BackupArn", "GlobalTableName"])
  func listsOfDynamoDB(name: String) throws {
    let sample = PageSample(
      body: #"{"Limit":1}"#, response: #"{"Names":["a"],"LastEvaluated\#(name)":"a"}"#)
    #expect(try sample.nextBody(.auto) == #"{"Limit":1,"ExclusiveStart\#(name)":"a"}"#)
    expectContinuation(at: "StreamDescription.LastEvaluatedShardId") {
      try PageSample(
        body: "{}",
        response: #"{"StreamDescription":{"Shards":[{"ShardId":"s"}],"LastEvaluatedShardId":"s"}}"#
      ).page(.auto)
    }
  }

  @Test("The time of the last evaluation of an alert does not continue a list")
  func lastEvaluation() throws {
    let response = #"{"items":[{"id":1}],"last_evaluated_at":"2026-11-26T18:00:00Z"}"#
    #expect(try PageSample(response: response).page(.auto).next == nil)
  }

  @Test(
    "An array of things is a list, also under a name that others have for an object beside it",
    arguments: ["Shards", "extensions", "page", "meta"])
  func listUnderNameOfObject(name: String) throws {
    let response = #"{"\#(name)":[{"id":1},{"id":2}],"nextPageToken":"x"}"#
    let token = PageStyle.token(at: "nextPageToken", query: "pageToken")
    for style in [PageStyle.auto, token] {
      let page = try PageSample(response: response).page(style)
      #expect(page.items.count == 2 && page.next != nil)
      // What was an empty page, and with it the end of the list.
      let last = try PageSample(response: response.replacing("\"x\"", with: "\"\"")).page(style)
      #expect(last.items.count == 2 && last.next == nil)
    }
    for others in ["[]", #"[{"id":2}]"#] {
      let body = #"{"\#(name)":\#(others),"orders":[{"id":1}]}"#
      #expect(try PageSample(response: body).page(.auto).style.itemsPath == "orders")
    }
    #expect(
      try PageSample(response: #"{"names":["a"],"\#(name)":{}}"#).page(.auto).items.count == 1)
  }

  @Test(
    "An array under a name of an object is not the list where there is another",
    arguments: [
      (#"{"data":{"items":[{"id":1}]},"meta":[{"page":1}]}"#, [#"{"id":1}"#]),
      (#"{"payload":{"users":[{"id":1}]},"meta":[{"page":1}]}"#, [#"{"id":1}"#]),
      (#"{"names":["a","b"],"meta":[{"page":1}]}"#, [#""a""#, #""b""#]),
      (#"{"orders":[],"meta":[{"page":1}]}"#, []), (#"{"meta":[{"a":1}],"total":0}"#, []),
    ])
  func listBesideArrayOfObjects(body: String, items: [String]) throws {
    #expect(try PageSample(response: body).page(.auto).texts == items)
  }

  @Test("A request that numbers the current page is continued where the response repeats that")
  func currentPage() throws {
    let response = #"{"items":[{"id":1}],"page_size":1,"current_page":1,"total_pages":3}"#
    let url = "https://a.org/?current_page="
    #expect(try PageSample(url + "1", response: response).next(.auto)?.url == url + "2")
    let error = #expect(throws: PageError.self) {
      try PageSample(url + "1", response: #"{"items":[{"id":1}],"total":3}"#).page(.auto)
    }
    #expect(error?.continuation?.counting == .pageNumber("current_page"))
  }

  @Test(
    "A link to a later last page has the style that counts up to it",
    arguments: [
      ("", "page[offset]=30&page[limit]=10", PageStyle.offset("page[offset]")),
      ("?page[offset]=10", "page[offset]=30", .offset("page[offset]")),
      ("", "p=3", .pageNumber("p")),
      ("?p=0", "p=3", .pageNumber("p", startingAt: 0)),
    ])
  func lastPage(query: String, last: String, style: PageStyle) {
    let url = "https://a.org/" + query
    for chosen in [PageStyle.auto, PageStyle.nextURL(at: "links.next").recognized()] {
      let error = #expect(throws: PageError.self) {
        try PageSample(url, response: #"{"data":[{"id":1}],"links":{"last":"/?\#(last)"}}"#)
          .page(chosen)
      }
      #expect(error?.continuation?.description == "links.last")
      #expect(error?.continuation?.counting == style)
    }
    let header = #expect(throws: PageError.self) {
      try PageSample(
        url, headers: ["Link": .init(#"</?\#(last)>; rel="last""#)], response: "[1]"
      ).page(.auto)
    }
    #expect(header?.continuation?.counting == style)
  }

  @Test("A link to a later last page is no sign of more where it is after the end")
  func lastPageAfterEnd() throws {
    func page(_ members: String, last: String, _ style: PageStyle) throws -> Page<JSONText> {
      try PageSample(
        "https://a.org/?page[offset]=29",
        response: #"{"data":[{"id":1}],"links":{"last":"/?\#(last)"\#(members)}"#
      ).page(style)
    }
    for style in [PageStyle.auto, PageStyle.nextURL(at: "links.next").recognized()] {
      let offset = "page[offset]=30"
      #expect(try page(#"},"meta":{"total":30}"#, last: offset, style).next == nil)
      #expect(try page(#","next":null}"#, last: offset, style).next == nil)
      #expect(try page(#","next":null}"#, last: "page=2", style).next == nil)
      #expect(throws: PageError.self) { try page(#"},"meta":{"total":31}"#, last: offset, style) }
      #expect(throws: PageError.self) { try page(#"},"meta":{"total":2}"#, last: "page=2", style) }
    }
  }

  @Test("CloudKit: the continuation marker joins the same query")
  func cloudKit() throws {
    let sample = PageSample(
      body: #"{"query":{"recordType":"Note"},"resultsLimit":1}"#,
      response: #"{"records":[{"recordName":"a"}],"continuationMarker":"AQ%2F+="}"#)
    #expect(
      try sample.nextBody(.auto)
        == #"{"query":{"recordType":"Note"},"resultsLimit":1,"continuationMarker":"AQ%2F+="}"#)
  }

  @Test("Elasticsearch: a sorted search continues after the last hit, an unsorted one cannot")
  func elasticsearch() throws {
    let response =
      #"{"took":1,"hits":{"total":{"value":9,"relation":"eq"},"hits":[{"_id":"1","sort":[9007199254740993,"b"]}]}}"#
    #expect(
      try PageSample(body: #"{"sort":["t"],"size":1}"#, response: response).nextBody(.auto)
        == #"{"sort":["t"],"size":1,"search_after":[9007199254740993,"b"]}"#)
    expectContinuation(at: "hits.total.value") {
      try PageSample(body: #"{"size":1}"#, response: response).page(.auto)
    }
    #expect(
      try PageSample(body: #"{"from":8,"sort":["t"],"size":1}"#, response: response).page(.auto)
        .next
        == nil)
  }

  @Test(
    "Elasticsearch: a search continues after the last hit only where no other hit has its position",
    arguments: [
      (#"[{"date":"desc"}]"#, "[5]", false), (#""date""#, "[5]", false),
      (#"["date","user_id"]"#, "[5,7]", false), (#"["_doc"]"#, "[5]", false),
      (#"[{"date":"desc"},{"_id":"asc"}]"#, #"[5,"x"]"#, true), (#""id""#, "[5]", true),
      (#"["date",{"uuid.keyword":{"order":"asc"}}]"#, #"[5,"x"]"#, true),
      (#"["date","tie_breaker_id"]"#, "[5,7]", true), (#"["date","_shard_doc"]"#, "[5,7]", true),
      // At a point in time the server adds a value.
      (#"[{"date":"desc"}]"#, "[5,7]", true),
    ])
  func sharedPositions(sort: String, values: String, isRecognized: Bool) throws {
    func sample(_ size: Int, _ total: String) -> PageSample {
      PageSample(
        body: #"{"size":\#(size),"sort":\#(sort)}"#,
        response: #"{"hits":{\#(total)"hits":[{"_id":"1","sort":\#(values)}]}}"#)
    }
    for total in ["", #""total":{"value":9,"relation":"eq"},"#] {
      if isRecognized {
        #expect(
          try sample(1, total).nextBody(.auto)
            == #"{"size":1,"sort":\#(sort),"search_after":\#(values)}"#)
      } else {
        expectContinuation(at: "hits.hits.-1.sort") { try sample(1, total).page(.auto) }
      }
    }
    // Without more hits, any search ends.
    guard !isRecognized else { return }
    #expect(try sample(1, #""total":{"value":1,"relation":"eq"},"#).page(.auto).next == nil)
    #expect(try sample(5, "").page(.auto).next == nil)
  }

  @Test(
    "Elasticsearch: a search has more hits where it has as many as were requested, or 10",
    arguments: [("", 4, false), ("", 10, true), ("?size=4", 4, true), ("?size=20", 10, false)])
  func requestedHits(query: String, count: Int, hasMore: Bool) throws {
    let hits = Array(repeating: #"{"_id":"1","sort":[5]}"#, count: count).joined(separator: ",")
    let sample = PageSample(
      "https://api.example.com/_search\(query)",
      body: #"{"sort":[{"date":"desc"}],"track_total_hits":false}"#,
      response: #"{"hits":{"hits":[\#(hits)]}}"#)
    if hasMore {
      expectContinuation(at: "hits.hits.-1.sort") { try sample.page(.auto) }
    } else {
      #expect(try sample.page(.auto).next == nil)
    }
  }

  @Test("GraphQL: endCursor goes into the variable that the query's only after argument names")
  func graphQL() throws {
    func sample(_ query: String) -> PageSample {
      PageSample(
        body: #"{"query":"\#(query)"}"#,
        response:
          #"{"data":{"viewer":{"issues":{"edges":[{"node":{"id":"a"}}],"pageInfo":{"hasNextPage":true,"endCursor":"Y3Vyc29yOnYyOpK5=="}}}}}"#
      )
    }
    let query = "query($c: String) { viewer { issues(first: 1, after: $c) { … } } }"
    #expect(
      try sample(query).page(.auto).style
        == .cursor(
          at: "data.viewer.issues.pageInfo.endCursor", bodyKey: "variables.c",
          more: "data.viewer.issues.pageInfo.hasNextPage"
        ).items(at: "data.viewer.issues.edges"))
    #expect(
      try sample(query).nextBody(.auto)
        == #"{"query":"\#(query)","variables":{"c":"Y3Vyc29yOnYyOpK5=="}}"#)
    for query in ["{ viewer { … } }", "{ a(after: $a) b(after: $b) }"] {
      expectContinuation(at: "data.viewer.issues.pageInfo.hasNextPage") {
        try sample(query).page(.auto)
      }
    }
  }

  @Test("Slack and Notion: a cursor in the parameter or the member of the request")
  func slackAndNotion() throws {
    let slack = PageSample(
      response:
        #"{"ok":true,"channels":[{"id":"C1"}],"response_metadata":{"next_cursor":"dXNlcjpVMDYx="}}"#
    )
    #expect(try slack.next(.auto)?.url == "https://api.example.com/items?cursor=dXNlcjpVMDYx%3D")
    let last = PageSample(
      response: #"{"ok":true,"channels":[{"id":"C1"}],"response_metadata":{"next_cursor":""}}"#)
    #expect(try last.page(.auto).next == nil)
    let notion =
      #"{"object":"list","results":[{"id":"1"}],"next_cursor":"fe2cc560-036c","has_more":true,"type":"page","page":{}}"#
    #expect(
      try PageSample(response: notion).next(.auto)?.url
        == "https://api.example.com/items?start_cursor=fe2cc560-036c")
    #expect(
      try PageSample(body: #"{"page_size":1}"#, response: notion).nextBody(.auto)
        == #"{"page_size":1,"start_cursor":"fe2cc560-036c"}"#)
  }

  @Test("GitLab without Link: the number in X-Next-Page goes into the parameter page")
  func gitLab() throws {
    func sample(_ number: String, _ next: String) -> PageSample {
      PageSample(
        "https://gitlab.example.com/api/v4/projects?per_page=2",
        headers: ["X-Page": .init(number), "X-Next-Page": .init(next)], response: "[{}]")
    }
    let page = try sample("1", "2").page(.auto)
    #expect(page.style == .token(inHeader: "X-Next-Page", query: "page").items(at: .root))
    #expect(page.next == PageLink(.query("page", "2")))
    #expect(try sample("3", "").page(page.style).next == nil)
    expectContinuation(at: "X-Next-Page") {
      try sample("1", "7").page(.auto)
    }
  }

  @Test("Numbers that the request sent and the response repeats count on")
  func numbers() throws {
    let response = #"{"items":[{}],"page":1,"per_page":1,"total_pages":3}"#
    let style = PageStyle.pageNumber("page", totalPageCount: "total_pages").items(at: "items")
    #expect(try PageSample("https://a.org/?page=1", response: response).page(.auto).style == style)
    expectContinuation(at: "total_pages") {
      try PageSample("https://a.org/", response: response).page(.auto)
    }
    let spring = PageSample(
      "https://a.org/?page=1&size=1",
      response: #"{"content":[{}],"number":1,"totalPages":2,"last":true,"totalElements":2}"#)
    #expect(
      try spring.page(.auto).style
        == .pageNumber("page", startingAt: 0, totalPageCount: "totalPages").items(at: "content"))
    #expect(try spring.page(.auto).next == nil)
    let skip = PageSample(
      "https://a.org/?skip=2&limit=1", response: #"{"products":[{}],"total":9,"skip":2,"limit":1}"#)
    #expect(try skip.next(.auto)?.url == "https://a.org/?skip=3&limit=1")
    let whole = PageSample(
      "https://a.org/?skip=2", response: #"{"products":[{}],"total":3,"skip":2,"limit":1}"#)
    #expect(try whole.page(.auto).next == nil)
  }

  @Test("Open Food Facts: a page_count that is the number of items on the page ends no list")
  func countOfPage() throws {
    func sample(_ query: String, count: Int) -> PageSample {
      PageSample(
        "https://a.org/search" + query,
        response:
          #"{"count":\#(count),"page":1,"page_count":2,"page_size":2,"products":[{},{}],"skip":0}"#)
    }
    for query in ["", "?page=1&page_size=2"] {
      expectContinuation(at: "count") { try sample(query, count: 27).page(.auto) }
      #expect(try sample(query, count: 27).page(.pageNumber("page")).countedPages == nil)
    }
    // That may be the number of pages.
    let numbered = try sample("?page=1", count: 4).page(.auto)
    #expect(numbered.next == PageLink(.query("page", "2")) && numbered.countedPages == 2)
    expectContinuation(at: "page_count") { try sample("", count: 4).page(.auto) }
  }

  @Test("The number of the next page beside that of this one goes into the parameter page")
  func nextNumber() throws {
    func sample(_ url: String, next: String) -> PageSample {
      PageSample(
        url,
        response: #"{"posts":[{}],"meta":{"current_page":1,"next_page":\#(next),"total_pages":2}}"#)
    }
    #expect(
      try sample("https://a.org/posts?q=x", next: "2").next(.auto)?.url
        == "https://a.org/posts?q=x&page=2")
    expectContinuation(at: "meta.next_page") {
      try sample("https://a.org/posts?page=4", next: "2").page(.auto)
    }
  }

  @Test(
    "A total above the number of items on the only page is an error, unless the request starts later",
    arguments: [
      ("https://a.org/items?per_page=2", true), ("https://a.org/items?start=4", false),
      ("https://a.org/items?p=3", false), ("https://a.org/items?created_after=2020", false),
    ])
  func surplus(url: String, fails: Bool) throws {
    let sample = PageSample(url, response: #"{"items":[{},{}],"total":6}"#)
    if fails {
      expectContinuation(at: "total") { try sample.page(.auto) }
    } else {
      #expect(try sample.page(.auto).next == nil)
    }
    let end = PageSample(
      url, headers: ["X-Total": "6", "Link": "</items>; rel=first"], response: "[{},{}]")
    #expect(try end.page(.auto).next == nil)
  }

  @Test(
    "A total above the number of items is none where the link to the next page is null",
    arguments: [
      #""next":null"#, #""next_page_url":null"#, #""links":{"next":null}"#, #""nextPage":null"#,
      #""_links":{"self":{"href":"/a"},"next":{"href":null}}"#, #""paging":{"next":null}"#,
      #""@odata.nextLink":null"#,
    ])
  func endedSurplus(member: String) throws {
    let counted = PageSample(
      headers: ["X-Total": "6"], response: #"{"items":[{},{}],\#(member),"total":6,"pages":3}"#)
    let page = try counted.page(.auto)
    #expect(page.next == nil && page.totalCount == 6)
    // Under a name that only hints at a total there is a note.
    let hinted = PageSample(response: #"{"items":[{},{}],\#(member),"nbHits":6}"#)
    #expect(try hinted.page(.auto).presumedEnd == .count(6, at: "nbHits"))
    let more = PageSample(response: #"{"items":[{},{}],\#(member),"has_more":true,"total":6}"#)
    expectContinuation(at: "has_more") { try more.page(.auto) }
  }

  @Test("STAC and FHIR: a link of that relation in an array of links")
  func linkArrays() throws {
    let stac = PageSample(
      headers: ["Content-Type": "application/geo+json"],
      response:
        #"{"type":"FeatureCollection","features":[{"id":"a"}],"links":[{"rel":"self","href":"/s"},{"rel":"next","href":"/items?token=next:a%2Fb"},{"rel":"prev","href":"/p"}]}"#
    )
    #expect(try stac.page(.auto).style == .nextURL(at: "links.next").items(at: "features"))
    #expect(try stac.page(.auto).previous == PageLink(.follow("/p")))
    #expect(try stac.next(.auto)?.url == "https://api.example.com/items?token=next:a%2Fb")
    let fhir = PageSample(
      headers: ["Content-Type": "application/fhir+json"],
      response:
        #"{"resourceType":"Bundle","total":9,"link":[{"relation":"self","url":"/a"},{"relation":"next","url":"https://api.example.com/fhir?_getpages=1"}],"entry":[{"resource":{}}]}"#
    )
    #expect(try fhir.next(.auto)?.url == "https://api.example.com/fhir?_getpages=1")
    #expect(try PageSample(response: #"{"links":[],"features":[]}"#).page(.auto).next == nil)
  }

  @Test("FHIR: a bundle without entries is an empty page", arguments: ["searchset", "history"])
  func emptyBundles(type: String) throws {
    func sample(_ members: String) -> PageSample {
      PageSample(response: #"{"resourceType":"Bundle","type":"\#(type)",\#(members)}"#)
    }
    let next = #""link":[{"relation":"next","url":"/b"}]"#
    let first = sample(next + #","entry":[{}]"#)
    let named = PageStyle.nextURL(at: "link.next").items(at: "entry")
    for style in [.auto, named, try first.page(.auto).style] {
      let page = try sample(next).page(style)
      #expect(page.items.isEmpty && page.next == PageLink(.follow("/b")))
      let last = try sample(#""link":[{"relation":"self","url":"/a"}]"#).page(style)
      #expect(last.items.isEmpty && last.next == nil)
    }
    // Where there are entries, a wrong path is an error.
    #expect(throws: PageError.noItems(at: "entries", nil)) {
      try first.page(named.items(at: "entries"))
    }
    let other = PageSample(response: #"{"resourceType":"Bundle","type":"batch-response"}"#)
    #expect(throws: PageError.noItems(at: nil, nil)) { try other.page(.auto) }
  }

  @Test(
    "Relations are compared without case and separators, and may end with page",
    arguments: [
      #"[{"rel":"nextPage","href":"/b"},{"rel":"lastPage","href":"/z"}]"#,
      #"[{"rel":"Next","href":"/b"}]"#, #"[{"rel":"next-page","href":"/b"}]"#,
      #"[{"rel":"nextPage","href":"/c"},{"rel":"next","href":"/b"}]"#,
      #"[{"rel":["self","NEXT"],"href":"/b"}]"#, #"{"rel":"next","href":"/b"}"#,
    ])
  func relations(links: String) throws {
    let page = try PageSample(response: #"{"items":[{}],"links":\#(links)}"#).page(.auto)
    #expect(page.style == .nextURL(at: "links.next").items(at: "items"))
    #expect(page.next == PageLink(.follow("/b")))
    let last = #"{"items":[{}],"links":[{"rel":"previousPage","href":"/a"}]}"#
    let end = try PageSample(response: last).page(page.style)
    #expect(end.next == nil && end.previous == PageLink(.follow("/a")))
  }

  @Test(
    "A link that may be the next one by another member is no end",
    arguments: [
      (#"[{"@rel":"next","@href":"/b"}]"#, "links.next"),
      (#"[{"type":"self","href":"/a"},{"type":"next","href":"/b"}]"#, "links.next"),
      (#"[{"name":"next","url":"/b"}]"#, "links.next"),
      (#"{"@rel":"next","@href":"/b"}"#, "links.next"),
      (
        #"[{"url":null,"label":"&laquo; Previous"},{"label":"Next &raquo;","url":"/b"}]"#, "links.1"
      ),
      (#"[{"rel":"next","target":"https://a.org/b"}]"#, "links.0"),
    ])
  func likelyLinks(links: String, sign: String) throws {
    let sample = PageSample(response: #"{"items":[{}],"links":\#(links)}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.description == sign)
    guard error.continuation?.kind == .link else { return }
    // The style that is suggested.
    #expect(try sample.page(.nextURL(at: "links.next")).next == PageLink(.follow("/b")))
  }

  @Test(
    "Other links, and those without a target, are the end",
    arguments: [
      #"[{"rel":"self"}]"#, #"[{"rel":"self","href":"/a"}]"#, "[]",
      #"[{"rel":"next","href":null}]"#,
      #"[{"rel":"next","href":""}]"#, #"[{"label":"Next &raquo;","url":null,"active":false}]"#,
      #"[{"name":"Nextcloud and other servers","url":"/b"}]"#, #"{"self":{"href":"/a"}}"#,
      #"[{"rel":"self","type":"application/json","href":"/a"}]"#, #"{"rel":"self","href":"/a"}"#,
    ])
  func otherLinks(links: String) throws {
    let page = try PageSample(response: #"{"items":[{}],"links":\#(links)}"#).page(.auto)
    #expect(page.next == nil && page.presumedEnd == nil)
  }

  @Test(
    "What is no link on the first page is the end on the last one",
    arguments: ["false", #""null""#, #""None""#, #""""#, "0", "-1", "null", "[]", "{}"],
    ["next", "next_url", "links"])
  func ends(value: String, name: String) throws {
    func sample(_ value: String) -> PageSample {
      let next = name == "links" ? #"{"next":\#(value)}"# : value
      return PageSample(response: #"{"items":[{}],"\#(name)":\#(next)}"#)
    }
    #expect(try sample(value).page(.auto).next == nil)
    let first = try sample(#""/2""#).page(.auto)
    let second = try sample(#""/3""#).page(first.style)
    #expect(first.next == PageLink(.follow("/2")) && second.next == PageLink(.follow("/3")))
    let last = try sample(value).page(second.style)
    #expect(last.next == nil && last.items.count == 1)
    // What may be a link, or leads to more, is no end.
    for value in ["true", "5", #"{"after":"x"}"#] {
      #expect(throws: PageError.self) { try sample(value).page(second.style) }
    }
  }

  @Test(
    "What is no token on the first page is the end on the last one, but for a 0, to which positions may be counted down",
    arguments: [
      "false", #""null""#, #""None""#, #""nil""#, #""""#, #""-1""#, "-1", "null", "[]", "{}",
    ])
  func endsOfTokens(value: String) throws {
    func sample(_ value: String) -> PageSample {
      PageSample(response: #"{"items":[{}],"nextPageToken":\#(value)}"#)
    }
    #expect(try sample(value).page(.auto).next == nil)
    let first = try sample(#""a""#).page(.auto)
    #expect(first.next == PageLink(.query("pageToken", "a")))
    let last = try sample(value).page(first.style)
    #expect(last.next == nil && last.items.count == 1)
    for (value, token) in [("0", "0"), (#""0""#, "0"), ("7", "7")] {
      #expect(try sample(value).page(first.style).next == PageLink(.query("pageToken", token)))
    }
    #expect(throws: PageError.self) { try sample("true").page(first.style) }
    // A style that was named sends what the server says.
    let named = PageStyle.token(at: "nextPageToken", query: "pageToken")
    let literal = try? sample(#""None""#).page(named).next
    #expect(literal == PageLink(.query("pageToken", "None")))
    // With an empty page, as CouchDB's "nil" is, that would begin again.
    let empty = PageSample(response: #"{"items":[],"nextPageToken":\#(value)}"#)
    if value.hasPrefix("\"") { #expect(try empty.page(named).next == nil) }
  }

  @Test(
    "What is no URL or number in a header field of the first page is the end in that of the last one",
    arguments: ["", "0", "-1", "-", "null", "None", "false"])
  func endsOfFields(value: String) throws {
    func sample(_ name: String, _ value: String, number: Int) -> PageSample {
      PageSample(headers: ["X-Page": .init(number), name: value], response: "[{}]")
    }
    let styles: [(name: String, next: String, link: PageLink, chosen: PageStyle)] = [
      ("Next-Page", "/2", PageLink(.follow("/2")), .header("Next-Page")),
      (
        "X-Next-Page", "2", PageLink(.query("page", "2")),
        .token(inHeader: "X-Next-Page", query: "page")
      ),
    ]
    for (name, next, link, chosen) in styles {
      #expect(try sample(name, value, number: 1).page(.auto).next == nil, "\(name)")
      let first = try sample(name, next, number: 1).page(.auto)
      #expect(first.next == link && first.style == chosen.items(at: .root), "\(name)")
      let last = try sample(name, value, number: 2).page(first.style)
      #expect(last.next == nil && last.items.count == 1, "\(name)")
      // A style that was named follows what the server says.
      #expect(try (sample(name, value, number: 2).page(chosen).next == nil) == value.isEmpty)
    }
  }
}
