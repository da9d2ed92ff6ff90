/// Parses the counts that servers send, clamped to the range of `Int`.
extension Int {
  /// The whole number in a text, clamped to `Int`, so that a number too large to count is still
  /// larger than others. Nil for a fraction, and for text that is not a number.
  init?(wireNumber text: some StringProtocol) {
    if let number = Int(text) {
      self = number
      return
    }
    guard text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }),
      let number = Double(text), number.rounded() == number
    else { return nil }
    self = Int(exactly: number) ?? (number < 0 ? .min : .max)
  }

  /// Whether another number is the successor of this one.
  func isFollowed(by next: Int) -> Bool {
    self < .max && self + 1 == next
  }
}

extension JSONText {
  /// A number as a count, parsed as by ``Swift/Int/init(wireNumber:)``; nil for any other kind.
  var count: Int? {
    kind == .number ? Int(wireNumber: description) : nil
  }
}
