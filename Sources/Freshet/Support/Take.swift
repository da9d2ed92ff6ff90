extension Optional {
  /// The value, leaving nil behind.
  mutating func take() -> Self {
    defer { self = nil }
    return self
  }
}

extension Array {
  /// The elements, leaving none behind.
  mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
