extension Array {
  /// The elements, leaving none behind.
  mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
