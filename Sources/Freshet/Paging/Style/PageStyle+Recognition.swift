/// Recognizes the conventions of well-known APIs for tokens, cursors and page numbers, where
/// request and response together show without doubt how to continue.
extension PageStyle.Response {
  /// The style of a response to a request without a body.
  var queryStyle: PageStyle? {
    if isText("next_page_token") { return .token(at: "next_page_token", query: "page_token") }
    if isText("nextPageToken") { return .token(at: "nextPageToken", query: "pageToken") }
    if frame["ok"]?.bool == true, isText("response_metadata.next_cursor") {
      return .token(at: "response_metadata.next_cursor", query: "cursor")  // Slack
    }
    if isObjectList, isText("next_cursor") {
      return .token(at: "next_cursor", query: "start_cursor")  // Notion
    }
    if frame["apiVersion"] != nil, isText("metadata.continue") {
      return .token(at: "metadata.continue", query: "continue")  // Kubernetes
    }
    if frame["kind"]?.string == "Listing", isText("data.after") {
      return .token(at: "data.after", query: "after")  // Reddit
    }
    if itemPath == "records", itemArray[at: "-1.createdTime"] != nil, isText("offset") {
      return .token(at: "offset", query: "offset")  // Airtable
    }
    let query = URIQuery(url: head.request.url)
    if isStripeList, query.value(of: "ending_before") == nil, let id = itemArray[at: "-1.id"],
      id.string?.isEmpty == false || id.kind == .number
    {
      return .lastItem("id", query: "starting_after", more: "has_more")
    }
    return numberedStyle(query)
  }

  /// Whether this has the shape of Stripe's lists, and indicates more items.
  var isStripeList: Bool { isObjectList && frame["has_more"]?.bool == true && isText("url") }

  /// The style of a response to a request with a JSON body, which the cursor is set in.
  var bodyStyle: PageStyle? {
    guard let body = head.request.body.flatMap({ try? JSONText(parsing: $0) }) else { return nil }
    if body["TableName"] != nil, frame["LastEvaluatedKey"]?.members?.isEmpty == false {
      return .cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey")  // DynamoDB
    }
    if body["query"]?.kind == .object, isText("continuationMarker") {
      return .cursor(at: "continuationMarker", bodyKey: "continuationMarker")  // CloudKit
    }
    if isObjectList, isText("next_cursor") {
      return .cursor(at: "next_cursor", bodyKey: "start_cursor", more: "has_more")  // Notion
    }
    if itemPath == "hits.hits", body["sort"] != nil, body["from"]?.int ?? 0 == 0,
      itemArray[at: "-1.sort"]?.elements?.isEmpty == false
    {
      return .cursor(at: "hits.hits.-1.sort", bodyKey: "search_after")  // Elasticsearch
    }
    if let connectionPath, isText(connectionPath.appending("endCursor")),
      let name = body["query"]?.string?.variableOfAfter
    {
      return .cursor(
        at: connectionPath.appending("endCursor"),
        bodyKey: JSONPath(names: ["variables", name]),
        more: connectionPath.appending("hasNextPage"))
    }
    return nil
  }

  /// The path of the `pageInfo` of a GraphQL connection that has a next page: beside the items, or
  /// further out.
  var connectionPath: JSONPath? {
    itemPath.names.indices.reversed().lazy
      .map { JSONPath(names: itemPath.names[..<$0] + ["pageInfo"]) }
      .first { frame[at: $0.appending("hasNextPage")]?.bool == true }
  }

  /// The member with the number of pages, if the member with the number of this page shows that
  /// there are more.
  var pagesAfter: JSONPath? { numberings.first { $0.hasMore }?.countPath }

  private func isText(_ path: JSONPath) -> Bool {
    frame[at: path]?.string?.isEmpty == false
  }

  /// `"object": "list"`, as in Stripe's lists and those modeled on them.
  private var isObjectList: Bool { frame["object"]?.string == "list" }

  // MARK: Numbers

