import Testing

@testable import Freshet

/// Which array has the items, and bodies that report a failure under a status that means success.
@Suite("PageStyle: the right array, and failures", .standardTimeLimit)
struct PageStyleFailureTests {
  @Test(
    "A list inside an object beside another array is ambiguous",
    arguments: [
      (
        #"{"images":[{"url":"u"}],"tracks":{"items":[{"a":1}],"next":"/b"}}"#,
        "images, tracks.items"
      ),
      (
        #"{"users":[{"id":1}],"groups":[],"list":{"more_url":"/b","topics":[{"a":1}]}}"#,
        "users, list.topics"
      ),
      (#"{"tags":[{"t":1}],"result":{"items":[{"a":1}]}}"#, "tags, result.items"),
      (#"{"sort":["id"],"response":{"rows":[]}}"#, "sort, response.rows"),
      (#"{"tags":[{"t":1}],"a":{"b":{"results":[{"a":1}]}}}"#, "tags, a.b.results"),
      (#"{"notes":[],"data":{"users":[{"a":1}]}}"#, "notes, data.users"),
      (#"{"ads":[{"b":1}],"data":{"users":[{"a":1}]},"next":"/b"}"#, "ads, data.users"),
      (
        #"{"users":[{"b":1}],"groups":[],"topic_list":{"per_page":30,"topics":[{"a":1}]}}"#,
        "users, topic_list.topics"
      ),
      (
        #"{"permissions":["read"],"payload":{"users":[{"a":1}],"total":1}}"#,
        "permissions, payload.users"
      ),
      (#"{"categories":[],"page":[],"shop":{"products":[{"a":1}]}}"#, "categories, shop.products"),
    ])
  func ambiguous(body: String, paths: String) throws {
    let error = try #require(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    #expect(
      error == .ambiguousItems(paths.split(separator: ", ").map { JSONPath(String($0)) }))
    #expect(throws: Never.self) {
      try PageSample(response: body).page(.linkHeader.items(at: error.firstPath))
    }
  }

  @Test(
    "An array in an object of something else is not the list",
    arguments: [
      #"{"user":{"roles":[{"a":1}]}}"#, #"{"status":"ok","settings":{"rules":[{"a":1}]}}"#,
      #"{"name":"x","config":{"servers":["a"]}}"#, #"{"id":7,"profile":{"emails":[{"a":1}]}}"#,
      #"{"shop":{"hours":["9-5"]},"region":{"name":"x"}}"#,
      // Nor is a list empty that may be one of these.
      #"{"kind":"books#volume","about":{"authors":[{"a":1}]},"sale":{"a":1}}"#,
      #"{"shop":{"products":[{"a":1}]},"region":{"data":null}}"#,
      #"{"page":{"id":1,"title":"x","blocks":[{"a":1}]}}"#, #"{"page":{"size":1,"tags":["x"]}}"#,
      #"{"meta":{"total":1,"list":[{"a":1}]}}"#,
    ])
  func otherArrays(body: String) {
    #expect(throws: PageError.noItems(at: nil, nil)) { try PageSample(response: body).page(.auto) }
  }

  @Test(
    "The list is in an object that is named for the content, or in the only one",
    arguments: [
      (#"{"data":{"users":[{"a":1}]},"user":{"roles":[{"b":1}]}}"#, "data.users"),
      (#"{"shop":{"products":[{"a":1}]},"user":{"roles":[{"b":1}]}}"#, "shop.products"),
      (#"{"payload":{"users":[{"a":1}]},"region":{"plans":["x"]}}"#, "payload.users"),
      (#"{"_embedded":{"orders":[{"a":1}]},"_links":{"self":{"href":"/"}}}"#, "_embedded.orders"),
      (#"{"query":{"search":[{"a":1}]},"warnings":{"main":{"a":1}}}"#, "query.search"),
      (#"{"webPages":{"value":[{"a":1}]},"mainline":{"a":["x"]}}"#, "webPages.value"),
      (#"{"tracks":{"list":[{"a":1}],"next":null},"owner2":{"a":["x"]}}"#, "tracks.list"),
      (#"{"data":{"viewer":{"id":1,"repos":[{"a":1}]}}}"#, "data.viewer.repos"),
      (#"{"id":"1","result":{"users":[{"a":1}]}}"#, "result.users"),
      (#"{"tags":["x"],"user":{"roles":[{"a":1}]}}"#, "tags"),
      (
        #"{"data":{"Page":{"pageInfo":{"lastPage":1,"hasNextPage":false},"media":[{"a":1}]}}}"#,
        "data.Page.media"
      ),
      (#"{"code":0,"page":{"totalCount":1,"list":[{"a":1}],"links":[{"b":1}]}}"#, "page.list"),
      (#"{"page":{"total":1,"records":[{"a":1}],"orders":[{"b":1}]}}"#, "page.records"),
      (#"{"page":{"total":1,"list":[{"b":1}]},"orders":[{"a":1}]}"#, "orders"),
    ])
  func contentObjects(body: String, path: String) throws {
    #expect(try PageSample(response: body).page(.auto).style.itemsPath == JSONPath(path))
  }

  @Test(
    "Errors that have an identity in a list that is counted are its items",
    arguments: [
      (#"{"import_errors":[{"import_error_id":1,"filename":"f"}],"total_entries":1}"#),
      (#"{"import_errors":[{"import_error_id":1,"filename":"f"}]}"#),
      (#"{"errors":[{"id":1,"type":"crash","count":5}],"total":1}"#),
      (#"{"error_list":[{"id":1,"message":"m"}],"page":1,"total_pages":1}"#),
      (#"{"meta":{"total":1},"exceptions":[{"id":"e","class":"E"}]}"#),
      (#"{"messages":[{"id":1,"text":"a"}]}"#), (#"{"errors":[{"id":1,"message":"m"}],"total":1}"#),
      (#"{"data":{"errors":[{"id":1}],"next":null}}"#),
      (#"{"payload":{"errors":[{"id":1,"title":"x"}],"total":1}}"#),
      (#"{"payload":{"validation_errors":[{"id":1,"title":"x"}],"total":1}}"#),
      (#"{"errors1":["a"],"errors2":[{}],"errors3":["c"],"errors4":["d"],"errors5":[{"id":1}],"total":1}"#),
    ])
  func listsOfErrors(body: String) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.items.count == 1 && page.next == nil)
    if body.contains("total") {
      let more = body.replacing(/(total\w*":)1/) { "\($0.output.1)9" }
      let error = #expect(throws: PageError.self) { try PageSample(response: more).page(.auto) }
      #expect(error?.continuation != nil)
    }
  }

  @Test(
    "Errors that are only reported stay an error",
    arguments: [
      #"{"errors":[{"message":"x"}],"data":{"errors":[],"next":null}}"#,
      #"{"errors":[{"message":"x","code":400}]}"#, #"{"errors":[{"message":"x"}],"total":1}"#,
      #"{"errors":[{"id":"1","status":"400","title":"x"}]}"#,
      #"{"errors":[{"id":1,"message":"x"}],"total":0}"#,
      #"{"errors":[{"id":1,"message":"x"}],"items":[],"total":1}"#,
      #"{"errors":[{"id":1,"message":"x"}],"data":null,"page":1}"#,
      #"{"validation_errors":[{"field":"a","message":"x"}],"error":"x"}"#,
      #"{"errors":[{"error_id":"e7","message":"x"}]}"#,
    ])
  func reportedErrors(body: String) {
    #expect(throws: PageError.reported(["x"])) { try PageSample(response: body).page(.auto) }
  }

  @Test(
    "Reports beside or around the items are not the items",
    arguments: [
      (#"{"messages":[{"code":"OK"}],"payload":{"results":[{"a":1}]}}"#, "payload.results", 1),
      (#"{"messages":[],"payload":{"results":[{"a":1}]}}"#, "payload.results", 1),
      (#"{"result":[],"errors":[],"messages":[]}"#, "result", 0),
      (#"{"result":[{"a":1}],"messages":[{"code":1,"message":"x"}]}"#, "result", 1),
      (#"{"warnings":["slow"],"list":[{"a":1}]}"#, "list", 1),
      (#"{"errorMessages":["x"],"issues":[{"a":1}]}"#, "issues", 1),
      // Messages that are items.
      (#"{"ok":true,"messages":[{"ts":"1","text":"hi"}]}"#, "messages", 1),
      (#"{"messages":[{"sid":"1","status":"sent"}]}"#, "messages", 1),
      (#"{"ok":true,"messages":[]}"#, "messages", 0),
      (#"{"errorGroups":[{"group":{"id":1},"count":2}]}"#, "errorGroups", 1),
      (#"{"notifications":[{"title":"t","url":"/u","type":"x"}]}"#, "notifications", 1),
      (#"{"messages":[{"title":"t","text":"hi"}]}"#, "messages", 1),
      (#"{"messages":["a","b"]}"#, "messages", 2),
      (#"{"messages":["a","b"],"list":[{"a":1}]}"#, "list", 1),
      (#"{"message":["https://a.org/1.jpg"],"status":"success"}"#, "message", 1),
      (#"{"message":["hello"],"list":[{"a":1}]}"#, "list", 1),
      (#"{"data":{"result":[{"a":1}]},"warnings":[],"infos":[]}"#, "data.result", 1),
    ])
  func reports(body: String, path: String, count: Int) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.style.itemsPath == JSONPath(path))
    #expect(page.items.count == count)
  }

  @Test(
    "A body that says that there are no items is an empty page, whatever else it has",
    arguments: [
      #"{"schemas":["urn:a"],"totalResults":0,"startIndex":1,"itemsPerPage":0}"#,
      #"{"total":0,"issues":[],"components":[{"key":"a"}]}"#,
      #"{"resourceType":"Bundle","total":0}"#,
      #"{"page":{"totalElements":0}}"#, #"{"meta":{"result_count":0}}"#,
      #"{"total":0,"a":["x"],"b":{"c":[{"d":1}]}}"#, #"{"orders":[],"filters":[]}"#,
      #"{"kind":"compute#instanceList","id":"x"}"#,
    ])
  func noItems(body: String) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.items.isEmpty && page.next == nil && page.presumedEnd == nil)
    #expect(try PageSample(response: body).page(.single).items.isEmpty)
    #expect(page.style.itemsPath == nil)
    // Where it says that there are some, it is not known which.
    let other = body.replacing(":0", with: ":7")
    if other != body {
      #expect(throws: PageError.self) { try PageSample(response: other).page(.auto) }
    }
  }

  @Test(
    "An empty item array may be left out where the body says that the list has no items",
    arguments: [#"{"kind":"compute#instanceList"}"#, #"{"total":0,"etag":"e"}"#])
  func leftOutItems(body: String) throws {
    let style = PageStyle.token(at: "nextPageToken", query: "pageToken").items(at: "items")
    #expect(try PageSample(response: body).page(style).items.isEmpty)
    #expect(throws: PageError.noItems(at: "items", nil)) {
      try PageSample(response: #"{"etag":"e","total":7}"#).page(style)
    }
  }

  @Test(
    "An item array may be left out where all items are before the page by its own numbers",
    arguments: [
      #"{"start":40,"total_size":31,"http_etag":"e"}"#, #"{"start":31,"total_size":31}"#,
      #"{"schemas":["urn:a"],"totalResults":4,"startIndex":5,"itemsPerPage":0}"#,
      #"{"meta":{"offset":9,"total":8}}"#,
    ])
  func pastTheEnd(body: String) throws {
    let style = PageStyle.pageNumber("page").items(at: "entries")
    let page = try PageSample("https://a.org/?page=5", response: body).page(style)
    #expect(page.items.isEmpty && page.next == nil)
    // The last item, if they are numbered from 1; a time; and a page before the end.
    let last = #"{"start":5,"total":5,"names":["e"]}"#
    let others = [
      #"{"start":1700000000,"total":31}"#, #"{"start":30,"total_size":31}"#,
      // An object in place of an array of one; and a year.
      #"{"start":5,"total":5,"item":{"id":5}}"#, #"{"from":2024,"total":12,"rows":{"a":{"id":1}}}"#,
    ]
    for other in [last] + others {
      #expect(throws: PageError.noItems(at: "entries", nil)) {
        try PageSample("https://a.org/?page=5", response: other).page(style)
      }
    }
    let found = try PageSample("https://a.org/?start=5", response: last).page(.auto)
    #expect(found.texts == [#""e""#])
  }

  @Test("Where the program says that the errors are the items, they are")
  func errorsAsItems() throws {
    let sample = PageSample(response: #"{"errors":[{"id":1,"message":"m"}]}"#)
    #expect(try sample.page(.single.items(at: "errors")).items.count == 1)
    #expect(throws: PageError.reported(["m"])) { try sample.page(.single) }
  }

  @Test(
    "An array of errors alone is no list",
    arguments: [
      #"{"violations":[{"id":1}]}"#, #"{"faults":[{"a":1}]}"#, #"{"messages":[{"text":"no"}]}"#,
      #"{"detail":[{"loc":["query"],"msg":"missing","type":"m"}]}"#, #"{"warnings":["x"]}"#,
      #"{"errorMessages":["x"],"errors":{}}"#, #"{"error":[{"message":"x"}]}"#,
      #"{"details":[{"@type":"x"}],"code":7,"message":"denied"}"#,
      #"{"success":false,"messages":["denied"]}"#, #"{"success":false,"message":["denied"]}"#,
      #"{"error":"Bad Request","message":["x must be a string"]}"#,
      #"{"statusCode":400,"message":["x must be a string"]}"#,
      #"{"status":"error","message":["Invalid API key"]}"#,
      #"{"status":"error","messages":["Invalid API key"]}"#,
    ])
  func onlyErrors(body: String) {
    #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
  }

  /// What says without doubt that a request has failed.
  private static let certainFailures: [(String, String?)] = [
    (#""errors":["rate limited"]"#, "rate limited"),
    (#""errors":[{"detail":"slow down","status":"429"}]"#, "slow down"),
    (#""errors":[{"code":88}]"#, "88"), (#""errors":{"base":["bad"]}"#, "bad"),
    (#""errors":"bad""#, "bad"), (#""error":5"#, "5"), (#""Error":"x""#, "x"),
    (#""error":true"#, nil), (#""error":[{"message":"x"}]"#, "x"),
    (#""error":{"code":0,"Message":"x"}"#, "x"), (#""success":"false""#, nil),
    (#""error":"Not Found","message":"m""#, "m"),
    (#""error":{"message":{"lang":"en","value":"x"}}"#, "x"),
    (#""code":429,"message":"Too many""#, "Too many"),
    (#""code":50001,"msg":"rate limit""#, "rate limit"),
    (#""code":"1001","message":"Your key has expired""#, "Your key has expired"),
    (#""meta":{"code":1,"errno":"30001","msg":"system busy"}"#, "system busy"),
    (#""success":0,"msg":"m""#, "m"), (#""Response":"False","Error":"Too many""#, "Too many"),
  ]

  /// What may say so, or be about something else.
  private static let possibleFailures: [(String, String?)] = [
    (#""exception":"E""#, "E"), (#""fault":{"faultstring":"f"}"#, "f"),
    (#""errcode":40001,"errmsg":"invalid credential""#, "invalid credential"),
    (#""error_code":5,"error_msg":"x""#, "x"), (#""isError":true"#, nil),
    (#""status":"OVER_QUERY_LIMIT""#, "OVER_QUERY_LIMIT"),
    (#""status":"REQUEST_DENIED","error_message":"key""#, "key"),
    (#""status":"fail""#, "fail"),
    (#""stat":"fail","message":"Invalid API Key""#, "Invalid API Key"),
    (#""code":"401","msg":"no""#, "no"),
    (#""status":401"#, "401"), (#""timed_out":true"#, nil),
    (#""meta":{"code":429,"errorType":"rate_limit"}"#, "rate_limit"),
    (#""responseHeader":{"status":400}"#, "400"), (#""retcode":-1,"message":"m""#, "m"),
    (#""code":"E_LIMIT","message":"slow""#, "slow"),
    (#""result":"failure","reason":"no""#, "no"),
    (#""message":"You have exceeded your quota""#, "You have exceeded your quota"),
  ]

  @Test(
    "A page without items that reports a failure in any shape is no end",
    arguments: certainFailures + possibleFailures)
  func failures(members: String, message: String?) throws {
    let reported = PageError.reported(message.map { [$0] } ?? [])
    let isCertain = Self.certainFailures.contains { $0.0 == members }
    for empty in ["[]", "null"] {
      let recognized = PageStyle.linkHeader.recognized()
      let named = [PageStyle.linkHeader.items(at: "items"), .pageNumber("p")]
      for style in named where !isCertain {
        let page = try PageSample(response: #"{"items":\#(empty),\#(members)}"#).page(style)
        #expect(page.items.isEmpty, "\(style)")
      }
      for style in [.auto, recognized] + (isCertain ? named : []) {
        #expect(throws: reported, "\(style)") {
          try PageSample(response: #"{"items":\#(empty),\#(members)}"#).page(style)
        }
      }
    }
    // One with no item array as well, and one with items is a page.
    #expect(throws: reported) {
      try PageSample(response: "{\(members)}").page(.linkHeader.items(at: "items"))
    }
    if !members.contains(#""errors":[{"#) {
      let page = try PageSample(response: #"{"items":[{}],\#(members)}"#)
        .page(.linkHeader.items(at: "items"))
      #expect(page.items.count == 1)
    }
  }

  @Test("A failure is found in the objects around the items")
  func enclosed() {
    for body in [
      #"{"ocs":{"meta":{"status":"failure","message":"m"},"data":[]}}"#,
      #"{"response":{"errors":["m"],"docs":[]}}"#,
      #"{"header":{"status":"error","message":"m"},"body":{"items":[]}}"#,
    ] {
      #expect(throws: PageError.reported(["m"]), "\(body)") {
        try PageSample(response: body).page(.auto)
      }
    }
  }

  @Test(
    "A report that says that all is well is no failure",
    arguments: [
      #""error":{"code":"ok","message":"","log_id":"x"}"#, #""error":{"code":0,"message":""}"#,
      #""error":{"message":null,"code":null}"#, #""error":0"#, #""error":0.0"#, #""error":-0e2"#,
      #""error":200.0"#, #""error":"none""#, #""errors":[]"#,
      #""errors":{}"#, #""errors":null"#, #""errcode":0,"errmsg":"ok""#, #""error_code":"00000""#,
      #""code":200,"msg":"OK""#, #""code":20000,"message":"success""#, #""code":0,"message":"x""#,
      #""status":"ok""#, #""status":200"#, #""status":"ZERO_RESULTS""#, #""success":true"#,
      #""success":1,"messages":[]"#, #""message":"no results""#, #""fault":null"#,
      #""timed_out":false"#, #""code":500"#, #""meta":{"code":200}"#, #""errorMessages":[]"#,
      #""code":1000,"message":"Found 0""#, #""code":20000,"message":"0 errors, 0 rows""#,
      #""code":40400,"msg":"invalid page""#, #""code":0,"message":"rate limit: 60""#,
      #""code":"090001","message":"Statement executed""#,
      #""statusCode":2000,"message":"Data fetched""#, #""code":4711,"details":"Widget""#,
      #""success":0,"failure":0"#, #""ok":0,"failed":0"#, #""error":"-""#, #""error":"N/A""#,
      #""error_message":"No error occurred""#,
    ])
  func noFailures(members: String) throws {
    for style in [PageStyle.auto, .linkHeader.items(at: "items")] {
      let page = try PageSample(response: #"{"items":[],\#(members)}"#).page(style)
      #expect(page.items.isEmpty && page.next == nil)
    }
  }

  @Test(
    "What echoes a filter is no failure to a style that the program has named",
    arguments: [
      #"{"status":"failed","jobs":[]}"#, #"{"timed_out":true,"jobs":[]}"#,
      #"{"incomplete_results":true,"jobs":[]}"#,
    ])
  func echoes(body: String) throws {
    for style in [PageStyle.single, .linkHeader.items(at: "jobs"), .offset("skip")] {
      #expect(try PageSample(response: body).page(style).items.isEmpty)
    }
    #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
  }

  @Test(
    "The message of a failure is no secret of its report",
    arguments: [
      #""error":{"access_token":"CANARY"}"#, #""errors":{"password":["CANARY"]}"#,
      #""error":{"details":{"session_id":"CANARY"}}"#, #""errors":[{"api_key":"CANARY"}]"#,
      #""error":{"request":{"user":"CANARY"},"retry":7}"#, #""error":[{"a":{"b":["CANARY"]}}]"#,
      #""error":{"user":"CANARY","id":7}"#, #""success":false,"token":"CANARY""#,
      #""success":false,"info":{"X-Auth":"CANARY"}"#,
    ])
  func secrets(members: String) throws {
    #expect(throws: PageError.reported([])) {
      try PageSample(response: #"{"items":[],\#(members)}"#).page(.auto)
    }
  }
}

extension PageError {
  /// The first path of several.
  fileprivate var firstPath: JSONPath {
    if case .ambiguousItems(let paths) = self, let first = paths.first { first } else { .root }
  }
}
