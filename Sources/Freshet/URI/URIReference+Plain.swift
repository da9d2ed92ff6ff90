/// The common case: references and URLs that need no parsing, because their bytes are those of the result.
extension URIReference {
  /// A reference resolved as a byte append to an origin.
  struct PlainTarget: Hashable {
    /// The absolute URL: `http` or `https`, a host in lower case, no user name, no port, no fragment.
    let url: String
    /// Whether the origin is known to be that of the base. False where it may still be.
    let hasOriginOfBase: Bool
  }

  /// The target of a reference that stands in the result to the letter, as most next links do: an
  /// absolute path (`/items?page=2`), a query alone (`?page=2`), or a URL with a path.
  ///
  /// - Returns: nil where there is anything to encode or to remove; then ``resolve(_:against:)`` does.
  /// - Complexity: one scan of the reference and one of the base's part that is copied.
  static func plainTarget(of reference: String, against base: String) -> PlainTarget? {
    var (text, base) = (reference, base)
    return text.withUTF8 { bytes in
      guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "?") else {
        guard let length = plainOriginLength(of: bytes), isPlainAbsolutePath(bytes[length...])
        else { return nil }
        let hasOriginOfBase = base.withUTF8 { beginsWithOrigin(bytes[..<length], $0) }
        return PlainTarget(url: reference, hasOriginOfBase: hasOriginOfBase)
      }
      let isQuery = bytes.first == UInt8(ascii: "?")
      guard isQuery ? isPlainPath(bytes[...]) : isPlainAbsolutePath(bytes[...]) else { return nil }
      return base.withUTF8 { base in
        guard var length = plainOriginLength(of: base) else { return nil }
        if isQuery {
          let path = base[length...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
          guard isPlainPath(path) else { return nil }
          length = path.endIndex
        }
        return PlainTarget(url: String(joining: base[..<length], bytes), hasOriginOfBase: true)
      }
    }
  }

  private static func isPlainAbsolutePath(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    path.first == UInt8(ascii: "/") && path.dropFirst().first != UInt8(ascii: "/")
      && isPlainPath(path)
  }

  /// Whether a URL begins with an origin, to the letter, and the origin ends there.
  private static func beginsWithOrigin(
    _ origin: Slice<UnsafeBufferPointer<UInt8>>, _ url: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard url.starts(with: origin) else { return false }
    guard url.count > origin.count else { return true }
    let end = url[origin.count]
    return end == UInt8(ascii: "/") || end == UInt8(ascii: "?") || end == UInt8(ascii: "#")
  }

  /// Whether two origins are those of one host over `http` and over `https`, at the default ports.
  ///
  /// A redirect from one to the other stays within an origin as far as secrets are concerned: whoever
  /// could read the first request has read it already.
  static func isUpgrade(from origin: String, to other: String) -> Bool {
    guard origin.hasPrefix("http://"), other.hasPrefix("https://") else { return false }
    let host = origin.utf8.dropFirst("http://".utf8.count)
    // An origin without a port has the default port of its scheme.
    return !host.contains(UInt8(ascii: ":"))
      && host.elementsEqual(other.utf8.dropFirst("https://".utf8.count))
  }

  /// The origin of a URL that begins with it to the letter, as nearly all do: `http` or `https`, a
  /// host in lower case, no user name and no port. Nil for any other URL.
  static func plainOrigin(of absoluteURL: String) -> Substring? {
    plainOriginLength(of: absoluteURL).map { length in
      absoluteURL[..<absoluteURL.utf8.index(absoluteURL.startIndex, offsetBy: length)]
    }
  }

  /// The length of a prefix that the bytes begin with; nil where they begin with something else.
  private static func length(
    of prefix: StaticString, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    let length = prefix.utf8CodeUnitCount
    guard bytes.count >= length else { return nil }
    for index in 0..<length where bytes[index] != prefix.utf8Start[index] { return nil }
    return length
  }

  /// How many bytes of a URL are its origin, to the letter; nil where there is more to it.
  static func plainOriginLength(of url: String) -> Int? {
    var url = url
    return url.withUTF8 { plainOriginLength(of: $0) }
  }

  private static func plainOriginLength(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = length(of: "https://", in: bytes) ?? length(of: "http://", in: bytes) else {
      return nil
    }
    var end = start
    scan: while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        end += 1
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
      default: return nil
      }
    }
    return end > start ? end : nil
  }
}

extension String {
  /// Joins ASCII bytes.
  fileprivate init(
    joining first: Slice<UnsafeBufferPointer<UInt8>>, _ second: UnsafeBufferPointer<UInt8>
  ) {
    self.init(unsafeUninitializedCapacity: first.count + second.count) { bytes in
      let bytes = UnsafeMutableRawBufferPointer(bytes)
      bytes.copyMemory(from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: first)))
      UnsafeMutableRawBufferPointer(rebasing: bytes[first.count...])
        .copyMemory(from: UnsafeRawBufferPointer(second))
      return bytes.count
    }
  }
}
