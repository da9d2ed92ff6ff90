extension String {
  /// The words of a name in lower case, as `next`, `page` and `token` of `nextPageToken` and
  /// `NEXT-page_token`; digits are not part of them.
  var words: [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    let bytes = Array(utf8)
    func isUpper(_ index: Int) -> Bool {
      index < bytes.count && bytes[index].isASCIILetter && bytes[index] & 0x20 == 0
    }
    func isLower(_ index: Int) -> Bool {
      index < bytes.count && bytes[index].isASCIILetter && bytes[index] & 0x20 != 0
    }
    for (index, byte) in bytes.enumerated() {
      guard byte.isASCIILetter || byte >= 0x80 else {
        end()
        continue
      }
      if isUpper(index), index > 0, isLower(index - 1) || isUpper(index - 1) && isLower(index + 1) {
        end()
      }
      word.append(byte.isASCIILetter ? byte | 0x20 : byte)
    }
    end()
    return words
  }
}

extension StringProtocol {
  /// The letters and digits, in lower case.
  var withoutSeparators: String {
    let bytes = utf8.lazy.filter { $0.isASCIILetter || $0.isASCIIDigit }
    return String(decoding: bytes.map { $0.isASCIIDigit ? $0 : $0 | 0x20 }, as: UTF8.self)
  }
}
