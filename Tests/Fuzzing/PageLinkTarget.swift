import Foundation

/// Makes the requests that links lead to. The lines of the input are a URL, a request body, and edits.
func fuzzPageLink(_ input: FuzzInput) {
  var input = input
  if let link = try? JSONDecoder().decode(PageLink.self, from: Data(input.bytes)) {
    checkCoding(link)
  }
  let reference = input.line()
  let base = "https://a.example/b/c?d=e"
  let url =
    (try? PageLink(.follow(reference)).applied(to: ResourceKey(url: base), responseURL: base))
  let body = try? JSONText(parsing: input.line())
  let key = ResourceKey(
    method: body == nil ? .get : .post, url: url?.url ?? base, body: body?.bytes)
  let edits = input.lines().map(PageLink.Edit.init(line:))
  var (link, rest) = (PageLink(), PageLink())
  link.edits = Array(edits.prefix(edits.count / 2))
  rest.edits = Array(edits.dropFirst(edits.count / 2))
  checkCoding(link)
  guard let second = follow(link, from: key), let third = follow(rest, from: second) else { return }
  // A page's link, made relative to the first request, leads to the same one.
  let cursor = rest.after(link, responseURL: second.url)
  guard let again = follow(cursor, from: key) else { return }
  require(again.parts == third.parts, "\(cursor) leads to \(again.url) and not to \(third.url)")
}

/// The request within the origin that a link leads to.
private func follow(_ link: PageLink, from key: ResourceKey) -> ResourceKey? {
  do throws(PageLinkError) {
    let request = try link.applied(to: key, responseURL: key.url)
    require(
      URIReference.origin(of: request.url) != nil, "\(link) leads to no HTTP URL, \(request.url)")
    require(
      request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") },
      "\(link) leads to the URL \(request.url)")
    let destination = request.destination(from: key, responseURL: key.url)
    guard destination == .sameOrigin else {
      require(request.body == nil && request.headers.fields.isEmpty, "\(destination) gets secrets")
      return nil
    }
    for field in request.headers.fields {
      require(
        HTTPHeaders.isValidName(field.name) && HTTPHeaders.isValidValue(field.value),
        "the header \(field)")
    }
    require(
      request.body.map { (try? JSONText(parsing: $0)) != nil } ?? true, "the body is not JSON")
    return request
  } catch {
    _ = error.description
    return nil
  }
}

extension ResourceKey {
  /// The parts of the request without the order of parameters and members: those that an earlier edit has
  /// added stay in its place, and those of a link from the first request are added once, at the end.
  fileprivate var parts: [String] {
    let query = URIQuery(url: url)
    let object = body.flatMap { try? JSONSerialization.jsonObject(with: $0) }
    let members = object.flatMap {
      try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
    }
    return [
      String(url.prefix { $0 != "?" }),
      query.parameters.map(\.text).sorted().joined(separator: "&"),
      members.map { String(decoding: $0, as: UTF8.self) } ?? "", "\(headers.fields)",
    ]
  }
}

private func checkCoding(_ link: PageLink) {
  guard let data = try? JSONEncoder().encode(link) else { fail("\(link) is not encoded") }
  require(
    (try? JSONDecoder().decode(PageLink.self, from: data)) == link, "\(link) is not read again")
}

extension PageLink.Edit {
  /// Reads `?name=value`, `?name`, `{path=value`, `:name=value`, or else a reference.
  fileprivate init(line: String) {
    let parts = line.dropFirst().split(separator: "=", maxSplits: 1).map(String.init)
    let (name, value) = (parts.first ?? "", parts.dropFirst().first)
    switch line.first {
    case "?": self = .query(name, value)
    case "{":
      let text = value ?? "null"
      self = .body(JSONPath(name), (try? JSONText(parsing: text)) ?? JSONText(string: text))
    case ":": self = .header(name, value ?? "")
    default: self = .follow(line)
    }
  }
}
