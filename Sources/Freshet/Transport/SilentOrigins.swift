/// The origins that did not respond to the last exchange that waited for them: a value.
///
/// The connection of such an exchange may be dead without the system knowing. With HTTP/1.1 libcurl closes it when
/// the exchange is cancelled. With HTTP/2 it ends the stream alone, and each later exchange would wait on the same
/// connection until the system closes it, which takes about a quarter of an hour (curl issue 17225). So until the
/// origin has responded to a later exchange, none of its exchanges has a connection that is older than the end of that
/// one.
struct SilentOrigins {
  typealias Instant = ContinuousClock.Instant

  /// How long an exchange has to be without a response for that to mean something: what is not wanted any more is
  /// mostly cancelled sooner. More than libcurl's step for the age of connections, which is a second.
  static let patience: Duration = .seconds(2)
  /// libcurl itself does not use a connection again that was idle for 118 seconds.
  private static let longestIdleTime: Duration = .seconds(120)

  /// When the last exchange without a response ended.
  private var silentSince: [String: Instant] = [:]

  /// Whether an origin has not responded.
  func contains(_ origin: String) -> Bool { silentSince[origin] != nil }

  /// Notes that an exchange has ended.
  ///
  /// - Parameter oldest: when the oldest exchange began that still runs with this origin; nil for none.
  mutating func noteEnd(
    of origin: String, hasResponse: Bool, begun: Instant, at now: Instant,
    oldest: Instant?
  ) {
    if hasResponse {
      // An earlier one may have had its response before the silence, or another connection.
      guard let since = silentSince[origin], begun >= since, !isHeld(since, oldest) else {
        return
      }
      silentSince[origin] = nil
    } else if begun.duration(to: now) >= Self.patience {
      silentSince = silentSince.filter { $0.value.duration(to: now) < Self.longestIdleTime }
      silentSince[origin] = now
    }
  }

  /// What connection an exchange that begins now may have.
  ///
  /// - Parameter oldest: when the oldest exchange began that runs with this origin; nil for none.
  func connection(
    to origin: String, at now: Instant, oldest: Instant?
  ) -> ConnectionChoice {
    guard let since = silentSince[origin] else { return .any }
    if isHeld(since, oldest) { return .own }
    return .notOlder(than: max(1, Int(since.duration(to: now).components.seconds)))
  }

  /// Whether an exchange runs that may have the silent connection.
  private func isHeld(_ since: Instant, _ oldest: Instant?) -> Bool {
    oldest.map { $0 < since } ?? false
  }
}
