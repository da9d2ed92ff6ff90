import Foundation

/// Reads keys from the bytes of a terminal, which may arrive in any pieces.
///
/// An escape byte begins a sequence, or is the escape key: which one is known when the next byte
/// arrives, or when none does for a moment; see ``flush()``.
struct KeyReader {
  private var bytes: [UInt8] = []

  /// How many bytes of a sequence are kept: more than any key has.
  private static let longestSequence = 32

  /// Whether bytes wait for those that complete them.
  var isWaiting: Bool { !bytes.isEmpty }

  /// Reads more bytes; returns the keys that are complete.
  mutating func keys(in input: some Sequence<UInt8>) -> [Key] {
    input.flatMap { read($0) }
  }

  /// Ends what is incomplete, because nothing has followed it for a moment.
  mutating func flush() -> [Key] {
    defer { bytes = [] }
    return bytes == [0x1B] ? [.escape] : []
  }

  private mutating func read(_ byte: UInt8) -> [Key] {
    if bytes == [0x1B], byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") {
      // The escape key, and another one.
      bytes = []
      return [.escape] + read(byte)
    }
    // What is longer is not a key, but ends as one does.
    if bytes.count >= KeyReader.longestSequence, (0x20..<0x40).contains(byte) { return [] }
    bytes.append(byte)
    if bytes[0] == 0x1B { return sequence() }
    return bytes[0] < 0x80 ? [take(KeyReader.key(of: bytes[0]))].compactMap(\.self) : character()
  }

  private mutating func take(_ key: Key?) -> Key? {
    bytes = []
    return key
  }

  private static func key(of byte: UInt8) -> Key? {
    switch byte {
    case 0x0D, 0x0A: .enter
    case 0x09: .tab
    case 0x08, 0x7F: .backspace
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }

  /// A character of several bytes. Bytes that are not UTF-8 are not a key.
  private mutating func character() -> [Key] {
    let length =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    if bytes.count > 1, bytes.last.map({ $0 & 0xC0 != 0x80 }) ?? false {
      // It is cut off by the beginning of something else.
      let next = bytes.removeLast()
      bytes = []
      return read(next)
    }
    guard bytes.count >= length else { return [] }
    let text = String(bytes: bytes, encoding: .utf8)
    bytes = []
    return text.map { $0.map(Key.character) } ?? []
  }

  /// A sequence of a terminal, ECMA-48: `ESC [`, parameters, and a final byte; or `ESC O` and a byte.
  private mutating func sequence() -> [Key] {
    guard bytes.count > 2, let final = bytes.last else { return [] }
    if bytes[1] == UInt8(ascii: "O") {
      return [take(KeyReader.key(final: final, parameter: ""))].compactMap(\.self)
    }
    guard final >= 0x40 || final < 0x20 else { return [] }
    let parameters = String(decoding: bytes[2..<(bytes.count - 1)], as: UTF8.self)
    bytes = []
    // A control character is not a part of a sequence.
    if final < 0x20 { return read(final) }
    let first = parameters.prefix { $0 != ";" }
    return [KeyReader.key(final: final, parameter: first)].compactMap(\.self)
  }

  private static func key(final: UInt8, parameter: Substring) -> Key? {
    switch (final, parameter) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    case (UInt8(ascii: "M"), ""): .enter
    default: nil
    }
  }
}
