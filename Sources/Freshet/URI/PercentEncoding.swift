/// Percent-encoding, RFC 3986 section 2.1.
package enum PercentEncoding {
  /// `unreserved`, RFC 3986 section 2.3: what means the same encoded or not.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }

  /// The text with every byte of its UTF-8 form encoded that is not unreserved.
  package static func encode(_ text: some StringProtocol) -> String {
    encode(text, keepingTriplets: false, isKept: isUnreserved)
  }

  /// The text with those bytes of its UTF-8 form encoded that the class does not keep.
  ///
  /// - Parameter keepingTriplets: whether `%` followed by two hexadecimal digits stays as it is; any
  ///   other `%` becomes `%25`, so that the result is encoded throughout.
  /// - Complexity: O(*n*) in the bytes of the text.
  static func encode(
    _ text: some StringProtocol, keepingTriplets: Bool, isKept: (UInt8) -> Bool
  ) -> String {
    let bytes = text.utf8
    guard !bytes.allSatisfy(isKept) else { return String(text) }
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count + 32)
    for index in bytes.indices {
      let byte = bytes[index]
      if isKept(byte) || (keepingTriplets && startsTriplet(bytes[index...])) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The bytes that the text stands for, or nil if a `%` is not followed by two hexadecimal digits.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var decoded: [UInt8] = []
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = bytes.next()?.hexValue, let low = bytes.next()?.hexValue else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func startsTriplet(_ bytes: some Collection<UInt8>) -> Bool {
    let triplet = bytes.prefix(3)
    return triplet.count == 3 && triplet.first == UInt8(ascii: "%")
      && triplet.dropFirst().allSatisfy { $0.hexValue != nil }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x37 + value
  }
}
