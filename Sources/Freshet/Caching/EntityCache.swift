import Foundation

/// A persistent cache of responses, which keeps them beyond the life of a service.
///
/// It is called off the service's actor, and may be used by many services at once. An error that it
/// throws fails no request: ``Service/Configuration/log`` receives an entry.
public protocol EntityCache: Sendable {
  /// Returns the entry of a resource, or nil for none.
  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry?
  /// Stores the entry of a resource, and replaces an older one.
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws
  /// Removes the entry of a resource, if it has one.
  @concurrent
  func remove(_ key: ResourceKey) async throws
}

/// An entry of a persistent cache: a response, and when it was received.
public struct CachedEntry: Sendable, Hashable {
  /// The response as it was received, with the header fields updated by each response of status
  /// 304.
  public var response: HTTPResponse
  /// The date at which the response was received, or last confirmed by a 304.
  public var timestamp: Date
  /// A digest of the request's values for the fields that the response's `Vary` names; 0 for none.
  ///
  /// An entry is used only for requests that have the same values.
  public var variant: UInt64

  /// Makes an entry.
  public init(response: HTTPResponse, timestamp: Date, variant: UInt64 = 0) {
    self.response = response
    self.timestamp = timestamp
    self.variant = variant
  }
}

extension CachedEntry: CustomStringConvertible, CustomDebugStringConvertible {
  /// The response without its body, with secrets replaced, and the date.
  public var description: String { "\(response), \(timestamp)" }

  /// The same with the header fields, with secrets replaced.
  public var debugDescription: String { "\(response.debugDescription), \(timestamp)" }
}
