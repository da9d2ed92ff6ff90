import Foundation

/// Turning the bytes of a text into a string, by the charset that the server names.
package enum TextEncoding {
  /// The text, or nil if the charset is not known or the bytes are not valid in it.
  ///
  /// A byte order mark counts for more than the charset, as in browsers, and is not part of the text.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - charset: a label in any case, such as ``MediaType/charset``; nil stands for UTF-8.
  package static func decode(_ data: Data, charset: String?) -> String? {
    for (mark, encoding) in byteOrderMarks where data.starts(with: mark) {
      return decode(data.dropFirst(mark.count), as: encoding)
    }
    guard let charset else { return decode(data, as: .utf8) }
    return encoding(forCharset: charset).flatMap { decode(data, as: $0) }
  }

  /// The encoding that a charset label stands for, or nil for one that Foundation cannot decode
  /// everywhere (`euc-jp` among them, which is missing on Linux).
  ///
  /// Labels are those of the WHATWG Encoding standard that are in use; `utf-16` is little-endian, as
  /// there, unless a byte order mark says otherwise.
  package static func encoding(forCharset label: String) -> String.Encoding? {
    encodings[label.trimmingHTTPSpace.asciiLowercased]
  }

  private static func decode(_ data: Data, as encoding: String.Encoding) -> String? {
    // Foundation drops half a code unit at the end without a word.
    let isUTF16 = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
    guard !isUTF16 || data.count.isMultiple(of: 2) else { return nil }
    return String(data: data, encoding: encoding)
  }

  private static let byteOrderMarks: [(mark: [UInt8], encoding: String.Encoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16BigEndian),
    ([0xFF, 0xFE], .utf16LittleEndian),
  ]

  private static let encodings: [String: String.Encoding] = {
    let labels: [(String.Encoding, [String])] = [
      (.utf8, ["utf-8", "utf8"]),
      (.ascii, ["us-ascii", "ascii"]),
      (.utf16LittleEndian, ["utf-16", "utf-16le"]),
      (.utf16BigEndian, ["utf-16be"]),
      (.isoLatin1, ["iso-8859-1", "iso8859-1", "latin1", "l1"]),
      (.isoLatin2, ["iso-8859-2", "iso8859-2", "latin2", "l2"]),
      (.coreFoundation(0x0205), ["iso-8859-5", "iso8859-5", "cyrillic"]),
      (.coreFoundation(0x0207), ["iso-8859-7", "iso8859-7", "greek"]),
      (.coreFoundation(0x0209), ["iso-8859-9", "iso8859-9", "latin5", "l5"]),
      (.coreFoundation(0x020D), ["iso-8859-13", "iso8859-13"]),
      (.coreFoundation(0x020F), ["iso-8859-15", "iso8859-15", "latin9", "l9"]),
      (.windowsCP1250, ["windows-1250", "cp1250"]),
      (.windowsCP1251, ["windows-1251", "cp1251"]),
      (.windowsCP1252, ["windows-1252", "cp1252"]),
      (.windowsCP1253, ["windows-1253", "cp1253"]),
      (.windowsCP1254, ["windows-1254", "cp1254"]),
      (.coreFoundation(0x0505), ["windows-1255", "cp1255"]),
      (.coreFoundation(0x0506), ["windows-1256", "cp1256"]),
      (.coreFoundation(0x0507), ["windows-1257", "cp1257"]),
      (.coreFoundation(0x0508), ["windows-1258", "cp1258"]),
      (.coreFoundation(0x041D), ["windows-874", "tis-620", "iso-8859-11"]),
      (.coreFoundation(0x0A02), ["koi8-r", "koi8"]),
      (.shiftJIS, ["shift_jis", "shift-jis", "sjis", "ms_kanji", "windows-31j"]),
      (.iso2022JP, ["iso-2022-jp"]),
      (.coreFoundation(0x0940), ["euc-kr", "ks_c_5601-1987"]),
      (.coreFoundation(0x0A03), ["big5", "big5-hkscs"]),
      // GB 18030 holds GBK and GB 2312, which Foundation on Linux cannot decode by themselves.
      (.coreFoundation(0x0632), ["gb18030", "gbk", "gb2312"]),
    ]
    return Dictionary(
      uniqueKeysWithValues: labels.flatMap { encoding, labels in labels.map { ($0, encoding) } })
  }()
}

extension String.Encoding {
  /// The encoding of a `CFStringEncoding`, which Foundation numbers so on every platform.
  fileprivate static func coreFoundation(_ value: UInt) -> String.Encoding {
    String.Encoding(rawValue: 0x8000_0000 | value)
  }
}
