import Foundation

/// Styles with the URL of the next page in the response.
extension PageStyle {
  /// The style in which the `Link` header field (RFC 8288) has the links, with the relations `next`, and `prev` or
  /// `previous`.
  ///
  /// Ends if there is no link with relation `next`, or its parameter `results` is `false`, as Sentry
  /// sends it for a page without items. A malformed element that may be such a link is treated as a link
  /// that cannot be followed.
  public static let linkHeader = PageStyle(
    .linkHeader,
    rule: .head { head, _ in
      let header = LinkHeader(head.headers.values(for: "Link"))
      func link(_ relation: String) -> PageLink? {
        header.link(for: relation, from: head.url).flatMap { link in
          guard link["results"] != "false" else { return nil }
          return !header.ambiguous.isEmpty && header.ambiguous.contains(link)
            ? unusable(link.target) : PageLink(.follow(link.target))
        }
      }
      return Links(
        next: link("next") ?? header.malformedElement(for: "next").map(unusable),
        previous: link("prev") ?? link("previous"))
    })

  /// A link that cannot be followed: no reference begins with an angle bracket.
  private static func unusable(_ element: String) -> PageLink {
    PageLink(.follow(element.hasPrefix("<") ? element : "<" + element))
  }

  /// Returns a style in which a header field has the URL of the next page, such as `X-Next-Page` or `Next-Page`.
  ///
  /// Ends if the field is absent or empty. The field with `Prev` or `Previous` in place of
  /// `Next` in its name is the previous link.
  public static func header(_ name: String) -> PageStyle {
    let backwards = name.backwards
    return PageStyle(
      .header(name),
      rule: .head { head, isRecognized in
        func link(_ name: String) -> PageLink? {
          head.continuation(inField: name, isRecognized: isRecognized).map { PageLink(.follow($0)) }
        }
        return Links(next: link(name), previous: backwards.lazy.compactMap(link).first)
      })
  }

  /// Returns a style in which a body member has the URL of the next page.
  ///
  /// The member is a URI reference, or a link object with the reference in its member `href`, `url`, `uri`, `link`,
  /// `@href` or `$ref`.
  ///
  /// Ends if the member, or the target of a link object, is null, absent or `""`; any other
  /// value that is not a string is an error, and so is a link object with a `body`, or with a `method` other
  /// than that of the request. In a link object that is `templated`, the expressions `{?…}` and `{&…}` of
  /// RFC 6570 are left out. A path beside a `base` and a `context`, as with Confluence, is relative to that context.
  /// Of several URLs or link objects in an array, as in HAL, the first is followed; of several URLs of previous
  /// pages, none. In an
  /// array of links of all kinds, the last name of the path is that of the `rel`, `relation`, `type` or `name`,
  /// without case, and without `page` at its end: `links.next` finds
  /// `{"links": [{"rel": "next", "href": "?page=2"}]}`. The path with `previous` or `prev` in place of its last
  /// `next` is that of the previous link.
  public static func nextURL(at path: JSONPath) -> PageStyle { nextURL(at: path, hasFlag: false) }

  /// - Parameter hasFlag: whether responses say beside the link whether there is more. Some servers send a link with
  ///   the last page, too; if they say that it is the last one, the link is followed all the same, unless the page
  ///   has no items or the link leads back: a flag that is wrong loses nothing.
  static func nextURL(at path: JSONPath, hasFlag: Bool) -> PageStyle {
    let backwards = path.description.backwards.map { JSONPath($0) }
    return PageStyle(
      .nextURL(at: path),
      rule: .body { response, isRecognized in
        func link(_ path: JSONPath, _ found: JSONText?) throws -> PageLink? {
          try response.reference(at: path, found, isRecognized: isRecognized)
            .map { PageLink(.follow($0)) }
        }
        var links = Links(
          next: try link(path, response.body[at: path]),
          previous: backwards.lazy.compactMap { path in
            let found = response.body[at: path]
            // Of the URLs of all previous pages, nothing says which is the last of these.
            return found?.isArrayOfURLs == true ? nil : try? link(path, found)
          }.first)
        if !isRecognized, links.next == nil { links.rest = response.rest(withoutLinkAt: path) }
        if hasFlag, links.next != nil, response.pageMembers.sayEnd {
          if response.head.itemCount == 0 { links.next = nil } else { links.rest = .statedEnd }
        }
        return links
      })
  }
}

