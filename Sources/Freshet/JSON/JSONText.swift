import Foundation

/// One JSON value (RFC 8259) as the bytes that the server sent.
///
/// Nothing is converted: a number such as `12345678901234567890`, `1e400` or `1.0`, the escapes of
/// a string, the order of an object's members and the white space inside the value stay as they
/// came. Two values are equal when their bytes are; compare ``compact`` to ignore white
/// space.
///
/// ```swift
/// let page = try JSONText(parsing: #"{"items": [{"id": 9007199254740993}], "next": null}"#)
/// page["items"]?.elements?.first?["id"]?.description  // "9007199254740993"
/// page["next"]?.kind                                  // .null
/// ```
///
/// A value taken out of another one shares its storage: taking 50 elements out of a body copies no
/// byte of them, and keeps the body in memory for as long as one of them lives. See ``detached()``.
public struct JSONText: Sendable, Hashable {
  /// The value's bytes: valid JSON in UTF-8, without white space around the value.
  ///
  /// As with every slice of `Data`, the first index need not be zero.
  public let bytes: Data

  /// How many arrays and objects may stand inside each other: 512.
  public static let maximumDepth = 512

  /// Takes bytes that are known to be exactly one valid value.
  init(valid bytes: Data) {
    self.bytes = bytes
  }

  /// Checks a whole document and keeps its value.
  ///
  /// The check is strict (one value, valid UTF-8, no trailing commas, no comments, no bare control
  /// characters), except that a byte order mark at the start is skipped, as RFC 8259 section 8.1
  /// allows. It runs in one pass without recursion.
  ///
  /// - Throws: ``SyntaxError`` with the place and what was expected there.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsing document: Data) throws(SyntaxError) {
    let value = try document.span.validatedJSON()
    self.init(
      valid: document[
        document.startIndex + value.lowerBound..<document.startIndex + value.upperBound])
  }

  /// Checks a document that is at hand as a string.
  public init(parsing document: String) throws(SyntaxError) {
    try self.init(parsing: Data(document.utf8))
  }

  /// The part of this value at a range of offsets from its first byte.
  subscript(valid range: Range<Int>) -> JSONText {
    JSONText(
      valid: bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
  }

  /// The same value in storage of its own, so that it does not keep a larger document in memory.
  public func detached() -> JSONText {
    JSONText(valid: bytes.withUnsafeBytes { Data($0) })
  }
}

extension JSONText {
  /// What a value is.
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

  /// What this value is.
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
