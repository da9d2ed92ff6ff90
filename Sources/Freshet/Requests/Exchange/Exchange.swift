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