extension PageStyle.Head {
  /// The URL or token in a header field; nil if its absence ends the list.
  ///
  /// - Parameter isRecognized: whether what recognition takes for none ends it as well: also a 0, because only numbers
  ///   that count up are recognized.
  func continuation(inField name: String, isRecognized: Bool) -> String? {
    headers.values(for: name).first { isRecognized ? !$0.isEmptyToken : !$0.isEmpty }
  }
}

extension PageStyle.Response {
  /// What is known of the pages after one without a link or token at the path of the style: that there is not even
  /// a `null`, on a first page with items.
  func rest(withoutLinkAt path: JSONPath) -> PageRest? {
    guard head.itemCount > 0, body[at: path] == nil, body.relatedLinkValue(at: path) == nil,
      !RequestParameters(head.request).mayContinue
    else { return nil }
    return .nothing(at: path)
  }

  /// The URI reference at a path; nil if its absence ends the list.
  ///
  /// - Parameters:
  ///   - found: what the body has at the path.
  ///   - isRecognized: whether any value that is not a sign of more ends it as well.
  fileprivate func reference(
    at path: JSONPath, _ found: JSONText?, isRecognized: Bool
  ) throws(PageError) -> String? {
    guard let value = found == nil ? body.relatedLinkValue(at: path) : found?.linkValue,
      value.kind != .null, !isRecognized || value.isContinuation
    else { return nil }
    guard let reference = value.string else { throw .unusableLink(at: path, value.kind) }
    guard !reference.isEmpty else { return nil }
    if found?.kind != .string, let sign = body.linkObject(at: path).flatMap(otherRequest) {
      throw .unknownContinuation(sign)
    }
    return withContext(reference, at: path)
  }

  /// A reference at a path, with the context that those in its object are without, as with Confluence:
  /// `{"base": "https://x.org/wiki", "context": "/wiki", "next": "/rest/api/content?start=25"}`.
  ///
  /// Only if this response came from there.
  private func withContext(_ reference: String, at path: JSONPath) -> String {
    guard reference.hasPrefix("/"), !reference.hasPrefix("//"), path.names.count > 1,
      let links = frame[at: JSONPath(names: path.names.dropLast())],
      let context = links["context"]?.string, context.utf8.count > 1, context.hasPrefix("/"),
      !reference.hasPrefix(context + "/"), links["base"]?.string?.hasSuffix(context) == true,
      URIParts(head.url).path.hasPrefix(context + "/")
    else { return reference }
    return context + reference
  }

  /// The sign of more items that a link object is whose request has another method or a body of its own, as with
  /// STAC: to follow the reference alone would send the body of this request again.
  private func otherRequest(at path: JSONPath, _ link: JSONText) -> PageError.Continuation? {
    if let members = link["body"]?.members, !members.isEmpty {
      let path = path.appending("body")
      let sent = head.request.body.flatMap { try? JSONText(parsing: $0) }
      // What this request has not sent.
      let token = members.first { name, value in
        [.string, .number].contains(value.kind)
          && sent?[name].map { $0.description == value.description } != true
      }
      guard let token else { return PageError.Continuation(at: .member(path), .flag) }
      return PageError.Continuation(at: .member(path.appending(token.name)), .token)
    }
    guard let method = link["method"]?.string,
      method.asciiLowercased != head.request.method.rawValue.asciiLowercased
    else { return nil }
    return PageError.Continuation(at: .member(path.appending("method")), .flag)
  }
}

extension JSONText {
  /// Whether this is an array of more than one URL.
  fileprivate var isArrayOfURLs: Bool {
    elements.map { $0.count > 1 && $0[0].kind == .string } ?? false
  }

  /// The value at a path that should hold a link: the target of a link object, or of the first one of
  /// several; in an array of links, of the one of that relation.
  func linkValue(at path: JSONPath) -> JSONText? {
    if let value = self[at: path] { return value.linkValue }
    return relatedLinkValue(at: path)
  }

