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
  /// To be called on the actor. The work begins after the current turn, in a task of its own. Coming
  /// back is a plain call in that task, not a closure that has to find its way after an `await`: Swift
  /// 6.3 lets a `nonisolated(nonsending)` closure that has a capture list run off its caller's actor,
  /// with no word from the compiler.
  ///
  /// - Parameters:
  ///   - keepingActor: whether the task keeps the actor alive. If not, and the actor goes, the result
  ///     goes too.
  ///   - start: called on the actor right before the work begins.
  ///   - away: the work.
  ///   - back: is given its result, also after the task was cancelled.
  @discardableResult
  func launch<Value: Sendable>(
    keepingActor: Bool = false, start: (() -> Void)? = nil,
    _ away: @escaping @Sendable @concurrent () async -> Value,
    back: @escaping (Value) -> Void
  ) -> Task<Void, Never>? {
    guard let actor else { return nil }
    // Called on `actor` only: the tasks below run there, or call them there.
    nonisolated(unsafe) let (start, back) = (start, back)
    // The main actor never goes, and a task that begins there changes actors less often.
    if keepingActor || actor === MainActor.shared {
      return actor.assumeIsolated { isolation in
        Task {
          _ = isolation
          start?()
          back(await away())
        }
      }
    }
    return Task {
      if start != nil, let actor = self.actor { await Self.call(start, on: actor) }
      let value = await away()
      if let actor = self.actor { await Self.call(back, with: value, on: actor) }
    }
  }

  private static func call(_ body: (() -> Void)?, on actor: isolated any Actor) { body?() }

  private static func call<Value>(
    _ body: (Value) -> Void, with value: Value, on actor: isolated any Actor
  ) {
    body(value)
  }
}
