import Foundation
import Testing

@testable import Freshet

@Suite("Text encodings")
struct TextEncodingTests {
  @Test(
    "Every charset that is known really decodes here",
    arguments: [
      ("utf-8", "€", [0xE2, 0x82, 0xAC]), ("UTF8", "€", [0xE2, 0x82, 0xAC]),
      ("us-ascii", "A", [0x41]),
      ("iso-8859-1", "ä", [0xE4]), ("iso-8859-2", "č", [0xE8]), ("iso-8859-5", "А", [0xB0]),
      ("iso-8859-7", "α", [0xE1]), ("iso-8859-9", "ğ", [0xF0]), ("iso-8859-13", "č", [0xE8]),
      ("iso-8859-15", "€", [0xA4]), ("windows-1250", "č", [0xE8]), ("windows-1251", "А", [0xC0]),
      ("windows-1252", "€", [0x80]), ("windows-1253", "α", [0xE1]), ("windows-1254", "ğ", [0xF0]),
      ("windows-1255", "א", [0xE0]), ("windows-1256", "ا", [0xC7]), ("windows-1257", "č", [0xE8]),
      ("windows-1258", "đ", [0xF0]), ("windows-874", "ก", [0xA1]), ("koi8-r", "а", [0xC1]),
      ("Shift_JIS", "日本", [0x93, 0xFA, 0x96, 0x7B]), ("euc-kr", "가", [0xB0, 0xA1]),
      ("big5", "中", [0xA4, 0xA4]),
      ("iso-2022-jp", "日", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42]),
      ("gb18030", "你", [0xC4, 0xE3]),
      ("gbk", "你", [0xC4, 0xE3]), ("gb2312", "你", [0xC4, 0xE3]), ("utf-16", "€", [0xAC, 0x20]),
      ("utf-16le", "€", [0xAC, 0x20]), ("utf-16be", "€", [0x20, 0xAC]),
    ] as [(String, String, [UInt8])])
  func charsetDecodes(charset: String, text: String, bytes: [UInt8]) {
    #expect(TextEncoding.decode(Data(bytes), charset: charset) == text)
  }

  @Test("Without a charset text is UTF-8")
  func defaultIsUTF8() {
    #expect(TextEncoding.decode(Data("€".utf8), charset: nil) == "€")
    #expect(TextEncoding.decode(Data(), charset: nil) == "")
  }

  @Test(
    "A byte order mark counts for more than the charset and is no part of the text",
    arguments: [[0xEF, 0xBB, 0xBF, 0x41], [0xFE, 0xFF, 0x00, 0x41], [0xFF, 0xFE, 0x41, 0x00]]
      as [[UInt8]])
  func byteOrderMark(bytes: [UInt8]) {
    for charset in [nil, "utf-8", "utf-16", "iso-8859-1", "unknown"] {
      #expect(
        TextEncoding.decode(Data(bytes), charset: charset)?.utf8.elementsEqual("A".utf8) == true)
    }
  }

  @Test("Bytes that are not valid and charsets that are not known have no text")
  func invalid() {
    #expect(TextEncoding.decode(Data([0xFF, 0x41]), charset: nil) == nil)
    #expect(TextEncoding.decode(Data([0xE4]), charset: "us-ascii") == nil)
    #expect(TextEncoding.decode(Data([0x41, 0x00, 0x42]), charset: "utf-16") == nil)
    #expect(TextEncoding.decode(Data([0x00, 0xD8]), charset: "utf-16le") == nil)
    #expect(TextEncoding.decode(Data([0x41]), charset: "euc-jp") == nil)
    #expect(TextEncoding.decode(Data([0x41]), charset: "") == nil)
  }
}
