import Foundation

/// The `Retry-After` field, RFC 9110 section 10.2.3: how long to wait before the next request.
package enum RetryAfter {
  /// The longest delay; a longer one counts as this: 365 days.
  package static let maximum: Duration = .seconds(365 * 86_400)

  /// The delay that a field value asks for, from zero to ``maximum``.
  ///
  /// - Parameters:
  ///   - value: seconds or an HTTP date. Of several lines joined with commas the first one counts.
  ///   - now: the date, which a date is relative to; one in the past asks for no delay.
  /// - Returns: nil if the value is neither, so that the caller's own backoff applies.
  package static func delay(_ value: String, now: Date) -> Duration? {
    let first = value.prefix { $0 != "," }.trimmingHTTPSpace
    if !first.isEmpty, first.utf8.allSatisfy(\.isASCIIDigit) {
      // Only a number that is too large for an integer has no value here.
      return min(Int(first).map { .seconds($0) } ?? maximum, maximum)
    }
    guard let date = date(value, now: now) else { return nil }
    return clamped(date.timeIntervalSince(now))
  }

  /// The first date of several lines that were joined with commas, although each date contains a comma itself.
  private static func date(_ value: String, now: Date) -> Date? {
    if let date = HTTPDate.parse(value, now: now) { return date }
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count > 2
      ? HTTPDate.parse(parts[0...1].joined(separator: ","), now: now) : nil
  }

  /// The delay that a response asks for by its header fields, from zero to ``maximum``.
  ///
  /// `Retry-After` counts, or else, with the statuses 403, 429 and 503, the time at which a quota is
  /// filled again: `X-RateLimit-Reset` or `RateLimit-Reset` where the field `…-Remaining` says that
  /// nothing is left of it. With 429 the latter may be missing.
  ///
  /// A date is compared to the server's: the `Date` of the response and its `Age`, as RFC 9111 section 4.2
  /// compares `Expires`. So the clock of the client may be wrong; it counts only if there is no `Date`.
  ///
  /// - Returns: nil if the response asks for none.
  package static func delay(of response: HTTPResponse, now: Date) -> Duration? {
    let now = serverDate(of: response.headers, now: now)
    if let delay = response.headers["Retry-After"].flatMap({ delay($0, now: now) }) { return delay }
    guard [403, 429, 503].contains(response.status) else { return nil }
    for prefix in ["X-RateLimit", "X-Rate-Limit", "RateLimit"] {
      guard let reset = response.headers["\(prefix)-Reset"] else { continue }
      let remaining = response.headers["\(prefix)-Remaining"].flatMap(number)
      // What is left of one quota says nothing of another that is used up: a 429 with some left.
      guard remaining.map({ $0 <= 0 }) ?? (response.status == 429) else { continue }
      if let delay = untilReset(reset, now: now) { return delay }
    }
    return nil
  }

  /// The date by the clock of the server when the response arrived; that of the client if it does not say.
  private static func serverDate(of headers: HTTPHeaders, now: Date) -> Date {
    guard let date = headers.firstDate("Date", now: now) else { return now }
    let age = headers.first("Age")?.prefix { $0 != "," }.trimmingHTTPSpace
    return date + (age.flatMap(CacheControl.deltaSeconds).map { $0 / .seconds(1) } ?? 0)
  }

  /// How long until the time that a reset field states.
  ///
  /// Seconds from now, or since 1970: what would be more than thirty years from now is the latter, and
  /// what would be thousands of years from 1970 is in milliseconds. Or an HTTP date.
  private static func untilReset(_ value: String, now: Date) -> Duration? {
    guard let number = number(value) else {
      return HTTPDate.parse(value, now: now) == nil ? nil : delay(value, now: now)
    }
    let seconds =
      switch number {
      case ..<1e9: number
      case ..<1e11: number - now.timeIntervalSince1970
      default: number / 1000 - now.timeIntervalSince1970
      }
    return clamped(seconds)
  }

  /// The delay of so many seconds, from zero to ``maximum``: a clock can have any date, and a
  /// `Duration` does not hold every number.
  private static func clamped(_ seconds: Double) -> Duration {
    // In this order: what is not a number becomes zero.
    .seconds(min(max(0, seconds), 365 * 86_400))
  }

  /// The number that a field begins with, as in `0` or `1767225600.5`.
  private static func number(_ value: String) -> Double? {
    let first = value.prefix { $0 != "," && $0 != ";" }.trimmingHTTPSpace
    guard !first.isEmpty, first.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(first)
  }
}

extension HTTPResponse {
  /// Whether the server refuses the request because there were too many: 429, or a 403 or 503 that says when to
  /// come back.
  ///
  /// - Parameter delay: how long to wait until then; nil if the response does not say.
  func isRateLimit(after delay: Duration?) -> Bool {
    status == 429 || delay != nil && (status == 403 || status == 503)
  }
}
