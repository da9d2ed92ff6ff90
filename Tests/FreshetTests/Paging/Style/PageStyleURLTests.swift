import Testing

@testable import Freshet

/// Servers that say where the next page is.
@Suite("PageStyle: URLs") struct PageStyleURLTests {
  @Test("GitHub: absolute links, several relations in one line")
  func gitHub() throws {
    let sample = PageSample(
      "https://api.github.com/repositories/1/issues?page=2",
      headers: [
        "Link":
          #"<https://api.github.com/repositories/1/issues?page=1>; rel="prev", <https://api.github.com/repositories/1/issues?page=3>; rel="next", <https://api.github.com/repositories/1/issues?page=50>; rel="last""#
      ], response: #"[{"id":9007199254740993},{"id":2}]"#)
    let page = try sample.page(.auto)
    #expect(page.style == .linkHeader.items(at: .root))
    #expect(page.texts == [#"{"id":9007199254740993}"#, #"{"id":2}"#])
    #expect(
      page.previous == PageLink(.follow("https://api.github.com/repositories/1/issues?page=1")))
    #expect(
      try sample.next(.linkHeader)?.url == "https://api.github.com/repositories/1/issues?page=3")
  }

  @Test("GitLab: the Link header wins over the number in X-Next-Page, and totals are read")
  func gitLab() throws {
    let sample = PageSample(
      headers: [
        "Link": #"<https://gitlab.example.com/api/v4/projects?id_after=42>; rel="next""#,
        "X-Next-Page": "2", "X-Total": "120",
      ], response: "[{}]")
    #expect(try sample.page(.auto).style.name == "link")
    #expect(try sample.page(.auto).totalCount == 120)
  }

  @Test("Mastodon: next by max_id, prev by min_id, in two header lines")
  func mastodon() throws {
    let sample = PageSample(
      "https://mastodon.example/api/v1/timelines/public",
      headers: [
        "Link": #"<https://mastodon.example/api/v1/timelines/public?max_id=113>; rel="next""#,
        "link": #"<https://mastodon.example/api/v1/timelines/public?min_id=118>; rel="prev""#,
      ], response: #"[{"id":"118"},{"id":"113"}]"#)
    let page = try sample.page(.auto)
    #expect(
      page.next == PageLink(.follow("https://mastodon.example/api/v1/timelines/public?max_id=113")))
    #expect(
      page.previous
        == PageLink(.follow("https://mastodon.example/api/v1/timelines/public?min_id=118")))
  }

  @Test("docker-registry: a relative link and an array of strings")
  func dockerRegistry() throws {
    let sample = PageSample(
      "http://localhost:5000/v2/_catalog?n=2",
      headers: ["Link": #"</v2/_catalog?last=b%2Fc&n=2>; rel="next""#],
      response: #"{"repositories":["a","b/c"]}"# + "\n")
    let page = try sample.page(.auto)
    #expect(page.texts == [#""a""#, #""b/c""#])
    #expect(page.style.itemsPath == "repositories")
    #expect(try sample.next(.auto)?.url == "http://localhost:5000/v2/_catalog?last=b%2Fc&n=2")
    let tags = PageSample(
      "http://localhost:5000/v2/a/tags/list", response: #"{"name":"a","tags":["1"]}"#)
    #expect(try tags.page(.auto).texts == [#""1""#])
    let none = PageSample(
      "http://localhost:5000/v2/a/tags/list", response: #"{"name":"a","tags":null}"#)
    #expect(try none.page(.linkHeader.items(at: "tags")).items.isEmpty)
  }

  @Test("Kinto: the Next-Page header with an opaque token")
  func kinto() throws {
    let url =
      "http://localhost:8888/v1/buckets/b/collections/c/records?_limit=2&_token=eyJ%2Fx%3D%3D"
    let sample = PageSample(
      "http://localhost:8888/v1/buckets/b/collections/c/records?_limit=2",
      headers: ["Next-Page": url, "Total-Objects": "7"],
      response: #"{"data":[{"id":"a","last_modified":1700000000001},{"id":"b"}]}"#)
    #expect(try sample.page(.auto).style == .header("Next-Page").items(at: "data"))
    #expect(try sample.page(.auto).totalCount == 7)
    #expect(try sample.next(.auto)?.url == url)
    #expect(
      try PageSample(headers: ["Next-Page": ""], response: "[]").next(.header("Next-Page")) == nil)
  }

  @Test("Django REST framework: page, offset and cursor pagination")
  func djangoREST() throws {
    let sample = PageSample(
      response:
        #"{"count":1023,"next":"https://api.example.com/items?page=5","previous":"https://api.example.com/items?page=3","results":[{"id":1}]}"#
    )
    let page = try sample.page(.auto)
    #expect(page.style == .nextURL(at: "next").items(at: "results"))
    #expect(page.next == PageLink(.follow("https://api.example.com/items?page=5")))
    #expect(page.previous == PageLink(.follow("https://api.example.com/items?page=3")))
    #expect(page.totalCount == 1023)
    let cursor = PageSample(
      response:
        #"{"next":"http:\/\/api.example.com\/items?cursor=cD0yMDI0%3D%3D","previous":null,"results":[]}"#
    )
    #expect(try cursor.next(.auto)?.url == "http://api.example.com/items?cursor=cD0yMDI0%3D%3D")
    let last = PageSample(
      response: #"{"count":1,"next":null,"previous":null,"results":[{"id":1}]}"#)
    #expect(try last.page(.nextURL(at: "next")).next == nil)
  }

  @Test("JSON:API: links as strings, as objects and as null; included resources are not items")
  func jsonAPI() throws {
    let sample = PageSample(
      headers: ["Content-Type": "application/vnd.api+json"],
      response:
        #"{"links":{"self":"/a","next":{"href":"/items?page%5Bafter%5D=2"},"prev":"/p"},"data":[{"type":"a","id":"1"}],"included":[{"type":"b","id":"2"}],"meta":{"total":3}}"#
    )
    let page = try sample.page(.auto)
    #expect(page.style == .nextURL(at: "links.next").items(at: "data"))
    #expect(page.previous == PageLink(.follow("/p")))
    #expect(page.totalCount == 3)
    #expect(try sample.next(.auto)?.url == "https://api.example.com/items?page%5Bafter%5D=2")
    let last = PageSample(response: #"{"links":{"next":null},"data":[]}"#)
    #expect(try last.page(.auto).next == nil)
    #expect(try PageSample(response: #"{"data":[]}"#).page(.nextURL(at: "links.next")).next == nil)
  }

  @Test("HAL: _links.next and the one array in _embedded")
  func hal() throws {
    let sample = PageSample(
      headers: ["Content-Type": "application/hal+json"],
      response:
        #"{"_embedded":{"users":[{"id":1}]},"_links":{"self":{"href":"/u"},"next":{"href":"/u?page=1"},"prev":{"href":"/u?page=0"},"curies":[{"name":"x"}]},"page":{"totalElements":9}}"#
    )
    let page = try sample.page(.auto)
    #expect(page.style == .nextURL(at: "_links.next").items(at: "_embedded.users"))
    #expect(page.previous == PageLink(.follow("/u?page=0")))
    #expect(page.totalCount == 9)
  }

  @Test("OData: a member with a dot in its name")
  func oData() throws {
    let sample = PageSample(
      response:
        #"{"@odata.context":"$metadata#Items","@odata.count":5,"value":[{"ID":1}],"@odata.nextLink":"Items?$skiptoken='a+b'"}"#
    )
    #expect(try sample.page(.auto).style == .nextURL(at: "@odata.nextLink").items(at: "value"))
    #expect(try sample.page(.auto).totalCount == 5)
    #expect(try sample.next(.auto)?.url == "https://api.example.com/Items?$skiptoken='a+b'")
  }

  @Test("datasette: next_url, not the token in next; rows are arrays")
  func datasette() throws {
    let sample = PageSample(
      "http://localhost:8001/db/t.json",
      response:
        #"{"database":"db","columns":["a","b"],"rows":[[1,"x"],[2,"y"]],"truncated":false,"suggested_facets":[{"name":"a"}],"filtered_table_rows_count":201,"next":"2","next_url":"http://localhost:8001/db/t.json?_next=2"}"#
    )
    let page = try sample.page(.auto)
    #expect(page.style == .nextURL(at: "next_url").items(at: "rows"))
    #expect(page.texts == [#"[1,"x"]"#, #"[2,"y"]"#])
    #expect(page.totalCount == 201)
  }

  @Test(
    "A member that is neither a link nor an end is an error, never an end",
    arguments: ["1", "true", "false", "[]", #"{"a":1}"#, #"{"href":5}"#])
  func unusableLink(value: String) throws {
    let sample = PageSample(response: #"{"items":[],"next":\#(value)}"#)
    #expect(throws: PageError.self) { try sample.page(.nextURL(at: "next")) }
  }

  @Test(
    "Null, absence and the empty string end a list",
    arguments: ["null", #""""#, #"{"href":null}"#, #"{"href":""}"#, "{}", #"{"title":"next"}"#])
  func ends(value: String) throws {
    #expect(
      try PageSample(response: #"{"items":[],"next":\#(value)}"#).page(.nextURL(at: "next")).next
        == nil)
    #expect(try PageSample(response: #"{"items":[]}"#).page(.nextURL(at: "next")).next == nil)
  }

  @Test(
    "A link with a body of its own, or another method, is not followed without them",
    arguments: [
      (
        #""links":[{"rel":"self"},{"rel":"next","href":"/b","method":"POST","body":{"limit":1,"token":"next:a"}}]"#,
        "links.1.body.token"
      ),
      (
        #""links":[{"rel":"next","href":"/b","method":"POST","merge":true,"body":{"token":"t"}}]"#,
        "links.0.body.token"
      ),
      (#""next":{"href":"/b","body":{"limit":1,"page":2}}"#, "next.body.page"),
      (#""next":[{"href":"/b","body":{"bbox":[1,2]}}]"#, "next.0.body"),
      (#""_links":{"next":{"href":"/b","method":"GET"}}"#, "_links.next.method"),
    ])
  func otherRequests(members: String, sign: String) throws {
    let sample = PageSample(
      body: #"{"limit":1}"#, response: #"{"items":[{}],\#(members)}"#)
    let path = JSONPath(
      members.contains("_links") ? "_links.next" : members.contains("links") ? "links.next" : "next"
    )
    for style in [PageStyle.auto, .nextURL(at: path)] {
      expectContinuation(at: sign) { try sample.page(style) }
    }
  }

  @Test(
    "A link with the method of the request and no body is followed",
    arguments: [
      (#""links":[{"rel":"next","href":"/b","method":"post"}]"#, true),
      (#""links":[{"rel":"next","href":"/b","method":"GET","body":null}]"#, false),
      (#""links":[{"rel":"next","href":"/b","body":{}}]"#, false),
      (#""next":{"href":"/b","method":"GET"}"#, false), (#""next":{"href":"/b"}"#, true),
      (
        #""next":"/b","links":[{"rel":"prev","href":"/a","method":"POST","body":{"token":"p"}}]"#,
        false
      ),
    ])
  func sameRequests(members: String, hasBody: Bool) throws {
    let sample = PageSample(
      body: hasBody ? "{}" : nil, response: #"{"items":[{}],\#(members)}"#)
    let page = try sample.page(.auto)
    #expect(page.next == PageLink(.follow("/b")) && page.previous == nil)
  }
  @Test(
    "A path beside a base and a context is relative to the context, unless it has that",
    arguments: [
      (#""base":"https://a.org/wiki","context":"/wiki","next":"/rest/x?s=1""#, "/wiki/rest/x?s=1"),
      (#""base":"https://a.org/wiki","context":"/wiki","next":{"href":"/r"}"#, "/wiki/r"),
      (#""base":"https://proxied/wiki","context":"/wiki","next":"/wikis""#, "/wiki/wikis"),
      (#""base":"https://a.org/wiki","context":"/wiki","next":"/wiki/r""#, "/wiki/r"),
      (#""base":"https://a.org/wiki","context":"/wiki","next":"//a.org/r""#, "//a.org/r"),
      (#""base":"https://a.org/wiki","context":"/wiki","next":"?s=1""#, "?s=1"),
      (
        #""base":"https://a.org/wiki","context":"/wiki","next":"https://a.org/r""#,
        "https://a.org/r"
      ),
      (#""base":"https://a.org/wiki","next":"/rest/x""#, "/rest/x"),
      (#""base":"https://a.org","context":"","next":"/rest/x""#, "/rest/x"),
      (#""base":"https://a.org","context":"/wiki","next":"/rest/x""#, "/rest/x"),
      // Elsewhere on the server.
      (#""base":"https://a.org/docs","context":"/docs","next":"/rest/x""#, "/rest/x"),
    ])
  func contexts(links: String, reference: String) throws {
    let sample = PageSample(
      "https://a.org/wiki/rest/x", response: #"{"results":[{}],"_links":{\#(links)}}"#)
    for style in [PageStyle.auto, .nextURL(at: "_links.next")] {
      #expect(try sample.page(style).next == PageLink(.follow(reference)))
    }
  }

  @Test("A page without items whose link leads to the page itself is the last one")
  func emptyPageToItself() throws {
    let url = "https://api.example.com/events/W3siY"
    func page(_ items: String, next: String, _ members: String = "") throws -> Page<JSONText> {
      let body = #"{"items":\#(items),"paging":{"next":"\#(next)"}\#(members)}"#
      return try PageSample(url, response: body).page(.nextURL(at: "paging.next"))
    }
    for next in [url, "/events/W3siY", "W3siY"] {
      #expect(try page("[]", next: next).next == nil)
      // With items it is a loop.
      #expect(try page("[{}]", next: next).next != nil)
    }
    #expect(try page("[]", next: "/events/W3siZ").next != nil)
    #expect(try page("[]", next: url + "?page=2").next != nil)
    let linked = PageSample(url, headers: ["Link": "</events/W3siY>; rel=next"], response: "[]")
    #expect(try linked.page(.linkHeader).next == nil)
    #expect(try linked.page(.auto).next == nil)
  }

  @Test("It is none where it says that there is more, or has no items yet")
  func unfinishedPageToItself() throws {
    let more = #"{"items":[],"next":"/items","has_more":true}"#
    expectContinuation(at: "has_more") { try PageSample(response: more).page(.auto) }
    let body = #"{"items":[],"next":"/items"}"#
    #expect(throws: PageError.notReady(status: 202)) {
      try PageSample(status: 202, response: body).page(.nextURL(at: "next"))
    }
    let running = #"{"items":[],"next":"/items","jobComplete":false}"#
    #expect(throws: PageError.notReady(status: 200)) {
      try PageSample(response: running).page(.auto)
    }
  }
}
