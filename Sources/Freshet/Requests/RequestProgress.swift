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
  /// - Returns: the channel to read; nil where there is none, or it is being read.
  mutating func beginReading() -> ProgressChannel? {
    guard case .unread(let channel) = reports else { return nil }
    reports = .read(channel)
    return channel
  }

  /// Ends the reports.
  ///
  /// - Returns: those that there were. The caller closes or recycles the channel: a value that calls others while it
  ///   is changed would be checked for exclusive access each time that it is read.
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
