/// The actor that a store belongs to, and the one way back to it.
///
/// Nothing in a store is `Sendable`, so nothing in it can leave the actor it was made on. Work that
/// runs elsewhere takes and returns `Sendable` values; what it returns is brought back here.
final class StoreIsolation {
  /// Never changed, so a task may read it anywhere. Weak: an actor that owns a store is not kept by it.
  private weak var actor: (any Actor)?
  /// The task whose result is being received in this turn of the actor; nil outside of such a turn.
  private var receiving: Runner?
  /// Counts what is launched; nil, as for every clock of the machine, for nobody. Never changed.
  private let counter: (any WorkCounter)?

  /// Captures the actor.
  init(counter: (any WorkCounter)? = nil, isolation: isolated any Actor) {
    precondition(
      UInt(bitPattern: ObjectIdentifier(isolation)) != 0,
      """
      Service.init: the actor does not exist yet. `#isolation` is empty in an actor's initializer \
      until every property is set; write `lazy var service = Service(…, isolation: self)`.
      """)
    actor = isolation
    self.counter = counter
  }

  /// Does work away from the store's actor, then receives its result on that actor.
  ///
  /// To be called on the actor. The work begins after the current turn: in the task whose result is being
  /// received, where no other work goes on in that already, and otherwise in a new task. So a walk from
  /// page to page is one task, which changes actors once for each page; its priority and its task-local
  /// values are those of the call that began it. A task that was cancelled is not used again.
  ///
  /// Coming back is a plain call in that task, not a closure that has to find its way after an `await`:
  /// Swift 6.3 lets a `nonisolated(nonsending)` closure that has a capture list run off its caller's
  /// actor, with no word from the compiler.
  ///
  /// - Parameters:
  ///   - keepingActor: whether the work keeps the actor alive. If not, and the actor goes, the result
  ///     goes too. Such work has a task of its own.
  ///   - isCounted: whether it is work that something waits for, and not only listening.
  ///   - start: called on the actor right before the work begins.
  ///   - away: the work.
  ///   - back: is given its result, also after the task was cancelled.
  /// - Returns: the task, to be cancelled before `back` is called only: then it may do other work. Nil,
  ///   and nothing is done, where the actor is being deallocated.
  @discardableResult
  func launch<Value: Sendable>(
    keepingActor: Bool = false, isCounted: Bool = true, start: (() -> Void)? = nil,
    _ away: @escaping @Sendable @concurrent () async -> Value,
    back: @escaping (Value) -> Void
  ) -> Task<Void, Never>? {
    guard let actor else { return nil }
    let kept = keepingActor ? actor : nil
    let current = keepingActor ? nil : freeRunner
    // Used on the actor only, but for the reference to the actor: the task calls it there.
    nonisolated(unsafe) let (start, back, isolation, runner) = (
      start, back, self, current ?? Runner()
    )
    if isCounted { counter?.workBegan() }
    let job = Job {
      defer { if isCounted { isolation.counter?.workEnded() } }
      let value = await away()
      guard let actor = kept ?? isolation.actor else { return nil }
      return await isolation.receive(value, back, of: runner, on: actor)
    }
    runner.next = (job, start)
    if current == nil {
      runner.task = Task {
        guard var job = await Self.next(of: runner, on: kept ?? isolation.actor) else {
          if isCounted { isolation.counter?.workEnded() }
          return
        }
        while let next = await job.run() { job = next }
      }
    }
    return runner.task
  }

  /// The task that can do more work after this turn.
  private var freeRunner: Runner? {
    guard let receiving, receiving.next == nil, receiving.task?.isCancelled == false else {
      return nil
    }
    return receiving
  }

  /// Receives the result of a job on the actor.
  ///
  /// - Returns: what the task is to do next.
  private func receive<Value>(
    _ value: Value, _ back: (Value) -> Void, of runner: Runner, on actor: isolated any Actor
  ) -> Job? {
    receiving = runner
    back(value)
    receiving = nil
    return runner.start()
  }

  /// What a task is to do first; nil without an actor.
  private static func next(of runner: Runner, on actor: isolated (any Actor)?) -> Job? {
    actor == nil ? nil : runner.start()
  }

  /// Work away from the actor, and the reception of its result there.
  private struct Job: Sendable {
    /// - Returns: the work that was launched while the result was received.
    let run: @Sendable @concurrent () async -> Job?
  }

  /// A task that does one job after the other.
  private final class Runner {
    var task: Task<Void, Never>?
    var next: (job: Job, start: (() -> Void)?)?

    /// Takes out what is to be done next, because that begins now.
    func start() -> Job? {
      guard let next = next.take() else { return nil }
      next.start?()
      return next.job
    }
  }
}
