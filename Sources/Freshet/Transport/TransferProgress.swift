/// The progress of one exchange, in bytes of body.
public struct TransferProgress: Sendable, Hashable {
  /// Bytes of the request body sent so far.
  public var sent: Int
  /// The length of the request body in bytes; nil if unknown.
  public var toSend: Int?
  /// Bytes of the response body received so far.
  public var received: Int
  /// The length of the response body in bytes; nil if the server did not announce it.
  public var toReceive: Int?

  /// Creates a progress report.
  public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
    self.sent = sent
    self.toSend = toSend
    self.received = received
    self.toReceive = toReceive
  }
}
