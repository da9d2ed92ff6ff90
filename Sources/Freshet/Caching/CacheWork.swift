/// The service's part in a change of its persistent cache: counting it as work, and receiving failures.
struct CacheWork: Sendable {
  /// Counts the change as work.
  let counter: (any WorkCounter)?
  /// Receives why the cache could not make the change.
  let failed: @Sendable (_ error: any Error) -> Void

  init(for clock: any StoreClock, failed: @escaping @Sendable (_ error: any Error) -> Void) {
    counter = clock as? any WorkCounter
    self.failed = failed
  }
}
