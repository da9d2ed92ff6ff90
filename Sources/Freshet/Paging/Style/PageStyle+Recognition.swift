/// Recognizes the conventions of well-known APIs for tokens, cursors and page numbers, where
/// request and response together show without doubt how to continue.
extension PageStyle.Response {
  /// The style of a response to a request without a body, of an API that is known.
  var queryStyle: PageStyle? {
    if let style = pageTokenStyle { return style }
    let conventions: [(isKnown: Bool, path: JSONPath, query: String)] = [
      (frame["ok"]?.bool == true, "response_metadata.next_cursor", "cursor"),  // Slack
      (isObjectList, "next_cursor", "start_cursor"),  // Notion
      (isOfKubernetes, "metadata.continue", "continue"),
      (frame["kind"]?.string == "Listing", "data.after", "after"),  // Reddit
      (isOfAirtable, "offset", "offset"),
      (frame["current_page_backwards"] != nil, "next_page", "cursor"),  // fastapi-pagination
    ]
    if let found = conventions.first(where: { $0.isKnown && isText($0.path) }) {
      return .token(at: found.path, query: found.query)
    }
    if isStripeList, URIQuery(url: head.request.url).value(of: "ending_before") == nil,
      let lastIdentity
    {
      return .lastItem(lastIdentity, query: "starting_after", more: "has_more")
    }
    return nil
  }

  /// The style of a token for the next page. Its parameter is that of the request, in any spelling; or else it has the
  /// name of the member without `next` (AIP-158), or that name itself if the response describes its page besides, as
  /// those of AIP-158 do not.
  private var pageTokenStyle: PageStyle? {
    let conventions = [
      ("next_page_token", "page_token", ["page_size", "page_count", "is_last", "total_count"]),
      (
        "nextPageToken", "pageToken",
        ["pageSize", "pageCount", "isLast", "moreResult", "responseSize"]
      ),
    ]
    for (name, parameter, descriptions) in conventions where isText(JSONPath(names: [name])) {
      let isNamedAlike = descriptions.contains { frame[$0] != nil }
      let isOfPlaces = frame["html_attributions"] != nil  // Google Places
      return .token(
        at: JSONPath(names: [name]),
        query: requestedPageToken
          ?? (isOfPlaces ? "pagetoken" : isNamedAlike ? name : parameter))
    }
    return nil
  }

  /// The name of the query parameter with which the request has sent such a token.
  private var requestedPageToken: String? {
    let names = URIQuery(url: head.request.url).parameters.map { MemberName($0.name) }
    return ["pagetoken", "nextpagetoken"].lazy
      .compactMap { usual in names.first { $0.joined == usual }?.text }.first
  }

  /// The path of the identity in the last item of a list modeled on Stripe's; nil if it is not at the usual one.
  var lastIdentity: JSONPath? {
    guard isObjectList, let id = itemArray[at: "-1.id"],
      id.string?.isEmpty == false || id.kind == .number
    else { return nil }
    return "id"
  }

  /// Whether this has the shape of Stripe's lists, and indicates more items.
  var isStripeList: Bool { isObjectList && frame["has_more"]?.bool == true && isText("url") }

  /// The style of a response to a request with a JSON body, which the cursor is set in.
  func bodyStyle(_ body: JSONText) -> PageStyle? {
    // DynamoDB: LastEvaluatedKey, LastEvaluatedTableName …
    let evaluated = frame.members?.first { name, value in
      name.hasPrefix("LastEvaluated") && value.isContinuation
        && (name != "LastEvaluatedKey" || body["TableName"] != nil)
    }
    if let name = evaluated?.name {
      return .cursor(
        at: JSONPath(names: [name]),
        bodyKey: JSONPath(names: ["ExclusiveStart" + name.dropFirst("LastEvaluated".count)]))
    }
    if body["query"]?.kind == .object, isText("continuationMarker") {
      return .cursor(at: "continuationMarker", bodyKey: "continuationMarker")  // CloudKit
    }
    if isObjectList, isText("next_cursor") {
      return .cursor(at: "next_cursor", bodyKey: "start_cursor", more: "has_more")  // Notion
    }
    if let (fields, values) = sorting(body),
      values > fields.count || fields.contains(where: \.isOfOne)
    {
      return .cursor(at: Self.pathOfSorting, bodyKey: "search_after")  // Elasticsearch
    }
    if let connectionPath, isText(connectionPath.appending("endCursor")),
      let names = body.variablesOfAfter, names.count == 1
    {
      return .cursor(
        at: connectionPath.appending("endCursor"),
        bodyKey: JSONPath(names: ["variables", names[0]]),
        more: connectionPath.appending("hasNextPage"))
    }
    return nil
  }

