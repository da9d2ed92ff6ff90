import Testing

@testable import Freshet

/// What `auto` makes of one page of the APIs that people walk, and of the same page as the last one.
@Suite("PageStyle.auto: responses of known servers", .standardTimeLimit)
struct PageStyleServerTests {
  /// A page with more after it, and its last form.
  struct Server: Sendable, CustomTestStringConvertible {
    var name: String
    var url = "https://api.example.com/items"
    var more: String
    /// The next request's URL; nil where it cannot be known from the response.
    var next: String?
    /// Where the response says that there is more, if the next request is unknown.
    var sign: String?
    /// The last page; nil for a server whose last page looks like any other, or that ends with an empty one.
    var last: String?

    var testDescription: String { name }
  }

  static let servers = [
    Server(
      name: "OData 2",
      more: #"{"d":{"results":[{"a":1}],"__next":"https://api.example.com/items?$skiptoken=2"}}"#,
      next: "https://api.example.com/items?$skiptoken=2", last: #"{"d":{"results":[{"a":1}]}}"#),
    Server(
      name: "Salesforce",
      more: #"{"totalSize":9,"done":false,"nextRecordsUrl":"/q/01g-2","records":[{"Id":"1"}]}"#,
      next: "https://api.example.com/q/01g-2",
      last: #"{"totalSize":1,"done":true,"records":[{"Id":"1"}]}"#),
    Server(
      name: "Paddle",
      more:
        #"{"data":[{"id":"pro_1"}],"meta":{"request_id":"f0","pagination":{"per_page":1,"next":"https://api.example.com/items?after=pro_1","has_more":true,"estimated_total":2}}}"#,
      next: "https://api.example.com/items?after=pro_1",
      last:
        #"{"data":[],"meta":{"request_id":"f1","pagination":{"per_page":1,"next":"https://api.example.com/items?after=pro_2","has_more":false,"estimated_total":0}}}"#
    ),
    Server(
      name: "Zendesk's time-based exports",
      more:
        #"{"tickets":[{"id":1}],"count":1,"end_of_stream":false,"end_time":1390362485,"next_page":"https://api.example.com/items?start_time=1390362485"}"#,
      next: "https://api.example.com/items?start_time=1390362485",
      last:
        #"{"tickets":[],"count":0,"end_of_stream":true,"end_time":1390362485,"next_page":"https://api.example.com/items?start_time=1390362485"}"#
    ),
    Server(
      name: "Kubernetes",
      more:
        #"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"eyJ2","remainingItemCount":9},"items":[{"a":1}]}"#,
      next: "https://api.example.com/items?continue=eyJ2",
      last:
        #"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"a":1}]}"#
    ),
    Server(
      name: "FHIR",
      more:
        #"{"resourceType":"Bundle","type":"searchset","link":[{"relation":"self","url":"https://api.example.com/items"},{"relation":"next","url":"https://api.example.com/items?_getpages=1"}],"entry":[{"resource":{"id":"1"}}]}"#,
      next: "https://api.example.com/items?_getpages=1",
      last:
        #"{"resourceType":"Bundle","type":"searchset","link":[{"relation":"self","url":"https://api.example.com/items"}]}"#
    ),
    Server(
      name: "Confluence", url: "https://x.atlassian.net/wiki/rest/api/content",
      more:
        #"{"results":[{"id":"1"}],"start":0,"limit":1,"size":1,"_links":{"base":"https://x.atlassian.net/wiki","context":"/wiki","next":"/rest/api/content?limit=1&start=1","self":"https://x.atlassian.net/wiki/rest/api/content"}}"#,
      next: "https://x.atlassian.net/wiki/rest/api/content?limit=1&start=1",
      last:
        #"{"results":[{"id":"2"}],"start":1,"limit":1,"size":1,"_links":{"base":"https://x.atlassian.net/wiki","context":"/wiki","prev":"/rest/api/content?limit=1&start=0"}}"#
    ),
    Server(
      name: "Redfish",
      more:
        #"{"@odata.id":"/redfish/v1/Systems","Members":[{"@odata.id":"/redfish/v1/Systems/1"}],"Members@odata.count":2,"Members@odata.nextLink":"/redfish/v1/Systems?$skip=1"}"#,
      sign: "Members@odata.nextLink",
      last:
        #"{"@odata.id":"/redfish/v1/Systems","Members":[{"@odata.id":"/redfish/v1/Systems/1"}],"Members@odata.count":1}"#
    ),
    Server(
      name: "Reddit",
      more: #"{"kind":"Listing","data":{"after":"t3_x","before":null,"children":[{"kind":"t3"}]}}"#,
      next: "https://api.example.com/items?after=t3_x",
      last: #"{"kind":"Listing","data":{"after":null,"before":"t3_x","children":[{"kind":"t3"}]}}"#),
    Server(
      name: "Airtable",
      more:
        #"{"records":[{"id":"rec1","createdTime":"2020-01-01T00:00:00.000Z","fields":{}}],"offset":"itr1/rec1"}"#,
      next: "https://api.example.com/items?offset=itr1%2Frec1",
      last:
        #"{"records":[{"id":"rec1","createdTime":"2020-01-01T00:00:00.000Z","fields":{}}]}"#),
    Server(
      name: "Jira",
      more: #"{"startAt":0,"maxResults":1,"total":2,"issues":[{"id":"1"}]}"#,
      next: "https://api.example.com/items?startAt=1"),
    Server(
      name: "Jira without a total",
      more: #"{"startAt":0,"maxResults":1,"isLast":false,"values":[{"id":"1"}]}"#, sign: "isLast",
      last: #"{"startAt":0,"maxResults":1,"isLast":true,"values":[{"id":"1"}]}"#),
    Server(
      name: "MediaWiki",
      more:
        #"{"continue":{"apcontinue":"B","continue":"-||"},"query":{"allpages":[{"pageid":1}]}}"#,
      sign: "continue", last: #"{"batchcomplete":"","query":{"allpages":[{"pageid":1}]}}"#),
    Server(
      name: "HubSpot",
      more: #"{"results":[{"id":"1"}],"paging":{"next":{"after":"2","link":"/items?after=2"}}}"#,
      next: "https://api.example.com/items?after=2", last: #"{"results":[{"id":"1"}]}"#),
    Server(
      name: "HAL with several links",
      more: #"{"_embedded":{"rows":[{"a":1}]},"_links":{"next":[{"href":"?page=2"}]}}"#,
      next: "https://api.example.com/items?page=2",
      last: #"{"_embedded":{"rows":[{"a":1}]},"_links":{"self":[{"href":"?page=1"}]}}"#),
    Server(
      name: "Links with uri",
      more: #"{"items":[{"a":1}],"links":[{"rel":"self","uri":"/x"},{"rel":"next","uri":"/y"}]}"#,
      next: "https://api.example.com/y",
      last: #"{"items":[{"a":1}],"links":[{"rel":"self","uri":"/x"}]}"#),
    Server(
      name: "Siren",
      more:
        #"{"class":["x"],"entities":[{"a":1}],"links":[{"rel":["self"],"href":"/x"},{"rel":["next"],"href":"/y"}]}"#,
      next: "https://api.example.com/y",
      last: #"{"class":["x"],"entities":[{"a":1}],"links":[{"rel":["self"],"href":"/x"}]}"#),
    Server(
      name: "Collection+JSON",
      more:
        #"{"collection":{"version":"1.0","items":[{"a":1}],"links":[{"rel":"next","href":"/y"}]}}"#,
      next: "https://api.example.com/y",
      last: #"{"collection":{"version":"1.0","items":[{"a":1}],"links":[]}}"#),
    Server(
      name: "JSend",
      more: #"{"status":"success","data":{"posts":[{"a":1}],"next_url":"/y","total":9}}"#,
      next: "https://api.example.com/y",
      last: #"{"status":"success","data":{"posts":[{"a":1}],"next_url":null,"total":1}}"#),
    Server(
      name: "Hydra",
      more:
        #"{"hydra:member":[{"a":1}],"hydra:totalItems":9,"hydra:view":{"@id":"/x","hydra:next":"/y"}}"#,
      next: "https://api.example.com/y",
      last: #"{"hydra:member":[{"a":1}],"hydra:totalItems":1,"hydra:view":{"@id":"/x"}}"#),
    Server(
      name: "Twitch", more: #"{"data":[{"id":"1"}],"pagination":{"cursor":"eyJi"}}"#,
      sign: "pagination.cursor", last: #"{"data":[{"id":"1"}],"pagination":{}}"#),
    Server(
      name: "Square", more: #"{"objects":[{"id":"1"}],"cursor":"CAA"}"#, sign: "cursor",
      last: #"{"objects":[{"id":"1"}]}"#),
    Server(
      name: "Dropbox", more: #"{"entries":[{"id":"1"}],"cursor":"ZtkX","has_more":true}"#,
      sign: "cursor", last: #"{"entries":[{"id":"1"}],"cursor":"ZtkX","has_more":false}"#),
    Server(
      name: "Pinterest", more: #"{"items":[{"id":"1"}],"bookmark":"LTE="}"#, sign: "bookmark",
      last: #"{"items":[{"id":"1"}],"bookmark":null}"#),
    Server(
      name: "Scrolling", more: #"{"_scroll_id":"DXF1","hits":{"hits":[{"_id":"1"}]}}"#,
      sign: "_scroll_id"),
    Server(
      name: "Matrix", more: #"{"chunk":[{"id":"1"}],"start":"t1","next_batch":"t2"}"#,
      sign: "next_batch", last: #"{"chunk":[{"id":"1"}],"start":"t1"}"#),
    Server(
      name: "Instagram", more: #"{"items":[{"id":"1"}],"next_max_id":"17_2"}"#,
      sign: "next_max_id", last: #"{"items":[{"id":"1"}]}"#),
    Server(
      name: "CloudWatch Logs", more: #"{"events":[{"a":1}],"nextForwardToken":"f/1"}"#,
      sign: "nextForwardToken"),
    Server(
      name: "More of them", more: #"{"items":[{"id":"1"}],"more":true}"#, sign: "more",
      last: #"{"items":[{"id":"1"}],"more":false}"#),
    Server(
      name: "GitHub's trees", more: #"{"sha":"9f","tree":[{"path":"a"}],"truncated":true}"#,
      sign: "truncated", last: #"{"sha":"9f","tree":[{"path":"a"}],"truncated":false}"#),
    Server(
      name: "Spring", more: #"{"content":[{"a":1}],"last":false,"number":0}"#, sign: "last",
      last: #"{"content":[{"a":1}],"last":true,"number":0}"#),
    Server(
      name: "Last page as a flag", more: #"{"items":[{"a":1}],"lastPage":false}"#,
      sign: "lastPage", last: #"{"items":[{"a":1}],"lastPage":true}"#),
    Server(
      name: "A calendar that can be looked at later",
      more: #"{"items":[{"a":1}],"nextPageToken":"x"}"#,
      next: "https://api.example.com/items?pageToken=x",
      last: #"{"items":[{"a":1}],"nextSyncToken":"y","@odata.deltaLink":"/delta"}"#),
    Server(
      name: "MongoDB", more: #"{"ok":1,"cursor":{"firstBatch":[{"a":1}],"id":0,"next":"t"}}"#,
      sign: "cursor.next", last: #"{"ok":1,"cursor":{"firstBatch":[{"a":1}],"id":0}}"#),
    Server(
      name: "The position that was requested",
      url: "https://api.example.com/items?cursor=a&offset=20",
      more: #"{"items":[{"a":1}],"cursor":"b","offset":20}"#, sign: "cursor",
      last: #"{"items":[{"a":1}],"cursor":"a","offset":"20"}"#),
    Server(
      name: "NVD",
      url:
        "https://services.nvd.nist.gov/rest/json/cves/2.0/?pubStartDate=2021-08-04T00:00:00.000&pubEndDate=2021-10-22T00:00:00.000",
      more:
        #"{"resultsPerPage":2000,"startIndex":0,"totalResults":12345,"vulnerabilities":[{"cve":{}}]}"#,
      sign: "totalResults",
      last:
        #"{"resultsPerPage":1,"startIndex":0,"totalResults":1,"vulnerabilities":[{"cve":{}}]}"#),
    Server(
      name: "OpenStack", url: "https://api.example.com/v2.1/servers?limit=2000",
      more:
        #"{"servers":[{"id":"1"}],"servers_links":[{"rel":"next","href":"https://api.example.com/v2.1/servers?limit=2000&marker=1"}]}"#,
      next: "https://api.example.com/v2.1/servers?limit=2000&marker=1",
      last: #"{"servers":[{"id":"2"}]}"#),
    Server(
      name: "OpenStack's networks",
      more:
        #"{"networks":[],"networks_links":[{"rel":"next","href":"/items?marker=1"},{"rel":"previous","href":"/items"}]}"#,
      next: "https://api.example.com/items?marker=1",
      last: #"{"networks":[{"id":"2"}],"networks_links":[{"rel":"previous","href":"/items"}]}"#),
    Server(
      name: "Links under another name",
      more:
        #"{"nodes_found":[{"id":"1"}],"refs":[{"rel":"self","href":"/items"},{"rel":"next","href":"/y"}]}"#,
      next: "https://api.example.com/y",
      last: #"{"nodes_found":[{"id":"1"}],"refs":[{"rel":"self","href":"/items"}]}"#),
    Server(
      name: "Matrix's messages", url: "https://api.example.com/items?dir=b&limit=100",
      more:
        #"{"chunk":[{"type":"m.room.message"}],"start":"t47429-4392820_219380_26003_2265","end":"t47409-4357353_219380_26003_2265"}"#,
      sign: "end",
      last:
        #"{"chunk":[{"type":"m.room.message"}],"start":"t47429-4392820_219380_26003_2265"}"#),
    Server(
      name: "Gong",
      more:
        #"{"requestId":"4al0","records":{"totalRecords":263,"currentPageSize":100,"currentPageNumber":0,"cursor":"eyJhbGciOiJIUzI1NiJ9"},"calls":[{"id":"1"}]}"#,
      sign: "records.totalRecords",
      last:
        #"{"requestId":"4al0","records":{"totalRecords":1,"currentPageSize":1,"currentPageNumber":0},"calls":[{"id":"1"}]}"#
    ),
    Server(
      name: "Disqus",
      more:
        #"{"cursor":{"hasPrev":false,"prev":null,"hasNext":true,"next":"1:1:0","more":true},"code":0,"response":[{"id":"1"}]}"#,
      sign: "cursor",
      last:
        #"{"cursor":{"hasPrev":false,"prev":null,"hasNext":false,"next":"1:0:0","more":false},"code":0,"response":[{"id":"1"}]}"#
    ),
    Server(
      name: "Phabricator",
      more:
        #"{"result":{"data":[{"id":1}],"maps":{},"query":{"queryKey":null},"cursor":{"limit":1,"after":"1","before":null,"order":null}},"error_code":null,"error_info":null}"#,
      sign: "result.cursor",
      last:
        #"{"result":{"data":[{"id":2}],"maps":{},"query":{"queryKey":null},"cursor":{"limit":1,"after":null,"before":null,"order":null}},"error_code":null,"error_info":null}"#
    ),
    Server(
      name: "Vultr",
      more:
        #"{"instances":[{"id":"1"}],"meta":{"total":19,"links":{"next":"WxYzExampleNext","prev":""}}}"#,
      sign: "meta.links.next",
      last:
        #"{"instances":[{"id":"1"}],"meta":{"total":1,"links":{"next":"","prev":"WxYzExample"}}}"#),
    Server(
      name: "ArcGIS as GeoJSON", url: "https://api.example.com/query?resultRecordCount=5000",
      more:
        #"{"type":"FeatureCollection","properties":{"exceededTransferLimit":true},"features":[{"type":"Feature","properties":{"total":9,"size":2}}]}"#,
      sign: "properties.exceededTransferLimit",
      last:
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"total":9,"size":2}}]}"#
    ),
    Server(
      name: "Bitbucket Server",
      more:
        #"{"size":1,"limit":1,"isLastPage":false,"values":[{"id":1}],"start":0,"nextPageStart":1}"#,
      next: "https://api.example.com/items?start=1",
      last: #"{"size":1,"limit":1,"isLastPage":true,"values":[{"id":2}],"start":0}"#),
    Server(
      name: "Ghost",
      more:
        #"{"posts":[{"id":1}],"meta":{"pagination":{"page":1,"limit":1,"pages":2,"total":2,"next":2,"prev":null}}}"#,
      next: "https://api.example.com/items?page=2",
      last:
        #"{"posts":[{"id":1}],"meta":{"pagination":{"page":1,"limit":1,"pages":1,"total":1,"next":null,"prev":null}}}"#
    ),
    Server(
      name: "Semantic Scholar", more: #"{"total":2,"offset":0,"next":1,"data":[{"id":1}]}"#,
      next: "https://api.example.com/items?offset=1",
      last: #"{"total":1,"offset":0,"data":[{"id":1}]}"#),
    Server(
      name: "Intercom's companies",
      more:
        #"{"data":[{"id":1}],"total_count":2,"pages":{"next":"/items?page=2","page":1,"per_page":1,"total_pages":2}}"#,
      next: "https://api.example.com/items?page=2",
      last:
        #"{"data":[{"id":1}],"total_count":1,"pages":{"next":null,"page":1,"per_page":1,"total_pages":1}}"#
    ),
    Server(
      name: "Intercom's contacts",
      more:
        #"{"data":[{"id":1}],"total_count":2,"pages":{"page":1,"next":{"page":2,"starting_after":"W"},"per_page":1,"total_pages":2}}"#,
      sign: "pages.next",
      last: #"{"data":[{"id":1}],"total_count":1,"pages":{"page":1,"per_page":1,"total_pages":1}}"#),
    Server(
      name: "OpenAI",
      more: #"{"object":"list","data":[{"id":"f-1"}],"last_id":"f-1","has_more":true}"#,
      sign: "last_id",
      last: #"{"object":"list","data":[{"id":"f-2"}],"last_id":"f-2","has_more":false}"#),
    Server(
      name: "Zendesk's cursor-based exports",
      more:
        #"{"tickets":[{"id":1}],"after_url":"/items?cursor=M","after_cursor":"M","end_of_stream":false}"#,
      sign: "after_url",
      last:
        #"{"tickets":[{"id":2}],"after_url":"/items?cursor=N","after_cursor":"N","end_of_stream":true}"#
    ),
    Server(
      name: "Slack's files",
      more:
        #"{"ok":true,"files":[{"id":1}],"paging":{"count":100,"total":101,"page":1,"pages":2}}"#,
      sign: "paging.pages",
      last: #"{"ok":true,"files":[{"id":1}],"paging":{"count":100,"total":1,"page":1,"pages":1}}"#),
    Server(
      name: "Alchemy", more: #"{"ownedNfts":[{"id":1}],"totalCount":2,"pageKey":"MHg="}"#,
      sign: "pageKey", last: #"{"ownedNfts":[{"id":2}],"totalCount":1,"pageKey":null}"#),
    Server(
      name: "Pagy",
      more:
        #"{"rows":[{"id":1}],"pagy":{"count":2,"page":1,"items":1,"pages":2,"last":2,"next":2}}"#,
      next: "https://api.example.com/items?page=2",
      last:
        #"{"rows":[{"id":1}],"pagy":{"count":1,"page":1,"items":1,"pages":1,"last":1,"next":null}}"#
    ),
    Server(
      name: "Steam",
      more: #"{"response":{"apps":[{"appid":10}],"have_more_results":true,"last_appid":10}}"#,
      sign: "response.last_appid", last: #"{"response":{"apps":[{"appid":20}]}}"#),
    Server(
      name: "dbt Cloud",
      more:
        #"{"data":[{"id":1}],"extra":{"filters":{"limit":1,"offset":0},"pagination":{"count":1,"total_count":2}}}"#,
      sign: "extra.pagination.total_count",
      last: #"{"data":[{"id":1}],"extra":{"pagination":{"count":1,"total_count":1}}}"#),
    Server(
      name: "monday.com",
      more: #"{"data":{"next_items_page":{"cursor":"MSw5","items":[{"id":"1"}]}}}"#,
      sign: "data.next_items_page.cursor",
      last: #"{"data":{"next_items_page":{"cursor":null,"items":[{"id":"2"}]}}}"#),
    Server(
      name: "Brave",
      more: #"{"query":{"q":"x","more_results_available":true},"web":{"results":[{"a":1}]}}"#,
      sign: "query.more_results_available",
      last:
        #"{"query":{"q":"x","more_results_available":false},"web":{"results":[{"a":1}]}}"#),
    Server(
      name: "Cisco FMC",
      more:
        #"{"items":[{"id":"1"}],"paging":{"offset":0,"limit":1,"count":3,"pages":3,"next":["/items?offset=1","/items?offset=2"]}}"#,
      next: "https://api.example.com/items?offset=1",
      last:
        #"{"items":[{"id":"1"}],"paging":{"offset":0,"limit":1,"count":1,"pages":1,"prev":["/items"]}}"#
    ),
    Server(
      name: "Datastore",
      more:
        #"{"batch":{"entityResults":[{"a":1}],"endCursor":"CiQ","moreResults":"NOT_FINISHED"}}"#,
      sign: "batch.moreResults",
      last:
        #"{"batch":{"entityResults":[{"a":1}],"endCursor":"CiQ","moreResults":"NO_MORE_RESULTS"}}"#
    ),
    Server(
      name: "A link to the last page alone",
      more: #"{"data":[{"id":1}],"paging":{"first":"/items","last":"/items?offset=1"}}"#,
      sign: "paging.last", last: #"{"data":[{"id":1}],"paging":{"first":"/items","last":"/items"}}"#
    ),
  ]

  @Test(
    "A page with more after it leads on or is an error, and the last one ends", arguments: servers)
  func page(of server: Server) throws {
    let sample = PageSample(server.url, response: server.more)
    if let sign = server.sign {
      expectContinuation(at: sign) { try sample.page(.auto) }
    } else {
      #expect(try sample.next(.auto)?.url == server.next)
    }
    #expect(try sample.page(.single).next == nil)
    if let last = server.last {
      let page = try PageSample(server.url, response: last).page(.auto)
      #expect(page.next == nil)
      // The style of the first page, on the last one.
      if server.next != nil {
        let style = try sample.page(.auto).style
        #expect(try PageSample(server.url, response: last).page(style).next == nil)
      }
    }
  }

  @Test(
    "A header field that says that there is more is no complete list",
    arguments: [
      ("X-Has-More", "true", "false"), ("X-Cursor", "eyJi", ""),
      ("x-ms-continuationtoken", "3;4", ""), ("X-Is-Last-Page", "false", "true"),
      ("X-Offset", "rec7", "20"), ("Last-Page", "false", "true"), ("X-Last-Page", "False", "1"),
      ("X-Nomad-Nexttoken", "default/7", ""),
    ])
  func fields(name: String, more: String, last: String) throws {
    let sample = { (value: String) in
      PageSample(headers: .init([.init(name: name, value: value)]), response: "[{}]")
    }
    expectContinuation(at: name) { try sample(more).page(.auto) }
    #expect(try sample(last).page(.auto).next == nil)
    #expect(try sample(more).page(.single).next == nil)
  }

  @Test("A token may be the same number as the size of a page, as with Azure DevOps")
  func tokenOfPageSize() throws {
    let headers = HTTPHeaders([.init(name: "x-ms-continuationtoken", value: "5")])
    let sample = { (name: String) in
      PageSample("https://a.org/items?\(name)=5", headers: headers, response: "[{}]")
    }
    expectContinuation(at: "x-ms-continuationtoken") { try sample("$top").page(.auto) }
    #expect(try sample("continuationToken").page(.auto).next == nil)
  }

  @Test(
    "Where nothing but that there is more is known, the parameters of the request show how to count",
    arguments: [
      ("?$top=1", PageStyle.offset("$skip")), ("?take=1", .offset("skip")),
      ("?page[limit]=1", .offset("page[offset]")), ("?page[size]=1", .pageNumber("page[number]")),
      ("?_per_page=1", .pageNumber("_page")),
      ("?pagination[start]=0", .offset("pagination[start]")),
      ("?searchCriteria[currentPage]=1", .pageNumber("searchCriteria[currentPage]")),
      ("?limit=1", nil), ("", nil), ("?stop=Bern", nil), ("?items_per_page=1", nil),
    ])
  func counting(query: String, style: PageStyle?) throws {
    let sample = PageSample("https://a.org/items" + query, response: #"{"items":[{}],"total":9}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.counting == style)
  }

  @Test(
    "A server that is known by the shape of its response counts in a parameter of its own",
    arguments: [
      (#"{"hits":{"total":{"value":9},"hits":[{"_id":"1"}]}}"#, PageStyle.offset("from")),
      (#"{"@odata.context":"x","@odata.count":9,"value":[{}]}"#, .offset("$skip")),
      (#"{"d":{"results":[{}],"__count":"9"}}"#, .offset("$skip")),
      (#"{"total_rows":9,"offset":0,"rows":[{}]}"#, .offset("skip")),
    ])
  func knownCounting(response: String, style: PageStyle) {
    let error = #expect(throws: PageError.self) {
      try PageSample(response: response).page(.auto)
    }
    #expect(error?.continuation?.counting == style)
  }

  @Test("A number in the variables of GraphQL counts there")
  func variables() throws {
    let body = #"{"query":"…","variables":{"page":1}}"#
    let info = #""pageInfo":{"currentPage":1,"lastPage":2}"#
    let sample = PageSample(body: body, response: #"{"data":{"Page":{\#(info),"media":[{}]}}}"#)
    #expect(try sample.nextBody(.auto) == #"{"query":"…","variables":{"page":2}}"#)
  }

  @Test("The flag beside a token says whether it is that of a next page")
  func flagBesideToken() throws {
    let sample = PageSample(response: #"{"items":[{}],"meta":{"cursor":"x","has_more":true}}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.more == "meta.has_more")
  }

  @Test(
    "The number of the last page beside a flag is no token, even if the last item has it for an id",
    arguments: [#""last_page":5"#, #""last":5"#, #""lastPage":5,"total":5"#])
  func lastPageBesideFlag(members: String) throws {
    let body = #"{"items":[{"id":4},{"id":5}],\#(members),"has_more":true}"#
    expectContinuation(at: "has_more") { try PageSample(response: body).page(.auto) }
  }

  @Test(
    "A page that is known to be the last one is not doubtful",
    arguments: [
      #"{"d":{"results":[{"ID":1}]}}"#, #"{"odata.metadata":"x","value":[{"ID":1}]}"#,
      #"{"@context":"$metadata#P","value":[{"ID":1}]}"#,
      #"{"items":[{"a":1}],"page_context":{"page":1,"per_page":9,"has_more_page":false,"a":1}}"#,
      #"{"images":[{"id":1}],"first":"/v2/images?limit=9"}"#,
      #"{"kind":"calendar#events","defaultReminders":[{"method":"popup"}],"items":[]}"#,
    ])
  func end(body: String) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.next == nil && page.presumedEnd == nil)
  }

  @Test("An empty array beside the items is no doubt where a header field counts these")
  func countedItems() throws {
    let body = #"{"stories":[{"id":1}],"rels":[]}"#
    let total = HTTPHeaders([.init(name: "Total", value: "1")])
    #expect(try PageSample(headers: total, response: body).page(.auto).presumedEnd == nil)
    #expect(try PageSample(response: body).page(.auto).presumedEnd != nil)
  }

  @Test("A warning of Google's is no item, and an empty result of Sanity's is the list")
  func emptyLists() throws {
    let warning = #""warning":{"code":"NO_RESULTS","data":[{"key":"scope","value":"z"}]}"#
    for body in [
      #"{"kind":"compute#imageList",\#(warning)}"#, #"{"result":[],"syncTags":["s1:x"],"ms":3}"#,
    ] {
      let page = try PageSample(response: body).page(.auto)
      #expect(page.items.isEmpty && page.next == nil)
    }
  }

  @Test("A scroll whose hits are all on its first page leads to no more")
  func wholeScroll() throws {
    let body = { (total: Int) in
      #"{"_scroll_id":"D","hits":{"total":{"value":\#(total),"relation":"eq"},"hits":[{}]}}"#
    }
    #expect(try PageSample(response: body(1)).page(.auto).next == nil)
    expectContinuation(at: "_scroll_id") { try PageSample(response: body(2)).page(.auto) }
  }

  @Test(
    "A total that is no more than a full page may be that of the page, as with Weaviate and Artifactory",
    arguments: [
      ("", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 25, true),
      ("", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, false),
      ("?limit=3", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, true),
      ("?limit=4", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, false),
      ("", #"{"results":[I],"range":{"start_pos":0,"end_pos":N,"total":N,"limit":3}}"#, 3, true),
      ("", #"{"results":[I],"range":{"start_pos":0,"end_pos":N,"total":N,"limit":4}}"#, 3, false),
      ("", #"{"items":[I],"totalResults":N}"#, 25, false),
      ("?limit=25", #"{"items":[I],"total":N,"next":null}"#, 25, false),
    ])
  func totalOfPage(query: String, body: String, count: Int, isDoubtful: Bool) throws {
    let items = (0..<count).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    let response = body.replacing("I", with: items).replacing("N", with: "\(count)")
    let page = try PageSample("https://a.org/v1/objects" + query, response: response).page(.auto)
    #expect(page.items.count == count && page.next == nil)
    #expect((page.presumedEnd != nil) == isDoubtful)
  }

  @Test(
    "A description of columns is not the list where there are rows",
    arguments: [
      (#"{"schema":[{"name":"a","type":"text"}],"datarows":[[1],[2]],"total":2}"#, "datarows"),
      (#"{"columns":[{"name":"a"}],"cells":[[1],[2]]}"#, "cells"),
      (#"{"columns":[{"name":"a"}],"names":["b"]}"#, "columns"),
      (#"{"categories":[{"id":1}],"bounds":[[0,9]]}"#, "categories"),
    ])
  func columns(body: String, path: JSONPath) throws {
    #expect(try PageSample(response: body).page(.auto).style.itemsPath == path)
  }

  @Test(
    "That there is no more counts under a name for more alone",
    arguments: [
      #"{"success":"No more records","data":[]}"#,
      #"{"items":[{"id":1}],"done":"no more results"}"#,
      #"{"items":[{"id":1}],"more":"no more results"}"#,
    ])
  func noMore(body: String) throws {
    #expect(try PageSample(response: body).page(.auto).next == nil)
  }

  @Test("Rows that come after a page with nothing but columns are not left out, as with Trino")
  func lateRows() throws {
    let columns = #""columns":[{"name":"a"}]"#
    let first = try PageSample(response: #"{\#(columns),"nextUri":"/2"}"#).page(.auto)
    #expect(first.next == PageLink(.follow("/2")))
    #expect(throws: PageError.ambiguousItems(["columns", "data"])) {
      try PageSample(response: #"{\#(columns),"data":[[1],[2]]}"#).page(first.style)
    }
  }

  @Test(
    "A server that leaves out an empty list ends one that is counted with {}",
    arguments: [PageStyle.pageNumber("page"), .offset("offset")])
  func emptyObject(style: PageStyle) throws {
    let first = try PageSample(response: #"{"things":[{"id":1}]}"#).page(style)
    let last = try PageSample("https://a.org/?page=2&offset=1", response: "{}").page(first.style)
    #expect(last.items.isEmpty && last.next == nil)
    // Anything else may be a failure.
    #expect(throws: PageError.noItems(at: "things", nil)) {
      try PageSample("https://a.org/?page=2&offset=1", response: #"{"ok":true}"#).page(first.style)
    }
  }

  @Test("The variables of a query are those of GraphQL alone, not of SQL")
  func queryVariables() {
    let cases: [(query: String, response: String, variables: [String]?)] = [
      ("{a(after: $x) b(after: $y)}", #"{"data":{"a":{"items":[{}],"cursor":"c"}}}"#, ["x", "y"]),
      ("{a}", #"{"data":{"a":{"items":[{}],"cursor":"c"}}}"#, []),
      ("SELECT 1", #"{"schema":[{"name":"a"}],"datarows":[[1]],"cursor":"c"}"#, nil),
    ]
    for (query, response, variables) in cases {
      let error = #expect(throws: PageError.self) {
        try PageSample(body: #"{"query":"\#(query)"}"#, response: response).page(.auto)
      }
      #expect(error?.continuation?.variables == variables)
    }
  }

  @Test("Stripe's shape without url may continue after the identity of the last item")
  func lastIdentity() throws {
    let body = #"{"object":"list","has_more":true,"data":[{"id":"a"},{"id":"b"}]}"#
    let error = #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    #expect(error?.continuation?.identity == "id")
    for body in [
      #"{"object":"list","has_more":true,"data":[{"name":"a"}]}"#,
      #"{"has_more":true,"data":[{"id":"a"}]}"#,
    ] {
      let error = #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
      #expect(error?.continuation?.identity == nil)
    }
  }

  @Test("openFDA: the total in an object that describes the results")
  func totalInResults() throws {
    let body = #"{"meta":{"results":{"skip":0,"limit":1,"total":3}},"results":[{}]}"#
    #expect(try PageSample(response: body).page(.offset("skip")).totalCount == 3)
  }

  @Test("NOAA: an offset from 1 beside the number of items in a result set")
  func offsetFrom1() throws {
    let body = #"{"metadata":{"resultset":{"offset":1,"count":3,"limit":2}},"results":[{},{}]}"#
    #expect(
      try PageSample(response: body).next(.offset("offset"))?.url
        == "https://api.example.com/items?offset=3")
  }

  @Test(
    "A header field that says that there is no more is the end, and a number is none",
    arguments: [
      ("X-Has-More", "false", true), ("X-Is-Last-Page", "true", true), ("Last-Page", "true", true),
      ("X-Next-Page", "", true), ("X-Nomad-Nexttoken", "", true), ("X-Cursor", "", true),
      ("Last-Page", "1", false), ("X-Has-More", "0", false), ("X-Total-Pages", "true", false),
    ])
  func endingFields(name: String, value: String, isEnd: Bool) throws {
    let sample = PageSample(headers: .init([.init(name: name, value: value)]), response: "[{}]")
    #expect(try sample.page(.auto).presumedEnd == (isEnd ? nil : .bareArray))
  }

  @Test(
    "A result that is yet to come is no empty list",
    arguments: [
      #"{"kind":"bigquery#getQueryResultsResponse","etag":"x","jobReference":{"projectId":"p","jobId":"j"},"jobComplete":false}"#,
      #"{"rows":[],"jobComplete":false}"#, #"{"results":[],"meta":{"isReady":false}}"#,
      #"{"items":null,"search_done":false}"#,
    ])
  func notReady(body: String) throws {
    for style in [PageStyle.auto, .linkHeader, .pageNumber("page")] {
      #expect(throws: PageError.notReady(status: 200)) {
        try PageSample(response: body).page(style)
      }
      let ready = body.replacing("false", with: "true")
      #expect(try PageSample(response: ready).page(style).items.isEmpty)
    }
  }

  @Test(
    "A flag of a thing or of a filter says nothing of the list, and none does beside items",
    arguments: [
      #"{"items":[],"profileComplete":false}"#, #"{"items":[],"include_done":false}"#,
      #"{"items":[],"user":{"isReady":false}}"#, #"{"items":[{}],"jobComplete":false}"#,
      #"{"todos":[],"completed":false}"#, #"{"items":[],"meta":{"ready":false}}"#,
    ])
  func otherFlags(body: String) {
    for style in [PageStyle.auto, .single, .linkHeader] {
      #expect(throws: Never.self) { try PageSample(response: body).page(style) }
    }
  }

  @Test(
    "Nor does one that repeats a parameter of the request",
    arguments: ["isReady=false", "is_ready=0", "filter%5BisReady%5D=false"])
  func repeatedFlags(query: String) {
    let body = #"{"items":[],"isReady":false}"#
    for style in [PageStyle.auto, .single, .linkHeader] {
      #expect(throws: Never.self) {
        try PageSample("https://a.org/items?\(query)", response: body).page(style)
      }
      #expect(throws: PageError.notReady(status: 200)) {
        try PageSample("https://a.org/items?ready=1", response: body).page(style)
      }
    }
  }
}
