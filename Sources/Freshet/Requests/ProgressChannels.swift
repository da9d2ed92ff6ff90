/// The unread channels of a store, for further requests.
struct ProgressChannels {
  /// How many are kept at most, however many requests there were at one time.
  private static let mostKept = 8
  /// In the order in which they were returned.
  private var kept: [ProgressChannel] = []

  /// A channel for the progress reports of one request.
  mutating func make() -> ProgressChannel {
    guard let position = kept.firstIndex(where: { $0.beginNextUse() }) else {
      return ProgressChannel()
    }
    return kept.remove(at: position)
  }

  /// Keeps an unread channel, which is reused once no transport can report to it.
  mutating func recycle(_ channel: ProgressChannel) {
    // The oldest one may be one that a transport never releases.
    if kept.count == Self.mostKept { kept.removeFirst() }
    kept.append(channel)
  }

  /// Stops the program where an invariant does not hold. For tests; O(1).
  func checkInvariants() {
    precondition(kept.count <= Self.mostKept, "\(kept.count) channels are kept")
  }
}
