import Foundation

/// Makes pages of responses. The lines of the input are a style, a URL, a request body, header lines up to
/// an empty line, and the body.
func fuzzPageStyle(_ input: FuzzInput) {
  var input = input
  let style = (try? PageStyle(parsing: input.line())) ?? .auto
  require((try? PageStyle(parsing: style.name)) == style, "\(style.name) names another style")
  let base = "https://a.example/items"
  let reference = PageLink(.follow(input.line()))
  let target = try? reference.applied(to: ResourceKey(url: base), responseURL: base).url
  // Foundation has no URL for some hosts: such a request fails, and has no response.
  let url = target.flatMap { URL(string: $0) } ?? URL(filePath: "/")
  let requestBody = try? JSONText(parsing: input.line())
  let key = ResourceKey(
    method: requestBody == nil ? .get : .post, url: url.absoluteString, body: requestBody?.bytes)
  let fields = input.lines().compactMap { line -> HTTPHeaders.Field? in
    let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, HTTPHeaders.isValidName(parts[0]) else { return nil }
    return HTTPHeaders.Field(name: parts[0], value: parts[1])
  }
  let response = HTTPResponse(
    status: 200, headers: HTTPHeaders(fields), body: Data(input.bytes), url: url)
  let styles = [
    style, .auto, .linkHeader, .nextURL(at: "next"), .pageNumber("page", totalPageCount: "pages"),
    .offset("offset", limit: "limit"), .token(at: "next", query: "page", untilRepeated: true),
    .lastItem("id", query: "after", more: "more"), .cursor(at: "next", bodyKey: "after.0.b"),
    .token(inHeader: "X-Next-Page", query: "page"), .header("X-Next-Page").items(at: "items"),
  ]
  for style in styles { check(style, response, to: key) }
}

private func check(_ style: PageStyle, _ response: HTTPResponse, to key: ResourceKey) {
  guard let page = try? style.page(from: response, to: key) else { return }
  require((try? style.page(from: response, to: key)) == page, "\(style) makes two pages of one")
  require((page.totalCount ?? 0) >= 0, "\(style): a total of \(page.totalCount ?? 0)")
  let ahead = (1...3).compactMap(page.link(ahead:))
  for link in [page.next, page.previous].compactMap(\.self) + ahead {
    _ = try? link.applied(to: key, responseURL: response.url.absoluteString)
    if let data = try? JSONEncoder().encode(link) {
      require((try? JSONDecoder().decode(PageLink.self, from: data)) == link, "\(link)")
    }
  }
  require(Set(ahead).count == ahead.count, "\(style): a page ahead is another one as well")
  // Items of a type take another path through the body.
  if let typed = try? style.page(of: AnyItem.self, from: response, to: key) {
    require(
      typed.items.count == page.items.count && typed.next == page.next
        && typed.previous == page.previous && typed.totalCount == page.totalCount
        && typed.style == page.style, "\(style): decoded items make another page")
  }
  // What a 304 confirms without a change stays.
  let confirmation = ContentConfirmation(
    key: key, url: response.url.absoluteString, oldHeaders: response.headers,
    headers: response.headers)
  if let confirmed = try? page.confirmed(by: confirmation) {
    fail("\(style): the same header fields change \(page) to \(confirmed)")
  }
  // The recognized style makes the same page again.
  if let again = try? page.style.page(from: response, to: key) {
    require(
      again.next == page.next && again.items == page.items, "\(page.style), recognized by \(style)")
  }
}

/// An item of any JSON.
private struct AnyItem: Decodable, Sendable {
  init(from decoder: any Decoder) {}
}
