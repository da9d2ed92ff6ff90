/// Reads the lines of a `Link` field: the first line of the input is the URL of the response.
func fuzzLinkHeader(_ input: FuzzInput) {
  var input = input
  let reference = input.line()
  let url = URIReference.resolve(reference, against: "https://a.example/b/c?d") ?? ""
  let fields = input.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let header = LinkHeader(fields)
  require(header.links == fields.flatMap { LinkHeader([$0]).links }, "lines are not independent")
  for link in header.links {
    require(LinkHeader([link.printed]).links == [link], "\(link) is read as another link")
    require(
      link.relations.allSatisfy { !$0.isEmpty && $0 == $0.asciiLowercased }, "\(link.relations)")
    _ = link.title
  }
  let printed = header.links.map(\.printed).joined(separator: ", ")
  require(LinkHeader([printed]).links == header.links, "a list is read as other links")
  for relation in ["next", "prev", "Last"] + header.links.flatMap(\.relations).prefix(4) {
    _ = header.malformedElement(for: relation)
    guard let target = header.target(of: relation, from: url) else { continue }
    require(
      target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(target) has characters of no URI")
    require(header.link(for: relation, from: url) != nil, "\(relation) has a target and no link")
    require(
      URIReference.resolve(target, against: url) == target, "\(target) is not absolute or stable")
  }
}

extension LinkHeader.Link {
  /// The link as a sender writes it, RFC 8288 section 3.
  fileprivate var printed: String {
    parameters.reduce(into: "<\(target)>") { text, parameter in
      let value = parameter.value.unicodeScalars.map { scalar in
        scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
      }
      text += "; \(parameter.name)=\"\(value.joined())\""
    }
  }
}