  /// The link object at a path at which a link is, and its own path; nil for a link that is not an object.
  fileprivate func linkObject(at path: JSONPath) -> (path: JSONPath, link: JSONText)? {
    if let value = self[at: path] {
      guard let links = value.elements else { return (path, value) }
      return links.firstIndex { $0.kind == .object }
        .map { (path.appending(String($0)), links[$0]) }
    }
    let parent = JSONPath(names: path.names.dropLast())
    guard let relation = path.names.last, let value = self[at: parent],
      let index = value.indexOfLink(relation)
    else { return nil }
    guard let links = value.elements else { return (parent, value) }
    return (parent.appending(String(index)), links[index])
  }

  /// The link of a relation, the last name of a path, in an array of links at the rest of the path.
  fileprivate func relatedLinkValue(at path: JSONPath) -> JSONText? {
    guard let relation = path.names.last, path.names.count > 1 else { return nil }
    return self[at: JSONPath(names: path.names.dropLast())]?.linkValue(of: relation)
  }

  /// What a member has that should hold a link: the target of a link object, nil if that has none, or
  /// the value itself.
  var linkValue: JSONText? {
    switch kind {
    case .object: linkTarget ?? (isLinkObject ? nil : self)
    case .array:
      elements?.first { $0.kind == .object }?.linkTarget
        // The URLs of all later pages, as with Cisco FMC.
        ?? self[at: "0"].flatMap { $0.string?.isReference == true ? $0 : nil } ?? self
    default: self
    }
  }

  /// The target of the link of a relation: in an array of links of all kinds, or in an object of links.
  func linkValue(of relation: String) -> JSONText? {
    if let value = self[relation] { return value.linkValue }
    return indexOfLink(relation).flatMap { (elements ?? [self])[$0].linkTarget }
  }

  /// Whether this is an array whose first value is a link with a relation.
  var isArrayOfLinks: Bool {
    guard kind == .array, let first = self[at: "0"], first["href"]?.kind == .string else {
      return false
    }
    return first["rel"] != nil
  }

  /// The index of the first link of a relation in an array of links of all kinds, of which this may be the only
  /// one. Relations are compared without case and separators; with some servers the name ends with `page`.
  ///
  /// - Parameter names: the members that may have the relation. A `type` or a `name` may be something else.
  func indexOfLink(
    _ relation: String, in names: [String] = ["rel", "relation", "@rel", "type", "name"]
  ) -> Int? {
    let relation = relation.withoutSeparators
    let links = elements ?? [self]
    func index(of relation: String) -> Int? {
      links.firstIndex { link in
        names.lazy.compactMap { link[$0] }.contains { value in
          (value.elements ?? [value]).contains { $0.string?.withoutSeparators == relation }
        }
      }
    }
    return index(of: relation) ?? index(of: relation + "page")
  }

  /// The index of the first link in an array of links that leads to a next page, to judge by any of its texts.
  var indexOfLikelyNext: Int? {
    (elements ?? [self]).firstIndex { link in
      ["rel", "relation", "@rel", "type", "name", "label"].contains { name in
        let words = link[name]?.string?.words ?? []
        return words.first == "next" && words.count < 3
      }
        && (link.linkTarget?.string?.isEmptyToken == false
          || link.members?.contains { $0.value.string?.isReference == true } == true)
    }
  }

  /// The value of the member of a link object that is its target; of a template, RFC 6570, without the
  /// query parameters that may be added to it.
  private var linkTarget: JSONText? {
    let target = ["href", "url", "uri", "link", "@href", "$ref"].lazy.compactMap { self[$0] }.first
    guard self["templated"]?.bool == true, let template = target?.string else { return target }
    return JSONText(string: template.replacing(/\{[?&][^{}]*\}/, with: ""))
  }

  /// Whether all members of an object describe a link, as in JSON:API and HAL, so that without
  /// `href` it is a link without a target.
  private var isLinkObject: Bool {
    let names = [
      "rel", "relation", "title", "type", "hreflang", "describedby", "meta", "name", "templated",
    ]
    return members?.allSatisfy { names.contains($0.name) } == true
  }
}

extension String {
  /// The usual names of a link to the previous page, if this one leads to the next.
  fileprivate var backwards: [String] {
    guard let range = range(of: "next", options: [.backwards, .caseInsensitive]) else { return [] }
    let names = ["next": ["previous", "prev"], "Next": ["Previous", "Prev"]][self[range]] ?? []
    return names.map { replacingCharacters(in: range, with: $0) }
  }
}
