/// The progress of a request, and the reports of its transport.
struct RequestProgress {
  /// The reports of the transport, which are read only once progress is observed.
  enum Reports {
    case none
    case unread(ProgressChannel)
    case read(ProgressChannel)
  }

  /// The completed share of the request, 0…1; it never decreases.
  private(set) var fraction = 0.0
  private(set) var reports = Reports.none

  /// The channel that the transport reports to; nil before one is set.
  var channel: ProgressChannel? {
    switch reports {
    case .none: nil
    case .unread(let channel), .read(let channel): channel
    }
  }

  /// Sets the channel that the transport reports to.
  mutating func setChannel(_ channel: ProgressChannel) { reports = .unread(channel) }

  /// Begins to read the reports. Before progress is observed that would be wasted work.
  ///
  /// - Returns: the channel to read; nil if there is none, or it is being read.
  mutating func beginReading() -> ProgressChannel? {
    guard case .unread(let channel) = reports else { return nil }
    reports = .read(channel)
    return channel
  }

  /// Ends the reports.
  ///
  /// - Returns: those that there were. The caller closes or recycles the channel.
  mutating func endReports() -> Reports {
    let ended = reports
    reports = .none
    return ended
  }

  /// Makes progress; a value that is not greater than the last one is ignored.
  ///
  /// - Returns: whether it is greater.
  mutating func advance(to value: Double) -> Bool {
    guard value > fraction else { return false }
    fraction = min(value, 1)
    return true
  }
}

// MARK: - Estimate

extension RequestProgress {
  /// Bytes of a response of unknown length that count as half of it.
  private static let halfway = 65_536.0

  /// The completed share of the exchange, 0..<1: a third for sending if there is a body to send,
  /// the rest for receiving.
  static func estimate(of transfer: TransferProgress) -> Double {
    let received = Double(transfer.bytesReceived)
    let receiving =
      transfer.bytesExpectedToReceive.map { $0 > 0 ? received / Double($0) : 0 }
      ?? received / (received + halfway)
    guard let toSend = transfer.bytesExpectedToSend, toSend > 0 else {
      return min(receiving, 1) * 0.99
    }
    let sending = min(Double(transfer.bytesSent) / Double(toSend), 1)
    return (sending + 2 * min(receiving, 1)) / 3 * 0.99
  }
}

// MARK: - Reports

/// Carries progress reports from a transport, on any thread, to a request that may begin to read
/// them at any time.
///
/// Making a stream takes longer than all else that a report needs, and it is hardly ever read: so
/// an unread channel serves further requests. A transport may report after its request has ended,
/// and there is room for one report only: so a channel is not used again while a reporter of an
/// earlier use exists. A report left over from an earlier use is recognized by its number, and
/// ignored.
final class ProgressChannel {
  private struct Report: Sendable {
    let use: Int
    let progress: TransferProgress
  }

  /// The object that reports go through. An object, because its reference count shows whether a reporter
  /// exists.
  private final class Entrance: Sendable {
    let reporter: AsyncStream<Report>.Continuation

    init(_ reporter: AsyncStream<Report>.Continuation) {
      self.reporter = reporter
    }
  }

  private let reports: AsyncStream<Report>
  private var entrance: Entrance
  private var use = 0

  init() {
    // A report that a newer one replaces is of no interest.
    let (reports, reporter) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    self.reports = reports
    entrance = Entrance(reporter)
  }

  /// Begins another use, which receives no report of earlier ones; returns false, and does nothing,
  /// while one of their ``report`` closures is held.
  func beginNextUse() -> Bool {
    guard isKnownUniquelyReferenced(&entrance) else { return false }
    use += 1
    return true
  }

  /// The closure that a transport reports to, in this use.
  var report: @Sendable (TransferProgress) -> Void {
    { [entrance, use] in entrance.reporter.yield(Report(use: use, progress: $0)) }
  }

  /// Waits for the next report of this use; nil once the channel is closed or the waiting task is
  /// cancelled.
  var next: @Sendable @concurrent () async -> TransferProgress? {
    let (reports, use) = (reports, use)
    return { await reports.first { $0.use == use }?.progress }
  }

  /// Ends the wait for the next report.
  func close() {
    entrance.reporter.finish()
  }
}

/// The unread channels of a store, for further requests: saves 12 % of a page that is confirmed.
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

  /// Stops the program if an invariant does not hold. For tests; O(1).
  func checkInvariants() {
    precondition(kept.count <= Self.mostKept, "\(kept.count) channels are kept")
  }
}
