/// The actor that a store belongs to, and the one way back to it.
///
/// Nothing in a store is `Sendable`, so nothing in it can leave the actor it was made on. Work that
/// runs elsewhere is awaited by an operation that is launched here, and that operation is where the
/// store is touched again.
struct StoreIsolation {
  /// Runs an operation on the store's actor, in a task of its own that begins after the current
  /// turn.
  ///
  /// To be called on that actor. The task keeps the actor alive, and nothing else here does: an
  /// actor that owns a store is not kept by it.
  ///
  /// An operation has no capture list: Swift 6.3.1 runs a `nonisolated(nonsending)` closure that has
  /// one off its caller's actor, with no word from the compiler. It captures a `weak let` instead.
  let launch: (_ operation: @escaping () async -> Void) -> Task<Void, Never>?

  /// Captures the actor.
  init(isolation: isolated any Actor) {
    precondition(
      UInt(bitPattern: ObjectIdentifier(isolation)) != 0,
      """
      Service.init: the actor does not exist yet. `#isolation` is empty in an actor's initializer \
      until every property is set; write `lazy var service = Service(…, isolation: self)`.
      """)
    launch = { [weak isolation] operation in
      // Never leaves `isolation`: the task below runs there.
      nonisolated(unsafe) let operation = operation
      return isolation?.assumeIsolated { isolation in
        // Captures the isolated parameter, so that it begins on the actor, in the order of launches.
        Task {
          _ = isolation
          await operation()
        }
      }
    }
  }
}
