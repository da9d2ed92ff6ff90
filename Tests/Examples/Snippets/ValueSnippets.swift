import Foundation
import Freshet

/// Makes a function return the values of the expressions in it, as texts.
@resultBuilder
enum Values {
  static func buildExpression<Value>(_ value: Value) -> [String] { ["\(value)"] }
  static func buildExpression<Value>(_ value: Value?) -> [String] {
    [value.map { "\($0)" } ?? "nil"]
  }
  static func buildExpression(_ action: Void) -> [String] { [] }
  static func buildBlock(_ values: [String]...) -> [String] { values.flatMap(\.self) }
  static func buildOptional(_ values: [String]?) -> [String] { values ?? [] }
}

/// What the doc comments of values show.
enum ValueExamples {
  @Values
  static func headers() -> [String] {
    // snippet
    var headers: HTTPHeaders = ["Accept": "application/json"]
    headers.append("en", for: "Accept-Language")
    headers["accept"]  // "application/json"
    // end
  }

  @Values
  static func links() -> [String] {
    // snippet
    let links = LinkHeader(["</items?page=3>; rel=\"next\", </items?page=1>; rel=\"prev\""])
    links.target(of: "next", from: "https://api.example.com/items?page=2")
    // "https://api.example.com/items?page=3"
    // end
  }

  @Values
  static func mediaType() -> [String] {
    // snippet
    let type = MediaType("application/problem+JSON; charset=utf-8")
    type?.isJSON  // true
    type?.matches("application/*")  // true
    type?.charset  // "utf-8"
    // end
  }

  @Values
  static func key() -> [String] {
    // snippet
    let key = ResourceKey(absoluteURL: "HTTPS://API.example.com:443/items?page=2#top")
    key?.url  // "https://api.example.com/items?page=2"
    // end
  }

  // MARK: JSON

  struct Envelope<Content: Decodable>: Decodable { let data: Content }
  struct Profile: Decodable { let firstName: String }

  @MainActor
  static func envelope(_ service: Service) -> Resource<Profile> {
    // snippet
    let enveloped = ContentDecoder("profile", accepting: ["application/json"]) { input in
      try input.decodeJSON(Envelope<Profile>.self).data
    }
    let profile = service.resource("profile", decoder: enveloped)
    // end
    return profile
  }

  static func paths() -> [JSONPath] {
    // snippet
    let next: JSONPath = "links.next"
    let cursor: JSONPath = "hits.hits.-1.sort"  // -1 is the last element of an array
    let link: JSONPath = "@odata.nextLink"  // a name with a dot in it needs no quoting
    // end
    return [next, cursor, link]
  }

  @Values
  static func setting() throws -> [String] {
    // snippet
    let body = try JSONText(parsing: #"{"query": "{ … }"}"#)
    try body.setting("variables.after", to: JSONText(string: "Y3Vyc29y"))
    // {"query": "{ … }","variables":{"after":"Y3Vyc29y"}}
    // end
  }

  @Values
  static func json() throws -> [String] {
    // snippet
    let page = try JSONText(parsing: #"{"items": [{"id": 9007199254740993}], "next": null}"#)
    page["items"]?.elements?.first?["id"]?.description  // "9007199254740993"
    page["next"]?.kind  // .null
    // end
  }

  // MARK: Paging

  @Values
  static func pageLinks() -> [String] {
    // snippet
    PageLink(.follow("/items?page=2"))
    PageLink(.query("page_token", "Cg=="))
    PageLink(.body("variables.after", JSONText(string: "Y3Vyc29y")))
    // end
  }

  @Values
  static func styles() -> [String] {
    // snippet
    PageStyle.linkHeader  // GitHub, GitLab, Mastodon
    PageStyle.nextURL(at: "next").items(at: "results")  // Django REST framework
    PageStyle.token(at: "nextPageToken", query: "pageToken")  // Google APIs
    PageStyle.cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey").items(at: "Items")
    // end
  }

  @Values
  static func cursors() -> [String] {
    // snippet
    PageStyle.cursor(
      at: "data.repository.issues.pageInfo.endCursor", bodyKey: "variables.after",
      more: "data.repository.issues.pageInfo.hasNextPage")
    PageStyle.cursor(at: "hits.hits.-1.sort", bodyKey: "search_after").items(at: "hits.hits")
    // end
  }

  @Values
  static func bodyOffset() -> [String] {
    // snippet
    // POST {"limit": 50, "offset": 0}: the body has the number to count from.
    PageStyle.offset("offset").items(at: "results")
    // end
  }

  static func custom() -> PageStyle {
    // snippet
    let style = PageStyle.custom("after last id") { response in
      guard let id = response.items.last?["id"]?.string else { return .init() }
      return .init(next: PageLink(.query("after", id)))
    }
    // end
    return style
  }

  static func mapping() -> PaginatorMapping {
    // snippet
    let mapping = PaginatorMapping(
      perPage: "pagination.per_page", totalPageCount: "pagination.total_pages",
      totalCount: "pagination.total_objects")
    // end
    return mapping
  }

  static func patterns(_ configured: String) throws -> [PaginatorPattern] {
    // snippet
    let articles: PaginatorPattern = "articles?per_page=:perPage&page=:currentPage"
    let rows = try PaginatorPattern(parsing: configured)  // "rows?limit=:perPage&skip=:offset"
    // end
    return [articles, rows]
  }
}
