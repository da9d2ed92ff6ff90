import Foundation

/// One exchange with the server and all that belongs to it, off the store's actor: decoration,
/// authorization, the deadline, status, transforms, decoding.
///
/// `Sendable` values in, a `Sendable` value out. What happens between two attempts is decided here
/// too, and performed on the store's actor, where all of it is visible. Nothing here knows the type
/// of the content: see ``AnyEntity``.
final class Exchange: Sendable {
  let key: ResourceKey
  let body: RequestBody?
  let decoder: AnyDecoder
  let settings: ConfigurationVersion
  let context: ExchangeContext
  /// Why no request can be sent, if that is so.
  let unusable: UnusableURL?

  init(
    key: ResourceKey, body: RequestBody? = nil, decoder: AnyDecoder,
    settings: ConfigurationVersion, context: ExchangeContext, unusable: UnusableURL?
  ) {
    self.key = key
    self.body = body
    self.decoder = decoder
    self.settings = settings
    self.context = context
    self.unusable = unusable
  }

  var clock: any StoreClock { context.clock }
  /// Whether the URL belongs to the service, so that its credentials may go there.
  var isOwnOrigin: Bool { context.base.isOrigin(of: key.url) }
}

/// The context that all exchanges of a store share.
final class ExchangeContext: Sendable {
  let transport: any Transport
  let clock: any StoreClock
  let base: BaseURL
  let cacheReports = CacheReports()

  init(transport: any Transport, clock: any StoreClock, base: BaseURL) {
    self.transport = transport
    self.clock = clock
    self.base = base
  }
}

/// How a load ended, from the exchange with the server to the state of the resource.
typealias LoadOutcome = Result<Fetched, ResourceError>

extension LoadOutcome {
  /// The content; nil for a failure.
  var fetched: Fetched? { if case .success(let fetched) = self { fetched } else { nil } }
}

/// Content that was just read or confirmed.
///
/// An object, because it is passed on more often than it is used. Together with ``KnownContent`` and responses that
/// are consumed where they are read, that saves 4 % of a new page and 7 % of one that the server confirms.
final class Fetched: Sendable {
  let entity: AnyEntity
  /// The content whose validators were sent, if the server has confirmed it; nil for new content.
  let known: KnownContent?
  /// The status of the response; 200 for a stored one.
  let status: Int
  /// The freshness lifetime from the server, if it is used.
  let lifetime: Duration?
  /// The change of the persistent cache, if there is one.
  let cacheChange: CacheChange?
  /// The exchange that has received it; nil once another resource has adopted it.
  let exchange: Exchange?
  /// Whether the response depends on a header field that a decoration sets, so that it is not to be reused.
  let variesByDecoration: Bool
  /// Whether it comes from the persistent cache, and may be old.
  let isRestored: Bool

  init(
    entity: AnyEntity, confirming known: KnownContent? = nil, status: Int = 200,
    lifetime: Duration?, cacheChange: CacheChange? = nil, by exchange: Exchange? = nil,
    variesByDecoration: Bool = false, isRestored: Bool = false
  ) {
    self.entity = entity
    self.known = known
    self.status = status
    self.lifetime = lifetime
    self.cacheChange = cacheChange
    self.exchange = exchange
    self.variesByDecoration = variesByDecoration
    self.isRestored = isRestored
  }
}
