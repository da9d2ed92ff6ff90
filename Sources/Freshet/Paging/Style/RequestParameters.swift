/// The parameters of a request: those of its query and, by their names, the members of its JSON body.
struct RequestParameters {
  /// The JSON body, if there is one.
  let body: JSONText?
  /// Names and values; a `null` is an empty value.
  private let values: [(name: MemberName, value: String)]
  /// Whether there is a body that is no JSON object.
  private let hasOtherBody: Bool

  init(_ request: ResourceKey) {
    body = request.body.flatMap { try? JSONText(parsing: $0) }
    hasOtherBody = request.body != nil && body?.kind != .object
    values =
      URIQuery(url: request.url).parameters.map { (MemberName($0.name), $0.value ?? "") }
      + (body?.namedMembers ?? []).map { name, value in
        (name, value.kind == .null ? "" : value.string ?? value.description)
      }
  }

  /// Whether the request may be for something other than the start of a list: then a total does not
  /// show what comes after the response.
  ///
  /// The start is 0 or nothing and, where pages or items are numbered, 1.
  var mayStartLater: Bool {
    hasOtherBody
      || values.contains { name, value in
        let isSize =
          name.isPageSize || ["size", "count", "limit"].contains(where: name.joined.hasSuffix)
        guard !isSize, !["", "0"].contains(value) else { return false }
        return Self.positions.contains(where: name.joined.contains)
          || value != "1"
            && (name.joined == "p" || Self.numbers.contains(where: name.joined.contains))
      }
  }

  private static let numbers = ["page", "start", "from", "index"]
  private static let positions = [
    "offset", "skip", "cursor", "after", "before", "token", "since", "until", "maxid", "minid",
    "last", "next", "marker",
  ]

  /// Whether a page with that number of items has fewer than were requested.
  func requestMore(than count: Int) -> Bool {
    values.contains { $0.name.isPageSize && Int($0.value) ?? 0 > count }
  }

  /// Whether a token in the response may be that of the next page, and is not the position of this one:
  /// a number of items to skip, or what the request has in its query or in a member of its body.
  func mayPrecede(_ token: String, named name: MemberName) -> Bool {
    !token.isEmpty && !(name.joined.hasSuffix("offset") && Int(token) != nil)
      && !values.contains { $0.value == token }
  }
}
