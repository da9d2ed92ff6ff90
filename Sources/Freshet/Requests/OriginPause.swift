/// The time for which a server has asked to wait, by a response to any request: a pure value.
struct OriginPause: Equatable {
  /// What becomes of a request that begins, or is retried.
  enum Decision: Equatable {
    case send
    /// It is sent to find out whether the server still asks for that: ``lift()`` where it does not.
    case ask
    /// It waits for that time.
    case wait(Duration)
    /// It fails, because the server asks for a time that is too long to wait for; the next one that is sent
    /// is sent after this time. The status is that of the response which asks for it.
    case fail(Duration, status: Int?)
  }

  private var end: Duration = .zero
  /// When the server has last asked, or was last asked.
  private var lastAsked: Duration = .zero
  /// The status of the response that asks to wait until the end.
  private var status: Int?

  /// How long a time that is too long to wait for is believed at least, however short the longest wait is.
  static let shortestBelief: Duration = .seconds(30)

  /// The server asks to wait until a time; an earlier request of that may be longer.
  mutating func extend(until time: Duration, at now: Duration, by status: Int?) {
    if time >= end { (end, self.status) = (time, status) }
    lastAsked = now
  }

  /// The server has responded to a request that was sent to find out, and does not ask for that any more.
  mutating func lift() { end = .zero }

  /// Decides about a request.
  ///
  /// A time that is too long to wait for is believed as long as the longest wait, and for half a minute at
  /// least. Then one request asks the server again: what it said of a year may have been a mistake, or of one
  /// path.
  ///
  /// - Parameter timeout: how long one attempt may take.
  mutating func decide(
    at now: Duration, _ policy: Service.RetryPolicy, timeout: Duration
  ) -> Decision {
    let longest = min(policy.maximumRetryAfter, timeout)
    guard policy.sharesPauses, end > now else { return .send }
    if end - now <= longest { return .wait(end - now) }
    let next = min(lastAsked + max(longest, OriginPause.shortestBelief), end)
    if now < next { return .fail(next - now, status: status) }
    lastAsked = now
    return .ask
  }
}
