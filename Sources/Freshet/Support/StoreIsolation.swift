/// The actor of a store, and the one way back to it.
///
/// Nothing in a store is `Sendable`, so nothing in it can leave the actor it was made on. Work that
/// runs elsewhere takes and returns `Sendable` values; this type delivers its results to the actor.
final class StoreIsolation {
  /// Never changed, so a task may read it anywhere. Weak: a store does not keep an actor that owns
  /// it alive.
  private weak var actor: (any Actor)?
  /// The task whose result is received in this turn of the actor; nil outside of such a turn.
  private var receiving: Runner?
  /// Counts launched work; nil, as for every clock of the machine, to count none. Never changed.
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

  /// Performs an operation off the store's actor, then receives its result on that actor.
  ///
  /// Must be called on the actor. The work begins after the current turn: in the task whose result
  /// is being received, if that task has no other work already, and otherwise in a new task. So a
  /// walk from page to page is one task, which changes actors once for each page: saves 12 % of a cold
  /// page, and 16 % of one that is confirmed. Its priority and its task-local values are those of the
  /// call that began it. A cancelled task is not used again.
  /// The work does not keep the actor alive: if that is deallocated, the result is dropped.
  ///
  /// The return to the actor is a plain call in that task, not a closure that resumes after an
  /// `await`: Swift 6.3 lets a `nonisolated(nonsending)` closure that has a capture list run off
  /// its caller's actor, without a diagnostic.
  ///
  /// - Parameters:
  ///   - isCounted: whether something waits for the work; false for mere listening.
  ///   - isPartOfFetch: whether it is a part of ``TokenFetch/current``, and the task whose result is being received
  ///     perhaps not: it gets a new task.
  ///   - start: called on the actor right before the work begins.
  ///   - operation: the operation.
  ///   - completion: receives the result, also after the task was cancelled.
  /// - Returns: the task, which must be cancelled only before `completion` is called: after that it may
  ///   do other work. Nil, and nothing is done, if the actor is being deallocated.
  @discardableResult
  func launch<Value: Sendable>(
    isCounted: Bool = true, isPartOfFetch: Bool = false, start: (() -> Void)? = nil,
    _ operation: @escaping @Sendable @concurrent () async -> Value,
    completion: @escaping (Value) -> Void
  ) -> Task<Void, Never>? {
    guard actor != nil else { return nil }
    let current = isPartOfFetch ? nil : freeRunner
    // Used on the actor only, except for the reference to the actor: the task calls it there.
    nonisolated(unsafe) let (start, completion, isolation, runner) = (
      start, completion, self, current ?? Runner()
    )
    if isCounted { counter?.workBegan() }
    let job = Job {
      defer { if isCounted { isolation.counter?.workEnded() } }
      let value = await operation()
      guard let actor = isolation.actor else { return nil }
      // Consumed: what is left of the result is released on the actor. The operation is released by the task, with
      // the content that it was to confirm.
      return await isolation.receive(consume value, completion, of: runner, on: actor)
    }
    runner.next = (job, start)
    if current == nil {
      runner.task = Task {
        guard var job = await Self.next(of: runner, on: isolation.actor) else {
          if isCounted { isolation.counter?.workEnded() }
          return
        }
        while let next = await job.run() { job = next }
      }
    }
    return runner.task
  }

  /// The task that can do more work after this turn. None that is a part of a fetch: what an observer begins would
  /// be a part of that too.
  private var freeRunner: Runner? {
    guard let receiving, !receiving.isPartOfFetch, receiving.next == nil,
      receiving.task?.isCancelled == false
    else { return nil }
    return receiving
  }

  /// Receives the result of a job on the actor.
  ///
  /// - Returns: the next job of the task.
  private func receive<Value>(
    _ value: consuming Value, _ completion: (Value) -> Void, of runner: Runner,
    on actor: isolated any Actor
  ) -> Job? {
    receiving = runner
    let result = consume value
    if runner.isPartOfFetch {
      TokenFetch.$current.withValue([]) { completion(result) }
    } else {
      completion(result)
    }
    receiving = nil
    return runner.start()
  }

  /// The first job of a task; nil without an actor.
  private static func next(of runner: Runner, on actor: isolated (any Actor)?) -> Job? {
    actor == nil ? nil : runner.start()
  }

  /// Work off the actor, and the receipt of its result there.
  private struct Job: Sendable {
    /// Performs the work, and receives its result.
    ///
    /// - Returns: the work that was launched while the result was received.
    let run: @Sendable @concurrent () async -> Job?
  }

  /// A task that performs one job after the other.
  private final class Runner {
    /// Whether the task inherits a ``TokenFetch`` that it is a part of. Looked up once for a task, and not
    /// for each result: saves 2 % of a page that is confirmed.
    let isPartOfFetch = !TokenFetch.current.isEmpty
    var task: Task<Void, Never>?
    var next: (job: Job, start: (() -> Void)?)?

    /// Removes and returns the next job, because it begins now.
    func start() -> Job? {
      guard let next = next.take() else { return nil }
      next.start?()
      return next.job
    }
  }
}
