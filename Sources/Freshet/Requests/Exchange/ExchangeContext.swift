import Foundation

/// The context that all exchanges of a store share.
final class ExchangeContext: Sendable {
  let transport: any Transport
  let clock: any StoreClock
  let base: BaseURL

  init(transport: any Transport, clock: any StoreClock, base: BaseURL) {
    self.transport = transport
    self.clock = clock
    self.base = base
  }
}
