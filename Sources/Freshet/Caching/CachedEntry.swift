import Foundation

/// An entry of a persistent cache: a response, and the date when it was received.
public struct CachedEntry: Sendable, Hashable {
  /// The response as it was received, with the header fields updated by each response of status
  /// 304.
  public var response: HTTPResponse
  /// The date at which the response was received, or last confirmed by a 304.
  public var timestamp: Date
  /// A digest of the user and of the request's values for the fields in the response's `Vary`; 0 if there are
  /// neither.
  ///
  /// An entry is used only for requests that have the same digest.
  public var variant: UInt64

  /// Creates an entry.
  public init(response: HTTPResponse, timestamp: Date, variant: UInt64 = 0) {
    self.response = response
    self.timestamp = timestamp
    self.variant = variant
  }
}

extension CachedEntry: CustomStringConvertible, CustomDebugStringConvertible {
  /// The response without its body, with secrets replaced, and the date.
  public var description: String { "\(response), \(timestamp)" }

  /// The description, followed by the header fields without the values of secret ones.
  public var debugDescription: String { "\(response.debugDescription), \(timestamp)" }
}
