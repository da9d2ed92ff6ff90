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
      name: "The offset after the last item, as with Django REST framework's JSON:API",
      more:
        #"{"links":{"last":"/items?page%5Boffset%5D=2","next":"/items?page%5Boffset%5D=1","prev":null},"data":[{"id":"1"}],"meta":{"pagination":{"count":2,"limit":1,"offset":0}}}"#,
      next: "https://api.example.com/items?page%5Boffset%5D=1",
      last:
        #"{"links":{"last":"/items?page%5Boffset%5D=1","next":null,"prev":null},"data":[{"id":"1"}],"meta":{"pagination":{"count":1,"limit":1,"offset":0}}}"#
    ),
    Server(
      name: "fastapi-pagination by cursors",
      more:
        #"{"items":[{"id":1}],"total":2,"current_page":"Pg%3D%3D","current_page_backwards":"PA%3D%3D","previous_page":null,"next_page":"PmE%3D"}"#,
      next: "https://api.example.com/items?cursor=PmE%253D",
      last:
        #"{"items":[{"id":1}],"total":1,"current_page":"Pg%3D%3D","current_page_backwards":"PA%3D%3D","previous_page":null,"next_page":null}"#
    ),
    Server(
      name: "The offset after the last item, as with SAFRS",
      more:
        #"{"data":[{"id":"1"}],"links":{"last":"/items?page[offset]=2","next":"/items?page[offset]=1"},"meta":{"count":2,"limit":1,"total":2}}"#,
      next: "https://api.example.com/items?page%5Boffset%5D=1",
      last:
        #"{"data":[{"id":"1"}],"links":{"last":"/items?page[offset]=1"},"meta":{"count":1,"limit":1,"total":1}}"#
    ),
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
}
