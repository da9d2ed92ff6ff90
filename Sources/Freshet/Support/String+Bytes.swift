extension StringProtocol {
  /// Whether two texts have the same bytes: `==` takes different ones of other than ASCII characters for equal.
  @inline(__always)
  func hasSameBytes(as other: some StringProtocol) -> Bool {
    let areSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    // Only text of Objective-C has none.
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
