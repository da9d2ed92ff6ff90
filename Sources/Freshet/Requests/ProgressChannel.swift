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
