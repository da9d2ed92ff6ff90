extension FixedWidthInteger {
  /// The whole number nearest to a value; the greatest or least one where that is out of range, and zero for what
  /// is not a number. A clock can have any date.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

/// Arithmetic that never traps, for numbers that a server sends.
extension Int {
  /// The sum, or the greatest `Int` on overflow.
  func saturatingSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The product of nonnegative numbers, or the greatest `Int` on overflow.
  func saturatingProduct(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// The quotient of a nonnegative and a positive number, rounded up.
  func dividedRoundingUp(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder > 0 ? quotient + 1 : quotient
  }
}
