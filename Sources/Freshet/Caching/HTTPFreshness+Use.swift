extension HTTPFreshness {
  /// What may be done with a response that is at hand.
  package enum Use: Sendable, Hashable {
    /// It may be used without asking the server.
    case fresh
    /// It may be used while the server is asked.
    case staleWhileRevalidating
    /// The server has to be asked first.
    case askFirst
  }

  /// How old the response is, RFC 9111 section 4.2.3.
  ///
  /// - Parameter residentTime: the time since it arrived.
  package func age(after residentTime: Duration) -> Duration {
    initialAge + max(residentTime, .zero)
  }

  /// How long the response stays fresh; nil where it is not, or has to be confirmed each time.
  package func remainingLifetime(after residentTime: Duration) -> Duration? {
    guard !noCache, let lifetime else { return nil }
    let remaining = lifetime - age(after: residentTime)
    return remaining > .zero ? remaining : nil
  }

  /// How long the response is fresh in a store, from its arrival, within limits; nil where it states
  /// no time, so that the configuration decides. What needs to be confirmed is not raised to a limit.
  ///
  /// - Parameter limits: the shortest and the longest time.
  package func lifetime(in limits: ClosedRange<Duration>) -> Duration? {
    guard !noCache, !noStore else { return .zero }
    guard let lifetime else { return nil }
    return min(max(lifetime - initialAge, limits.lowerBound), limits.upperBound)
  }

  /// Whether stale content may be used, RFC 5861.
  ///
  /// - Parameters:
  ///   - time: for how long it has been stale.
  ///   - isConfirming: whether the server is being asked.
  ///   - hasFailed: whether the server was asked, and failed.
  package func mayBeUsed(staleFor time: Duration, isConfirming: Bool, hasFailed: Bool) -> Bool {
    guard !noCache, !noStore, !mustRevalidate else { return false }
    return isConfirming && time < staleWhileRevalidate || hasFailed && time < staleIfError
  }

  /// What may be done with the response for a request, RFC 9111 section 4.
  ///
  /// - Parameters:
  ///   - residentTime: the time since it arrived.
  ///   - requestHeaders: the fields of the new request; its `max-age`, `min-fresh`, `max-stale` and
  ///     `no-cache` count.
  package func use(after residentTime: Duration, requestHeaders: HTTPHeaders = [:]) -> Use {
    let request = CacheControl(requestHeaders.values(for: "Cache-Control"))
    let hasNoCache =
      requestHeaders["Cache-Control"] == nil
      ? requestHeaders.hasPragmaNoCache : request.contains("no-cache")
    guard !noCache, !hasNoCache else { return .askFirst }

    let age = age(after: residentTime)
    let lifetime = lifetime ?? .zero
    let minFresh = request.duration("min-fresh")
    let maxAge = request.duration("max-age")
    if age + (minFresh ?? .zero) < min(lifetime, maxAge ?? CacheControl.longest) { return .fresh }

    guard !mustRevalidate, minFresh == nil, maxAge.map({ age < $0 }) ?? true else {
      return .askFirst
    }
    if request.contains("max-stale") {
      let maxStale = request.duration("max-stale") ?? CacheControl.longest
      if age <= lifetime + maxStale { return .fresh }
    }
    return age < lifetime + staleWhileRevalidate ? .staleWhileRevalidating : .askFirst
  }

  /// Whether the response may be used where the server cannot be reached or responds with 500, 502, 503 or
  /// 504, RFC 5861 section 4.
  package func mayBeUsedOnError(after residentTime: Duration) -> Bool {
    guard !noCache else { return false }
    let age = age(after: residentTime)
    let lifetime = lifetime ?? .zero
    return age < lifetime || (!mustRevalidate && age < lifetime + staleIfError)
  }
}