  /// The number of a page, and of all pages, in one object of a response.
  struct Numbering {
    var number: Int
    var count: Int
    var countPath: JSONPath
    /// Whether the first page is known to be number 0.
    var isFromZero: Bool

    /// Whether there are pages after this one.
    var hasMore: Bool { number < count && !(isFromZero && number.isFollowed(by: count)) }
  }

  /// The numbers of this page and of all pages that the response has.
  var numberings: [Numbering] {
    descriptions.compactMap { members in
      guard
        let found = members.first(where: {
          ListSign($0.name) == .pageCount && $0.value.statedCount != nil
        }), let count = found.value.statedCount
      else { return nil }
      let number = pageNumber(in: members)
      // Spring Data counts from 0.
      let springNumber = found.name == "totalpages" ? self.number(["number"], in: members) : nil
      return (number ?? springNumber).map {
        Numbering(
          number: $0, count: count, countPath: found.path, isFromZero: number == nil || $0 == 0)
      }
    }
  }

  private func number(_ names: [String], in members: [Descriptor]) -> Int? {
    names.lazy.compactMap { name in members.first { $0.name == name }?.value.statedCount }.first
  }

  private func pageNumber(in members: [Descriptor]) -> Int? {
    number(["page", "currentpage", "pagenumber"], in: members)
  }

  /// A counting style, if the response repeats the number in the request.
  private func numberedStyle(_ query: URIQuery) -> PageStyle? {
    func states(_ number: Int, _ name: String, from first: Int) -> Bool {
      query.value(of: name).map { Int($0) == number } ?? (number == first)
    }
    for members in descriptions {
      // The number or the offset of the next page, beside that of this one.
      for next in members {
        guard let following = next.value.statedCount else { continue }
        if next.name == "nextpage", let number = pageNumber(in: members),
          number.isFollowed(by: following), states(number, "page", from: 1)
        {
          return .token(at: next.path, query: "page")
        }
        if next.name == "nextoffset", head.itemCount > 0, following < .max,
          let offset = number(["offset"], in: members),
          offset.saturatingSum(head.itemCount) == following, states(offset, "offset", from: 0)
        {
          return .token(at: next.path, query: "offset")
        }
      }
    }
    for numbering in numberings {
      for parameter in ["page", "p", "page[number]", "pageNumber", "page_number"]
      where query.value(of: parameter).map({ Int($0) == numbering.number }) == true {
        return .pageNumber(
          parameter, startingAt: numbering.isFromZero ? 0 : 1, totalPageCount: numbering.countPath)
      }
    }
    for name in ["offset", "skip", "startAt"] {
      // Jira has no other name for it.
      let start = name == "startAt" && frame["maxResults"] != nil ? 0 : nil
      guard let offset = query.value(of: name).map({ Int($0) }) ?? start,
        frame[name]?.int == offset,
        let (total, _) = statedTotal, total > offset
      else { continue }
      return .offset(name)
    }
    return nil
  }
}

extension ResourceKey {
  /// Whether the request may be for something other than the start of a list: then a total does not
  /// show what comes after the response.
  var statesPosition: Bool {
    let members = body.map { (try? JSONText(parsing: $0))?.members } ?? []
    guard let members else { return true }
    let positions = [
      "page", "offset", "skip", "start", "from", "cursor", "after", "before", "token", "since",
      "until", "max_id", "min_id", "index", "last", "next", "marker",
    ]
    let sizes = ["size", "per", "limit", "count"]
    return (URIQuery(url: url).parameters.map(\.name) + members.map(\.name))
      .map(\.asciiLowercased)
      .contains { name in
        name == "p"
          || positions.contains(where: name.contains) && !sizes.contains(where: name.contains)
      }
  }
}

extension String {
  /// The variable that a GraphQL query uses as its only `after` argument.
  fileprivate var variableOfAfter: String? {
    let uses = matches(of: /\bafter\s*:\s*\$([_A-Za-z][_0-9A-Za-z]*)/)
    return uses.count == 1 ? uses.first.map { String($0.output.1) } : nil
  }
}
