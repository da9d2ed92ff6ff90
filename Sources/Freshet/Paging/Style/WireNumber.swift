/// Parses the counts that servers send, clamped to the range of `Int`.
extension Int {
  /// The count in a text, clamped to `Int`, so that a number too large to count is still larger than
  /// others. Nil for a fraction, for text that is not a number, and for a negative number: servers send
  /// -1 if they have not counted.
  init?(wireCount text: some StringProtocol) {
    if let number = Int(text) {
      guard number >= 0 else { return nil }
      self = number
      return
    }
    guard text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }),
      let number = Double(text), number >= 0, number.rounded() == number
    else { return nil }
    self = Int(exactly: number) ?? .max
  }

  /// The least number that is a time, and not the number of a page or an item.
  static let firstTime = 1_000_000_000

  /// Whether this may be the number or the offset of a page.
  var mayBePosition: Bool { (0..<Int.firstTime).contains(self) }

  /// The number; nil for one too large to count.
  var ifCounted: Int? { self < .max ? self : nil }

  /// Whether another number is the successor of this one.
  func isFollowed(by next: Int) -> Bool {
    self < .max && self + 1 == next
  }
}

extension JSONText {
  /// A number as a count, parsed as by ``Swift/Int/init(wireCount:)``; nil for any other kind.
  var count: Int? {
    kind == .number ? Int(wireCount: description) : nil
  }

  /// A number, or one that is written as a string of digits, as a count; nil for any other value.
  var statedCount: Int? {
    guard kind == .string else { return count }
    guard let string, !string.isEmpty, string.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(wireCount: string)
  }
}
