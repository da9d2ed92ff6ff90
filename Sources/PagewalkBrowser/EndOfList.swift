import Foundation
import Freshet

/// The row after the last item.
struct EndOfList: Equatable {
  var text: String
  /// The page that is loading or has failed there, counted from 1.
  var page: Int?
  var state: ListModel.PageState?
}

extension EndOfList {
  /// The state at the end of a list.
  ///
  /// - Parameter explanation: what has stopped the list.
  @MainActor
  init(of list: PagedCollection<JSONText>, explaining explanation: String?) {
    let next = list.pageCount + 1
    switch list.state {
    case .idle: self.init(text: "more follow")
    case .loading: self.init(text: "page \(next) is loading …", page: next, state: .loading)
    case .waiting(let wait):
      let reason = wait.reason == .server ? "the server asks to wait" : "the last attempt failed"
      self.init(
        text: "\(reason); the next one is at \(timeText(wait.nextAttemptDate))", page: next,
        state: .loading)
    case .failed(_, let page):
      self.init(
        text: "Enter retries. \(explanation ?? "")", page: page + 1, state: .failed)
    case .ended: self.init(text: "end of the list")
    case .incomplete: self.init(text: explanation ?? "", page: next, state: .failed)
    }
  }
}

/// The time of day, where the user is.
func timeText(_ date: Date) -> String {
  var time = time_t(date.timeIntervalSince1970)
  var parts = tm()
  localtime_r(&time, &parts)
  return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
}
