/// The way of progress reports from a transport, on whatever thread, to a request that may begin to
/// read them at any time.
///
/// Making a stream takes longer than all else that a report needs, and it is nearly never read: so one
/// that was not read serves further requests. A transport may report after its request is over, and
/// there is room for one report only: so there is no further use while anybody could still report to
/// an earlier one. What that has left says which use it belongs to, and is passed over.
final class ProgressChannel {
  private struct Report: Sendable {
    let use: Int
    let progress: TransferProgress
  }

  /// What reports go through. An object, because its references tell whether anybody can report.
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
    // What a newer report has overtaken is of no interest.
    let (reports, reporter) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    self.reports = reports
    entrance = Entrance(reporter)
  }

  /// Begins another use, which receives nothing of what belongs to earlier ones; returns false, and does
  /// nothing, while a ``report`` of those is held.
  func beginNextUse() -> Bool {
    guard isKnownUniquelyReferenced(&entrance) else { return false }
    use += 1
    return true
  }

  /// Where a transport reports to, in this use.
  var report: @Sendable (TransferProgress) -> Void {
    { [entrance, use] in entrance.reporter.yield(Report(use: use, progress: $0)) }
  }

  /// Waits for the next report of this use; nil once the channel is closed or the waiting task is
  /// cancelled.
  var next: @Sendable @concurrent () async -> TransferProgress? {
    let (reports, use) = (reports, use)
    return { await reports.first { $0.use == use }?.progress }
  }

  /// Lets go of who waits for a report.
  func close() {
    entrance.reporter.finish()
  }
}

/// How far an exchange has come, as a number.
enum ProgressEstimate {
  /// Bytes of a response of unknown length that count as half of it.
  private static let halfway = 65_536.0

  /// The share of the exchange that is done, 0..<1: a third for sending where there is a body to
  /// send, the rest for receiving.
  static func fraction(of transfer: TransferProgress) -> Double {
    let received = Double(transfer.received)
    let receiving =
      transfer.toReceive.map { $0 > 0 ? received / Double($0) : 0 }
      ?? received / (received + halfway)
    guard let toSend = transfer.toSend, toSend > 0 else { return min(receiving, 1) * 0.99 }
    let sending = min(Double(transfer.sent) / Double(toSend), 1)
    return (sending + 2 * min(receiving, 1)) / 3 * 0.99
  }
}