  /// Where the last hit of a search has the values that it was sorted by.
  private static let pathOfSorting: JSONPath = "hits.hits.-1.sort"

  /// The fields that the hits of a search of Elasticsearch are sorted by, and how many values the last one has for
  /// them: one more if the server distinguishes equal ones, as at a point in time. Nil for any other list.
  private func sorting(_ body: JSONText) -> (fields: [String], values: Int)? {
    guard itemPath == "hits.hits", let sort = body["sort"], body["from"]?.int ?? 0 == 0,
      let values = itemArray[at: "-1.sort"]?.elements, !values.isEmpty
    else { return nil }
    let fields = (sort.elements ?? [sort]).flatMap { field in
      field.string.map { [$0] } ?? field.members?.map(\.name) ?? []
    }
    return (fields, values.count)
  }

  /// The sign of more hits that the position of the last one is, where others may have the same: to continue after
  /// it would leave them out.
  func sharedPosition(in list: ListDescription) -> PageError.Continuation? {
    guard !head.request.method.isSafe, let body = list.parameters.body, sorting(body) != nil,
      !list.parameters.requestMore(than: head.itemCount, byDefault: 10),  // that of Elasticsearch
      list.statedTotal.map({ $0.exceeds(head.itemCount) }) ?? true
    else { return nil }
    return PageError.Continuation(at: .member(Self.pathOfSorting), .token)
  }

  /// Whether a response of this shape would have a recognized link or token if there were more items.
  func endsByConvention(_ body: JSONText?) -> Bool {
    ["@odata.context", "odata.metadata", "nextSyncToken"].contains { frame[$0] != nil }
      || frame["@context"]?.string?.contains("$metadata") == true || itemPath == "d.results"
      || frame.namesGoogleKind || isOfKubernetes || isOfAirtable || body?["TableName"] != nil
  }

  /// Whether a total is the number of items on the page with servers of that shape: Weaviate, and Artifactory's
  /// queries.
  var countsPage: Bool {
    itemPath == "objects" && frame["deprecations"] != nil || frame[at: "range.end_pos"] != nil
  }

  private var isOfKubernetes: Bool { frame["apiVersion"] != nil && frame["metadata"] != nil }

  private var isOfAirtable: Bool { itemPath == "records" && itemArray[at: "-1.createdTime"] != nil }

  /// The path of the `pageInfo` of a GraphQL connection that has a next page: beside the items, or
  /// further out.
  var connectionPath: JSONPath? {
    itemPath.names.indices.reversed().lazy
      .map { JSONPath(names: itemPath.names[..<$0] + ["pageInfo"]) }
      .first { frame[at: $0.appending("hasNextPage")]?.bool == true }
  }

  private func isText(_ path: JSONPath) -> Bool {
    frame[at: path]?.string?.isEmpty == false
  }

  /// `"object": "list"`, as in Stripe's lists and those modeled on them.
  private var isObjectList: Bool { frame["object"]?.string == "list" }
}

extension String {
  /// Whether a field of this name has another value in each document: `_id`, `uuid.keyword`, `tie_breaker_id`.
  fileprivate var isOfOne: Bool {
    let words = words.filter { !["keyword", "raw"].contains($0) }
    return [["id"], ["uid"], ["uuid"], ["guid"], ["shard", "doc"]].contains(words)
      || words.starts(with: ["tie", "breaker"]) || words.first == "tiebreaker"
  }
}

extension JSONText {
  /// The variables that the query of a GraphQL request uses as `after` arguments, one for each of these; nil for any
  /// other request.
  var variablesOfAfter: [String]? {
    self["query"]?.string.map { query in
      query.matches(of: /\bafter\s*:\s*\$([_A-Za-z][_0-9A-Za-z]*)/).map { String($0.output.1) }
    }
  }
}
