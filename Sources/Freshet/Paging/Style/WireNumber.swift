/// Reading counts that a server sends: whatever it sends, as far as `Int` goes.
extension Int {
  /// The whole number in a text; one beyond `Int` is its nearest value, so that more than can be counted
  /// is still more. Nil for a fraction, and for what is no number.
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

  /// Whether the other number is the one after this.
  func isFollowed(by next: Int) -> Bool {
    self < .max && self + 1 == next
  }
}

extension JSONText {
  /// A number that counts something, as ``Swift/Int/init(wireNumber:)`` reads it; nil for any other kind.
  var count: Int? {
    kind == .number ? Int(wireNumber: description) : nil
  }
}
