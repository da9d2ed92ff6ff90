/// RFC 3986 section 5.2, transcribed: its regular expression and its pseudocode, without
/// optimization.
enum NaiveURI {
  static func resolve(_ reference: String, against base: String) -> String? {
    let r = split(reference)
    let b = split(base)
    var t = r
    if r.scheme != nil {
      t.path = removeDotSegments(r.path)
    } else {
      if r.authority != nil {
        t.path = removeDotSegments(r.path)
      } else {
        if r.path == "" {
          t.path = b.path
          t.query = r.query != nil ? r.query : b.query
        } else {
          if r.path.hasPrefix("/") {
            t.path = removeDotSegments(r.path)
          } else {
            t.path = merge(b, r.path)
            t.path = removeDotSegments(t.path)
          }
        }
        t.authority = b.authority
      }
      t.scheme = b.scheme
    }
    normalize(&t)
    guard let scheme = t.scheme else { return nil }
    let disambiguation = t.authority == nil && t.path.hasPrefix("//") ? "/." : ""
    return scheme + ":" + (t.authority.map { "//" + $0 } ?? "") + disambiguation + t.path
      + (t.query.map { "?" + $0 } ?? "")
      + (t.fragment.map { "#" + $0.replacing("#", with: "%23") } ?? "")
  }

  private typealias Parts = (
    scheme: String?, authority: String?, path: String, query: String?, fragment: String?
  )

  private static func split(_ text: String) -> Parts {
    let expression = /(([A-Za-z][A-Za-z0-9+.\-]*):)?(\/\/([^\/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/
    guard let match = text.wholeMatch(of: expression)?.output else {
      return (nil, nil, text, nil, nil)
    }
    return (
      match.2.map(String.init), match.4.map(String.init), String(match.5), match.7.map(String.init),
      match.9.map(String.init)
    )
  }

  /// Sections 6.2.2.1 and 6.2.3, for URLs of HTTP with a host and a port that is one.
  private static func normalize(_ parts: inout Parts) {
    guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let match = parts.authority?.wholeMatch(of: /(.*@)?((?:.*\])?[^:\]@]*)(?::([0-9]*))?/)?
        .output,
      !match.2.isEmpty
    else { return }
    var port = ""
    if let digits = match.3, !digits.isEmpty {
      guard let number = UInt16(digits) else { return }
      port = number == (scheme == "http" ? 80 : 443) ? "" : ":\(number)"
    }
    parts.scheme = scheme
    parts.authority = (match.1 ?? "") + match.2.lowercased() + port
  }

  private static func merge(_ base: Parts, _ path: String) -> String {
    if base.authority != nil && base.path == "" { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return path }
    return base.path[...slash] + path
  }

  private static func removeDotSegments(_ path: String) -> String {
    var input = path
    var output = ""
    while input != "" {
      if input.hasPrefix("../") {
        input.removeFirst(3)
      } else if input.hasPrefix("./") {
        input.removeFirst(2)
      } else if input.hasPrefix("/./") {
        input = "/" + input.dropFirst(3)
      } else if input == "/." {
        input = "/"
      } else if input.hasPrefix("/../") || input == "/.." {
        input = "/" + input.dropFirst(4)
        output = String(output.prefix(upTo: output.lastIndex(of: "/") ?? output.startIndex))
      } else if input == "." || input == ".." {
        input = ""
      } else {
        let end = input.dropFirst().firstIndex(of: "/") ?? input.endIndex
        output += input[..<end]
        input = String(input[end...])
      }
    }
    return output
  }
}
