import Foundation

/// One JSON value (RFC 8259) as the bytes that the server sent.
///
/// Nothing is converted: a number such as `12345678901234567890`, `1e400` or `1.0`, the escapes of
/// a string, the order of an object's members and the white space inside the value stay as they
/// were sent. Two values are equal when their bytes are; compare ``compact`` to ignore white space.
///
/// ```swift
/// let page = try JSONText(parsing: #"{"items": [{"id": 9007199254740993}], "next": null}"#)
/// page["items"]?.elements?.first?["id"]?.description  // "9007199254740993"
/// page["next"]?.kind                                  // .null
/// ```
///
/// A part of a value shares its storage: reading 50 elements of a body copies no byte of them, and
/// keeps the body in memory for as long as one of them exists. See ``detached()``.
public struct JSONText: Sendable, Hashable {
  /// The value's bytes: valid JSON in UTF-8, without white space around the value.
  ///
  /// As with every slice of `Data`, the first index need not be zero.
  public let bytes: Data

  /// The maximum depth of nested arrays and objects: 512.
  public static let maximumDepth = 512

  /// The ranges of the long arrays of a parsed document, the outermost ones, in order. A search for a member
  /// passes them without reading them: saves 10 % of a walk over pages whose items are in a member.
  let longArrays: [Range<Int>]

  /// Creates a value from bytes that are known to be exactly one valid value.
  init(valid bytes: Data, longArrays: [Range<Int>] = []) {
    self.bytes = bytes
    self.longArrays = longArrays
  }

  /// Parses a document: checks it and keeps its value.
  ///
  /// The check is strict (one value, valid UTF-8, no trailing commas, no comments, no bare control
  /// characters), except that a byte order mark at the start is skipped, as RFC 8259 section 8.1
  /// allows. It runs in one pass without recursion.
  ///
  /// - Throws: ``SyntaxError`` with the position and what was expected there.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsing document: Data) throws(SyntaxError) {
    let (value, longArrays) = try document.span.validatedJSON()
    self.init(
      valid: document[
        document.startIndex + value.lowerBound..<document.startIndex + value.upperBound],
      longArrays: longArrays)
  }

  /// Parses a document in a string.
  public init(parsing document: String) throws(SyntaxError) {
    try self.init(parsing: Data(document.utf8))
  }

  /// The part of this value at a range of offsets from its first byte.
  subscript(valid range: Range<Int>) -> JSONText {
    JSONText(
      valid: bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
  }

  /// Returns the same value in separate storage, so that it does not keep a larger document in memory.
  public func detached() -> JSONText {
    JSONText(valid: bytes.withUnsafeBytes { Data($0) }, longArrays: longArrays)
  }

  /// Whether two values have the same bytes.
  public static func == (left: JSONText, right: JSONText) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    bytes.hashAll(into: &hasher)
  }
}

extension JSONText {
  /// The kinds of JSON values.
  public enum Kind: Sendable, Hashable {
    /// An object.
    case object
    /// An array.
    case array
    /// A string.
    case string
    /// A number.
    case number
    /// `true` or `false`.
    case bool
    /// `null`.
    case null
  }

  /// The kind of this value.
  public var kind: Kind {
    switch bytes.span[0] {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }
}

extension JSONText: CustomStringConvertible {
  /// The value as it was sent.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
