import Foundation

/// The `Retry-After` field, RFC 9110 section 10.2.3: how long to leave the server alone.
package enum RetryAfter {
  /// The longest delay that is told apart from a longer one: 365 days.
  package static let maximum: Duration = .seconds(365 * 86_400)

  /// The delay that a field value asks for, from zero to ``maximum``.
  ///
  /// - Parameters:
  ///   - value: seconds or an HTTP date. Of several lines joined with commas the first number counts.
  ///   - now: the wall date, which a date is relative to; one in the past asks for no delay.
  /// - Returns: nil where the value is neither, so that the caller's own backoff applies.
  package static func delay(_ value: String, now: Date) -> Duration? {
    let first = value.prefix { $0 != "," }.trimmingHTTPSpace
    if !first.isEmpty, first.utf8.allSatisfy(\.isASCIIDigit) {
      // Only a number that is too large for an integer has no value here.
      return min(Int(first).map { .seconds($0) } ?? maximum, maximum)
    }
    guard let date = HTTPDate.parse(value, now: now) else { return nil }
    return min(max(.seconds(date.timeIntervalSince(now)), .zero), maximum)
  }
}
