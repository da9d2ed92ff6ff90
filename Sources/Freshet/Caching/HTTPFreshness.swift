import Foundation

/// The freshness that a response states, RFC 9111, as a private cache reads it.
///
/// It is computed once, when the response arrives; afterwards only the time that has passed since
/// then counts, measured with a monotonic clock. So the system's date is used just once: to compare
/// it with the server's `Date`.
package struct HTTPFreshness: Sendable, Hashable {
  /// How long after it was generated the response is fresh; nil if it does not say.
  ///
  /// `max-age`, else `Expires` less `Date`; zero if either exists but is not valid, section 4.2.1.
  package let lifetime: Duration?
  /// How old the response was when it arrived, section 4.2.3.
  package let initialAge: Duration
  /// Whether the response must not be stored: `no-store` in the response or the request, unless the response also has
  /// `must-understand` and a status that is understood.
  package let forbidsStoring: Bool
  /// Whether the server has to confirm the response before each use: `no-cache`, even with field names, `Pragma:
  /// no-cache` without a `Cache-Control`, and `Vary: *`.
  package let requiresValidation: Bool
  /// Whether the response must not be used when it is stale, whatever else allows that: `must-revalidate`.
  package let forbidsStaleUse: Bool
  /// How long it may be used, once stale, while it is being confirmed, RFC 5861; zero for not at all.
  package let staleWhileRevalidate: Duration
  /// How long it may be used, once stale, when the server fails, RFC 5861; zero for not at all.
  package let staleIfError: Duration

  /// Computes the freshness of a response from its header fields.
  ///
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - headers: the fields of the response, after ``HTTPHeaders/merging(notModified:)`` for a 304.
  ///   - requestHeaders: the fields of the request.
  ///   - responseDate: the date at which the response arrived.
  ///   - responseDelay: the time from sending the request to the arrival of the response.
  ///   - usesHeuristics: whether a response that does not say gets a tenth of the time since it was
  ///     last modified, section 4.2.2. Off unless asked for: a store has a default of its own.
  package init(
    status: Int, headers: HTTPHeaders, requestHeaders: HTTPHeaders = [:], responseDate: Date,
    responseDelay: Duration, usesHeuristics: Bool = false
  ) {
    let control = CacheControl(headers.values(for: "Cache-Control"))
    let requestControl = CacheControl(requestHeaders.values(for: "Cache-Control"))
    let date = headers.firstDate("Date", now: responseDate)
    let generation = date ?? responseDate

    // A server that says both means: do not store unless you know what the status means.
    let isUnderstood =
      control.contains("must-understand") && HTTPFreshness.cacheableStatuses.contains(status)
    forbidsStoring =
      (control.contains("no-store") && !isUnderstood) || requestControl.contains("no-store")
    requiresValidation =
      control.contains("no-cache") || headers.variesOnEverything
      || (headers["Cache-Control"] == nil && headers.hasPragmaNoCache)
    forbidsStaleUse = control.contains("must-revalidate")
    staleWhileRevalidate = control.duration("stale-while-revalidate") ?? .zero
    staleIfError = control.duration("stale-if-error") ?? .zero

    if control.contains("max-age") {
      lifetime = control.duration("max-age") ?? .zero
    } else if let expires = headers.values(for: "Expires").first {
      let date = HTTPDate.parse(expires, now: responseDate)
      lifetime = date.map { HTTPFreshness.time(from: generation, to: $0) } ?? .zero
    } else if usesHeuristics,
      HTTPFreshness.cacheableStatuses.contains(status) || control.contains("public"),
      let modified = headers.firstDate("Last-Modified", now: responseDate)
    {
      lifetime = HTTPFreshness.time(from: modified, to: generation) / 10
    } else {
      lifetime = nil
    }

    let apparentAge = date.map { HTTPFreshness.time(from: $0, to: responseDate) } ?? .zero
    let age = headers["Age"]?.prefix { $0 != "," }.trimmingHTTPSpace
    let correctedAge = (age.flatMap(CacheControl.deltaSeconds) ?? .zero) + max(responseDelay, .zero)
    initialAge = max(apparentAge, correctedAge)
  }

  /// How long the response is fresh in a store, from its arrival, within limits; nil if it states
  /// no time, so that the configuration decides. What needs to be confirmed is not raised to a limit.
  ///
  /// - Parameter limits: the shortest and the longest time.
  package func lifetime(in limits: ClosedRange<Duration>) -> Duration? {
    guard !requiresValidation, !forbidsStoring else { return .zero }
    guard let lifetime else { return nil }
    return min(max(lifetime - initialAge, limits.lowerBound), limits.upperBound)
  }

  /// Whether stale content may be used, RFC 5861.
  ///
  /// - Parameters:
  ///   - time: how long ago its lifetime in the store ended.
  ///   - isConfirming: whether the server is being asked.
  ///   - hasFailed: whether the server was asked, and failed.
  package func mayBeUsed(staleFor time: Duration, isConfirming: Bool, hasFailed: Bool) -> Bool {
    guard !requiresValidation, !forbidsStoring, !forbidsStaleUse else { return false }
    // It may have been stale when it arrived.
    let time = time + max(initialAge - (lifetime ?? initialAge), .zero)
    return isConfirming && time < staleWhileRevalidate || hasFailed && time < staleIfError
  }

  /// Whether fields may state how fresh a response is.
  package static func isStated(in headers: HTTPHeaders) -> Bool {
    headers.fields.contains { field in
      statingFields.contains { HTTPHeaders.isSameName($0, field.name) }
    }
  }

  private static let statingFields = [
    "Cache-Control", "Expires", "Last-Modified", "Pragma", "Vary",
  ]

  /// The statuses that are cacheable by default, RFC 9110 section 15.1.
  private static let cacheableStatuses: Set<Int> = [
    200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
  ]

  /// The time between two dates, from zero to the longest there is.
  private static func time(from start: Date, to end: Date) -> Duration {
    min(max(.seconds(end.timeIntervalSince(start)), .zero), CacheControl.longest)
  }
}

extension HTTPHeaders {
  /// Whether there is a `Vary: *`: no request is known to get the same response.
  fileprivate var variesOnEverything: Bool {
    values(for: "Vary").flatMap(HTTPList.elements).contains { $0.trimmingHTTPSpace == "*" }
  }

  /// Whether there is a `Pragma: no-cache`, what HTTP/1.0 had in the place of `Cache-Control`.
  fileprivate var hasPragmaNoCache: Bool {
    CacheControl(values(for: "Pragma")).contains("no-cache")
  }
}
