/// The actor that a store belongs to, and the one way back to it.
///
/// Nothing in a store is `Sendable`, so nothing in it can leave the actor it was made on. Work that
/// runs elsewhere takes and returns `Sendable` values; what it returns is brought back here.
struct StoreIsolation {
  private weak var actor: (any Actor)?

  /// Captures the actor. Nothing here keeps it alive: an actor that owns a store is not kept by it.
  init(isolation: isolated any Actor) {
    precondition(
      UInt(bitPattern: ObjectIdentifier(isolation)) != 0,
      """
      Service.init: the actor does not exist yet. `#isolation` is empty in an actor's initializer \
      until every property is set; write `lazy var service = Service(…, isolation: self)`.
      """)
    actor = isolation
  }

  /// Does work away from the store's actor, then takes its result in on that actor.
  ///
  /// To be called on the actor. The work begins after the current turn, in a task of its own that
  /// keeps the actor alive. Coming back is a plain call in that task, not a closure that has to find
  /// its way after an `await`: Swift 6.3 lets a `nonisolated(nonsending)` closure that has a capture
  /// list run off its caller's actor, with no word from the compiler.
  ///
  /// - Parameters:
  ///   - start: called on the actor right before the work begins.
  ///   - away: the work.
  ///   - back: takes in its result, also after the task was cancelled.
  @discardableResult
  func launch<Value: Sendable>(
    start: (() -> Void)? = nil,
    _ away: @escaping @Sendable @concurrent () async -> Value,
    back: @escaping (Value) -> Void
  ) -> Task<Void, Never>? {
    // Never leave `isolation`: the task below runs there.
    nonisolated(unsafe) let (start, back) = (start, back)
    return actor?.assumeIsolated { isolation in
      Task {
        _ = isolation
        start?()
        back(await away())
      }
    }
  }
}
