import Freshet

/// The last line of standard error with `--summary`.
struct Summary {
  var outcome: Outcome
  var pages: Int
  var items: Int
  var duplicates: Int
  var counts: Meter.Counts
  var elapsed: Duration

  /// One JSON object, its members in the order that scripts depend on.
  var json: String {
    let stop = outcome.isInterrupted ? "\"\(Outcome.Reason.cancelled.rawValue)\"" : "null"
    let (status, reason) =
      switch outcome.status {
      case .complete: ("complete", stop)
      case .limit: ("limit", stop)
      case .incomplete(let reason): ("incomplete", "\"\(reason.rawValue)\"")
      }
    let milliseconds = elapsed / .milliseconds(1)
    return #"{"status":"\#(status)","reason":\#(reason),"pages":\#(pages),"items":\#(items),"#
      + #""duplicates":\#(duplicates),"requests":\#(counts.requests),"notModified":\#(counts.notModified),"#
      + #""retries":\#(counts.retries),"seconds":\#(milliseconds.rounded() / 1000)}"#
  }
}
