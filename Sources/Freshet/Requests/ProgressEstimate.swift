/// Estimates the progress of an exchange as a number.
enum ProgressEstimate {
  /// Bytes of a response of unknown length that count as half of it.
  private static let halfway = 65_536.0

  /// The completed share of the exchange, 0..<1: a third for sending if there is a body to send,
  /// the rest for receiving.
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
