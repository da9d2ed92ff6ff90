import Foundation

/// The URL that the paths of a service are relative to: a pure value.
struct BaseURL: Sendable {
  /// The base with a path that ends in `/`, without query and fragment.
  let text: String
  /// The origin that the service's credentials belong to; nil for an unusable base.
  let origin: String?

  init(_ url: String) {
    let bare = String(url.prefix { $0 != "?" && $0 != "#" })
    let encoded = URIReference.resolve(bare, against: "") ?? bare
    text = encoded.hasSuffix("/") ? encoded : encoded + "/"
    origin = URIReference.origin(of: text)
  }

  /// The absolute URL of a path below the base; a leading `/` makes no difference, and the empty path
  /// is the base itself.
  ///
  /// - Throws: `UnusableURL` for an absolute URL: another host needs the explicit call.
  func resolve(_ path: String) throws(UnusableURL) -> String {
    guard origin != nil else { throw UnusableURL(text, "the base URL is not an absolute http URL") }
    if let plain = withPlainURL(of: path, { String(decoding: $0, as: UTF8.self) }) { return plain }
    let relative = path.utf8.drop { $0 == UInt8(ascii: "/") }
    if path.contains("://") && URIReference.origin(of: path) != nil {
      throw UnusableURL(
        path, "it is absolute; use resource(absoluteURL:) where leaving the base URL is meant")
    }
    // "./" keeps a colon in the first segment from being read as a scheme.
    guard let resolved = URIReference.resolve("./" + String(Substring(relative)), against: text)
    else { throw UnusableURL(path, "it does not resolve against the base URL") }
    return URIReference.removingFragment(resolved)
  }

  /// Calls the body with the bytes of the URL of a path in which there is nothing to encode or to
  /// remove, which takes one scan and one copy on the stack; for any other path, returns nil.
  func withPlainURL<Result>(
    of path: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    guard origin != nil else { return nil }
    var (base, path) = (text, path)
    return path.withUTF8 { path in
      let relative = path[(path.firstIndex { $0 != UInt8(ascii: "/") } ?? path.endIndex)...]
      guard URIReference.isPlainPath(relative) else { return nil }
      return base.withUTF8 { base in
        withUnsafeTemporaryAllocation(byteCount: base.count + relative.count, alignment: 1) { url in
          url.copyMemory(from: UnsafeRawBufferPointer(base))
          UnsafeMutableRawBufferPointer(rebasing: url[base.count...])
            .copyMemory(from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: relative)))
          return body(UnsafeRawBufferPointer(url))
        }
      }
    }
  }

  /// An absolute URL in the form that a key has.
  func absolute(_ url: String) throws(UnusableURL) -> String {
    guard let absolute = URIReference.absolute(url) else {
      throw UnusableURL(url, "it is not an absolute http or https URL with a host")
    }
    return absolute
  }

  /// Whether a URL has the origin of the base, or that of the same host over `https`, to which redirects take the
  /// credentials too.
  func isOrigin(of url: String) -> Bool {
    guard let origin else { return false }
    // Nearly all begin with it to the letter.
    if url.utf8.starts(with: origin.utf8) {
      let next = url.utf8.dropFirst(origin.utf8.count).first
      if next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?") { return true }
    }
    return URIReference.isSameOrigin(url, as: origin)
  }
}
