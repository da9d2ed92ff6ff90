/// URI references as strings, RFC 3986: resolving them, and comparing origins.
///
/// Foundation's `URL(string:relativeTo:)` is not used for this. It refuses the empty reference, which
/// stands for the base; and once any character of a reference has to be encoded it encodes the whole
/// reference again, so that `a%2fb c` becomes `a%252fb%20c`: another resource. What comes out of
/// ``resolve(_:against:)`` needs no encoding any more, so `URL(string:)` keeps it to the letter.
package enum URIReference {
  /// The absolute URI that a reference stands for in a document at `base`, RFC 3986 section 5.2.
  ///
  /// The result is ASCII. Bytes that may not stand where they are in a URI are percent-encoded, a `%`
  /// that encodes nothing becomes `%25`, and the existing encoding is kept to the letter. White
  /// space and controls around the reference are dropped, its fragment is kept. Scheme and host of an
  /// HTTP URL are in lower case and a default port is left out, so that what means the same is equal.
  ///
  /// - Returns: nil if the reference is relative and `base` is not absolute.
  /// - Complexity: O(*n*) in the bytes of both.
  package static func resolve(_ reference: String, against base: String) -> String? {
    if let target = plainTarget(of: reference, against: base) { return target.url }
    var target = URIParts(reference)
    guard target.resolve(against: base) else { return nil }
    target.normalizeOrigin()
    return target.text
  }

  /// An absolute `http` or `https` URL without its fragment, in the form of ``resolve(_:against:)``; nil for any other
  /// text.
  static func absolute(_ url: String) -> String? {
    guard origin(of: url) != nil, let resolved = resolve(url, against: "") else { return nil }
    return removingFragment(resolved)
  }

  /// Whether a path, with or without a query, is in a URI what it is here: nothing to encode, no dot
  /// segments, no fragment, and no colon, which might end a scheme.
  static func isPlainPath(_ path: Substring.UTF8View) -> Bool {
    path.withContiguousStorageIfAvailable { isPlainPath($0[...]) } ?? false
  }

  /// Whether the bytes of a path are in a URI what they are here.
  static func isPlainPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var previous = UInt8(ascii: "/")
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "="),
        UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: ","):
        break
      case UInt8(ascii: "."):
        if previous == UInt8(ascii: "/") { return false }
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.endIndex, bytes[index + 1].hexValue != nil,
          bytes[index + 2].hexValue != nil
        else { return false }
        index += 2
      default: return false
      }
      previous = byte
      index += 1
    }
    return true
  }

  /// The URI without its fragment, otherwise to the letter.
  package static func removingFragment(_ uri: String) -> String {
    uri.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(uri[..<$0]) } ?? uri
  }

  /// The origin of a URL, RFC 6454: `"https://host"` or `"https://host:8443"`.
  ///
  /// Scheme and host are in lower case, a default port is left out, so that two URLs have one origin
  /// where the strings are equal. User names and passwords are not part of it.
  ///
  /// - Returns: nil if the URL is not absolute, not `http` or `https`, or has no usable host or port.
  package static func origin(of absoluteURL: String) -> String? {
    if let origin = plainOrigin(of: absoluteURL) { return String(origin) }
    return URIParts(absoluteURL).origin.map { "\($0.scheme)://\($0.hostAndPort)" }
  }
}
