import Foundation
import Freshet

/// The description of a retry, for people.
struct Retry: Sendable {
  private let failure: Meter.Failure?
  private let message: String
  private let reason: RequestWait.Reason?

  /// Describes the retry of a failed attempt.
  ///
  /// - Parameters:
  ///   - failure: the attempt that failed.
  ///   - entry: the log entry, which names the delay and why there is one.
  init(of failure: Meter.Failure?, logged entry: Service.LogEntry) {
    self.failure = failure
    message = roundingSeconds(in: entry.message)
    reason = entry.wait?.reason
  }

  /// The line, with the number of the page if the list knows it.
  func line(in list: PagedCollection<JSONText>) -> String {
    guard let failure else { return "retrying \(message)" }
    let (url, body) = (failure.request.url.absoluteString, failure.request.body)
    let index =
      list.requestedPages.firstIndex { $0.key.url == url && $0.key.body == body }
      // One request at a time that is for none of them is for the next one.
      ?? (list.options.concurrentLoads == 1 ? list.pageCount : nil)
    let page = index.map { "page \($0 + 1), " } ?? ""
    let delay = message.firstMatch(of: /in\s([0-9.]+\ss)\safter\s/).map { String($0.output.1) }
    let asked = reason == .server && failure.namesTime ? ", as the server asks" : ""
    let time = delay.map { $0 == "0 s" ? " now" : " in \($0)\(asked)" } ?? ""
    return "\(page)\(Redaction.url(url)): \(failure.reason); retrying\(time)"
  }
}
