import Foundation

/// One exchange with the server and all that belongs to it, off the store's actor: decoration,
/// authorization, the deadline, status, transforms, decoding.
///
/// `Sendable` values in, a `Sendable` value out. What happens between two tries is decided here too,
/// and done on the store's actor, where everybody can see it. Nothing here knows the type of the
/// content: see ``AnyEntity``.
final class Exchange: Sendable {
  let key: ResourceKey
  let body: RequestBody?
  let decoder: AnyDecoder
  let settings: ConfigurationVersion
  let transport: any Transport
  let clock: any StoreClock
  /// Whether the URL belongs to the service, so that its credentials may go there.
  let isOwnOrigin: Bool
  /// Why nothing can be sent, if that is so.
  let unusable: AnyResource.Unusable?

  init(
    key: ResourceKey, body: RequestBody?, decoder: AnyDecoder, settings: ConfigurationVersion,
    transport: any Transport, clock: any StoreClock, isOwnOrigin: Bool,
    unusable: AnyResource.Unusable?
  ) {
    self.key = key
    self.body = body
    self.decoder = decoder
    self.settings = settings
    self.transport = transport
    self.clock = clock
    self.isOwnOrigin = isOwnOrigin
    self.unusable = unusable
  }

  var configuration: Configuration { settings.value }

  /// What came of it.
  enum Outcome: Sendable {
    case newData(Fetched)
    /// `headers` are the stored ones, brought up to date by the 304.
    case notModified(HTTPHeaders, date: Date, lifetime: Duration?)
    case failure(ResourceError)
  }
}

/// Content from the persistent cache.
struct Restored: Sendable {
  let entity: AnyEntity
  /// How long ago the server sent or confirmed it.
  let age: Duration
  /// How long the server said that it stays fresh, where that counts.
  let lifetime: Duration?
}

/// Content that has just been read, and what is needed to keep it.
struct Fetched: Sendable {
  let entity: AnyEntity
  /// How long the server says that it stays fresh, where that counts.
  let lifetime: Duration?
  /// What to put into the persistent cache, where there is one and the server allows it.
  let entry: CachedEntry?
}
