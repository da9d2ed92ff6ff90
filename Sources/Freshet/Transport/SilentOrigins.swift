/// The origins that did not respond to the last exchange that waited for them: a value.
///
/// The connection of such an exchange may be dead without the system knowing. With HTTP/1.1 libcurl closes it when
/// the exchange is cancelled. With HTTP/2 it ends the stream alone, and each later exchange would wait on the same
/// connection until the system closes it, which takes about a quarter of an hour (curl issue 17225). So until the
/// origin has responded again, it gets no connection that is older than the end of that exchange.
struct SilentOrigins {
  typealias Instant = ContinuousClock.Instant

  /// How long an exchange has to be without a response for that to mean something: what is not wanted any more is
  /// mostly cancelled sooner. More than libcurl's step for the age of connections, which is a second.
  static let patience: Duration = .seconds(2)
  /// libcurl itself does not use a connection again that was idle for 118 seconds.
  private static let longestIdleTime: Duration = .seconds(120)

  /// When the last exchange without a response ended.
  private var silentSince: [String: Instant] = [:]

  /// Notes that an exchange has ended.
  mutating func noteEnd(
    of origin: String, hasResponse: Bool, begun: Instant, at now: Instant
  ) {
    if hasResponse {
      silentSince[origin] = nil
    } else if begun.duration(to: now) >= Self.patience {
      silentSince = silentSince.filter { $0.value.duration(to: now) < Self.longestIdleTime }
      silentSince[origin] = now
    }
  }

  /// How old a connection to an origin may be, in seconds; nil for any age.
  func oldestConnection(to origin: String, at now: Instant) -> Int? {
    silentSince[origin].map { max(1, Int($0.duration(to: now).components.seconds)) }
  }
}
