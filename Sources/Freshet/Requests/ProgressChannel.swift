/// The way of progress reports from a transport, on whatever thread, to a request that may begin to
/// read them at any time.
///
/// Making a stream takes longer than all else that a report needs, and nearly nobody reads it: so one
/// that nobody has read serves further requests. Each report says which use of the stream it belongs
/// to, because a transport may speak when its request is over.
final class ProgressChannel {
  private struct Report: Sendable {
    let use: Int
    let progress: TransferProgress
  }

  private let reports: AsyncStream<Report>
  private let reporter: AsyncStream<Report>.Continuation
  private var use = 0

  init() {
    // What a newer report has overtaken is of no interest.
    (reports, reporter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Begins another use, which hears nothing of what belongs to earlier ones.
  func beginNextUse() {
    use += 1
  }

  /// Where a transport reports to, in this use.
  var report: @Sendable (TransferProgress) -> Void {
    { [reporter, use] in reporter.yield(Report(use: use, progress: $0)) }
  }

  /// Waits for the next report of this use; nil once the channel is closed or the waiting task is
  /// cancelled.
  var next: @Sendable @concurrent () async -> TransferProgress? {
    let (reports, use) = (reports, use)
    return { await reports.first { $0.use == use }?.progress }
  }

  /// Lets go of who waits for a report.
  func close() {
    reporter.finish()
  }
}
