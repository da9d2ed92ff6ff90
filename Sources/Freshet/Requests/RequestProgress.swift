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

// MARK: - Estimate

extension RequestProgress {
  /// Bytes of a response of unknown length that count as half of it.
  private static let halfway = 65_536.0

  /// The completed share of the exchange, 0..<1: a third for sending if there is a body to send,
  /// the rest for receiving.
  static func estimate(of transfer: TransferProgress) -> Double {
    let received = Double(transfer.received)
    let receiving =
      transfer.toReceive.map { $0 > 0 ? received / Double($0) : 0 }
      ?? received / (received + halfway)
    guard let toSend = transfer.toSend, toSend > 0 else { return min(receiving, 1) * 0.99 }
    let sending = min(Double(transfer.sent) / Double(toSend), 1)
    return (sending + 2 * min(receiving, 1)) / 3 * 0.99
  }
}
