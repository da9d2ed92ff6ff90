import Foundation
import Freshet

/// Texts that are to be hidden in others, wherever they are written as they are or percent-encoded.
struct HiddenTexts: Sendable {
  /// The bytes of the texts, by their first one.
  private var texts = [[[UInt8]]](repeating: [], count: 256)

  init(_ texts: some Sequence<String>) {
    // One that is composed looks like one that is not.
    let forms = texts.flatMap {
      [$0, $0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping]
    }
    for bytes in Set(forms.map { Array($0.utf8) }) {
      guard let first = bytes.first else { continue }
      self.texts[Int(first)].append(bytes)
    }
  }

  /// The text with `***` in place of these, even if they overlap.
  func hidden(in text: String) -> String {
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var hiddenEnd = 0
    for index in bytes.indices {
      if let end = end(in: bytes, at: index) {
        if index >= hiddenEnd { shown += Redaction.placeholder.utf8 }
        hiddenEnd = max(hiddenEnd, end)
      }
      if index >= hiddenEnd { shown.append(bytes[index]) }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Where the longest of the texts ends that begins at an index; nil if none does.
  private func end(in bytes: [UInt8], at index: Int) -> Int? {
    let (written, byte) = (bytes[index], HiddenTexts.decoded(bytes, at: index).byte)
    var longest: Int?
    for text in texts[Int(written)] where bytes[index...].starts(with: text) {
      longest = max(longest ?? 0, index + text.count)
    }
    for text in texts[Int(written)] + (byte == written ? [] : texts[Int(byte)]) {
      if let end = HiddenTexts.end(of: text, encodedIn: bytes, at: index) {
        longest = max(longest ?? 0, end)
      }
    }
    return longest
  }

  /// Where a text ends that is percent-encoded, wholly or in part.
  private static func end(of text: [UInt8], encodedIn bytes: [UInt8], at index: Int) -> Int? {
    var index = index
    for expected in text {
      guard index < bytes.count else { return nil }
      let (byte, next) = decoded(bytes, at: index)
      if byte == expected {
        index = next
      } else if bytes[index] == expected {
        index += 1
      } else {
        return nil
      }
    }
    return index
  }

  /// The byte that is percent-encoded at an index, or a space for a `+` of a form, and where what follows begins.
  private static func decoded(_ bytes: [UInt8], at index: Int) -> (byte: UInt8, next: Int) {
    switch bytes[index] {
    case UInt8(ascii: "+"): return (UInt8(ascii: " "), index + 1)
    case UInt8(ascii: "%") where index + 2 < bytes.count:
      let digits = (1...2).map { Character(Unicode.Scalar(bytes[index + $0])).hexDigitValue }
      guard let high = digits[0], let low = digits[1] else { break }
      return (UInt8(high << 4 | low), index + 3)
    default: break
    }
    return (bytes[index], index + 1)
  }
}
