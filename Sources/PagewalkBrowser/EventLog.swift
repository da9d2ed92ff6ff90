import Foundation

/// The newest lines of a log.
struct EventLog {
  private(set) var lines: [String] = []

  /// More than the event pane of any terminal shows.
  private static let limit = 200

  mutating func append(_ line: String) {
    lines.append(line)
    // Not one by one.
    if lines.count > EventLog.limit * 2 { lines.removeFirst(lines.count - EventLog.limit) }
  }
}
