import Foundation

/// Keeps the responses of resources beyond the life of a store.
///
/// Used off the store's actor, from many stores at once. A failure never fails a request: it goes to
/// ``Configuration/log``.
public protocol EntityCache: Sendable {
  /// The entry of that key, or nil for none.
  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry?
  /// Puts an entry, replacing the older one.
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws
  /// Removes the entry of that key, if there is one.
  @concurrent
  func remove(_ key: ResourceKey) async throws
}

/// A response as it is kept: what came over the wire, and when.
public struct CachedEntry: Sendable, Hashable {
  /// The response, as it came, with headers brought up to date by every 304.
  public var response: HTTPResponse
  /// The wall date at which it was received or confirmed.
  public var timestamp: Date

  /// Makes an entry.
  public init(response: HTTPResponse, timestamp: Date) {
    self.response = response
    self.timestamp = timestamp
  }
}

extension CachedEntry: CustomStringConvertible, CustomDebugStringConvertible {
  /// The response without its body, secrets replaced, and the date.
  public var description: String { "\(response), \(timestamp)" }

  /// The same with the header fields, secrets in them replaced.
  public var debugDescription: String { "\(response.debugDescription), \(timestamp)" }
}
