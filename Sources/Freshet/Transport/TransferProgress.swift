/// The progress of one exchange, in bytes of the request body and the response body.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes of the request body that were sent so far.
  public var bytesSent: Int
  /// The length of the request body; nil if unknown.
  public var bytesExpectedToSend: Int?
  /// The bytes of the response body that were received so far.
  public var bytesReceived: Int
  /// The length of the response body; nil if the server did not announce it.
  public var bytesExpectedToReceive: Int?

  /// Creates a progress report.
  public init(
    bytesSent: Int = 0, bytesExpectedToSend: Int? = nil, bytesReceived: Int = 0,
    bytesExpectedToReceive: Int? = nil
  ) {
    self.bytesSent = bytesSent
    self.bytesExpectedToSend = bytesExpectedToSend
    self.bytesReceived = bytesReceived
    self.bytesExpectedToReceive = bytesExpectedToReceive
  }
}
