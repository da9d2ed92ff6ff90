/// The progress of one exchange, in bytes of body.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes of the request body that were sent so far.
  public var sent: Int
  /// The length of the request body in bytes; nil if unknown.
  public var toSend: Int?
  /// The bytes of the response body that were received so far.
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
