import Foundation

/// The dates of a list's loads.
struct ListDates {
  /// When a refresh was last completed.
  private(set) var refresh: Date?
  /// When a page was last loaded or confirmed.
  private(set) var load: Date?

  /// Records that a refresh was completed.
  mutating func noteRefresh(at date: Date) { refresh = date }

  /// Records when the content of a page was loaded or confirmed. Pages may be reported in any order.
  mutating func noteLoad(at date: Date) {
    if let load, load >= date { return }
    load = date
  }
}
