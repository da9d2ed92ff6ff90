extension Service {
  /// The limits for the freshness lifetimes that responses state, RFC 9111.
  ///
  /// The lifetime is `max-age`, or `Expires` minus `Date`, minus the age of the response, clamped to ``minimum`` and
  /// ``maximum``. A response that states no lifetime is fresh for ``Service/Configuration/freshnessLifetime``.
  ///
  /// ```swift
  /// service.configure { $0.responseFreshness = .init(minimum: .seconds(5), maximum: .seconds(3600)) }
  /// ```
  ///
  /// | The response states | Effect |
  /// | --- | --- |
  /// | `no-cache`, `Vary: *` | it is never fresh, whatever ``minimum`` is |
  /// | `no-store` | the same, and it is not written to the persistent cache |
  /// | `stale-while-revalidate`, `stale-if-error` | ``AnyResource/mayUseStaleData`` |
  /// | `must-revalidate` | stale data may not be used, even in those two cases |
  /// | `private`, `immutable`, `s-maxage` | none |
  ///
  /// The last three have no effect because a store is a private cache: ``AnyResource/loadIfNeeded()`` sends no request
  /// while data is fresh, and ``AnyResource/load()`` always sends one.
  ///
  /// Setting the limits also has these effects, as HTTP requires:
  ///
  /// - A permanent error, such as a 404 or 410, has a lifetime too, within which ``AnyResource/loadIfNeeded()`` does
  ///   not repeat the request.
  /// - The requests of ``AnyResource/load()`` have `Cache-Control: max-age=0`, so that no intermediate cache responds
  ///   to them.
  /// - A request with an unsafe method that succeeds, is redirected, or times out invalidates the resources with its
  ///   URL (see ``AnyResource/invalidate()``), except those that adopt its content.
  /// - Redirects are not stored: each load follows them again. A response from another URL, after a redirect, is
  ///   fresh for at most ``Service/Configuration/freshnessLifetime``, because the lifetime that it states is that of
  ///   the other URL.
  public struct ResponseFreshness: Sendable, Hashable {
    /// The shortest time for which a response that states a lifetime is fresh, from its arrival.
    public let minimum: Duration
    /// The longest time for which a response that states a lifetime is fresh, from its arrival.
    public let maximum: Duration
    /// Whether a response with a `Last-Modified` that states no lifetime is fresh for a tenth of the
    /// time since then, RFC 9111 section 4.2.2; false by default.
    public var usesHeuristics: Bool

    /// Creates the limits; by default there are none but the 68 years (2³¹ seconds) of RFC 9111.
    ///
    /// - Precondition: `minimum` is at most `maximum`.
    public init(
      minimum: Duration = .zero, maximum: Duration = .seconds(1 << 31),
      usesHeuristics: Bool = false
    ) {
      require(
        minimum <= maximum,
        "Service.ResponseFreshness: the minimum \(minimum) is longer than the maximum \(maximum)")
      self.minimum = minimum
      self.maximum = maximum
      self.usesHeuristics = usesHeuristics
    }
  }
}
