import Foundation

extension JSONText {
  /// The value of a string with its escapes resolved, or nil for any other kind.
  ///
  /// Also nil for a string with half of a surrogate pair (`"\ud800"`), which JSON's grammar allows
  /// and no Unicode text can hold.
  public var string: String? {
    let bytes = bytes.span
    guard bytes[0] == UInt8(ascii: "\"") else { return nil }
    return bytes.unescapedString(in: 0..<bytes.count).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of `true` or `false`, or nil for any other kind.
  public var bool: Bool? {
    switch bytes.span[0] {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The value of a number that is written as an integer and that `Int` can hold, or nil.
  ///
  /// `1.0` and `1e3` are not written as integers: deciding whether such numbers are whole needs
  /// more precision than a `Double` has.
  public var int: Int? {
    kind == .number ? Int(description) : nil
  }

  /// The `Double` that is closest to a number, or nil for any other kind and for a number beyond its range.
  public var double: Double? {
    kind == .number ? Double(description).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  /// Decodes the value as a Swift type.
  ///
  /// - Throws: what the decoder throws, usually `DecodingError`.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: bytes)
  }

  /// Creates the JSON of a value, with sorted object keys, such as the body of a resource that is loaded by POST.
  ///
  /// Sorted, because the order of members is part of a resource's identity, and that of a dictionary differs from
  /// one run of the program to the next. A `JSONText` within the value becomes a string; see ``encode(to:)``.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - configure: changes the encoder, which has the default ``JSONSettings``: the body is part of the resource's
  ///     identity, so the settings of a service do not apply to it.
  /// - Throws: what the encoder throws, usually `EncodingError`, or ``SyntaxError`` for a value nested deeper than
  ///   ``maximumDepth``.
  public init(
    encoding value: some Encodable,
    configure: (JSONEncoder) -> Void = { _ in }
  ) throws {
    let encoder = JSONSettings().makeEncoder()
    configure(encoder)
    try self.init(parsing: Self.encode(value, with: encoder))
  }

  /// Encodes a value. A `JSONText` is its bytes: the encoder would make a string of it.
  static func encode(_ value: some Encodable, with encoder: JSONEncoder) throws -> Data {
    if let text = value as? JSONText { return text.bytes }
    return try encoder.encode(value)
  }

  /// Creates a JSON string.
  ///
  /// Only what JSON demands is escaped: the quote, the backslash and control characters.
  public init(string: String) {
    var bytes = Data([UInt8(ascii: "\"")])
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8)
        bytes.append(contentsOf: digits.utf8)
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    self.init(valid: bytes)
  }

  /// Creates a JSON number.
  public init(int: Int) {
    self.init(valid: Data(String(int).utf8))
  }

  /// `null`.
  public static let null = JSONText(valid: Data("null".utf8))

  static let emptyArray = JSONText(valid: Data("[]".utf8))
}

extension Span<UInt8> {
  /// The UTF-8 of the string in a range, quotes included; nil if an escape is half of a surrogate
  /// pair.
  func unescapedString(in range: Range<Int>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    let end = range.upperBound - 1
    var position = range.lowerBound + 1
    while position < end {
      let byte = self[position]
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        position += 1
        continue
      }
      let escape = self[position + 1]
      guard escape == UInt8(ascii: "u") else {
        text.append(Self.character(ofEscape: escape))
        position += 2
        continue
      }
      guard let (scalar, next) = unescapedScalar(at: position) else { return nil }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      position = next
    }
    return text
  }

  /// The scalar of one `\u` escape, or of a surrogate pair of two, and the offset after it.
  private func unescapedScalar(at position: Int) -> (Unicode.Scalar, next: Int)? {
    let high = codeUnit(at: position)
    if let scalar = Unicode.Scalar(high) { return (scalar, position + 6) }
    guard UTF16.isLeadSurrogate(high), self[position + 6] == UInt8(ascii: "\\"),
      self[position + 7] == UInt8(ascii: "u")
    else { return nil }
    let low = codeUnit(at: position + 6)
    guard UTF16.isTrailSurrogate(low) else { return nil }
    let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
    return Unicode.Scalar(value).map { ($0, position + 12) }
  }

  /// The four hexadecimal digits of the `\u` escape at an offset.
  private func codeUnit(at position: Int) -> UInt16 {
    (position + 2..<position + 6).reduce(0) { $0 << 4 | UInt16(self[$1].hexValue ?? 0) }
  }

  private static func character(ofEscape escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }
}
