import Foundation

/// The base class of every ``Request``, without its content type.
///
/// A request is already under way when it is returned. It lives on the actor of its store. Hooks are
/// called there, in the order in which they were added, and those for its end at most once; one that
/// is added after completion is called before the call that adds it returns (or, from within an event
/// delivery, right after that). Hooks come after the resource events of the same completion.
///
/// The service keeps a running request alive: it continues when its handle is dropped, and ends
/// with the service unless something else holds it, such as the resource that it loads.
public class AnyRequest: PostedWork {
  final let scope: RequestScope
  /// The exchange to run; nil for a request that receives the outcome of others.
  private(set) final var exchange: Exchange?
  private(set) final var ending: LoadOutcome?
  /// The hooks and waiters. Taken out to be added to, as the deliveries of ``EventQueue`` are.
  private final var listeners = RequestListeners()
  /// Whether this request is sent to find out whether its server still asks for a wait.
  private(set) final var asksAboutPause = false
  /// Whether it was sent.
  private final var isSent = false
  /// Whether another attempt may follow.
  private(set) final var mayRetry = true
  /// The load of a resource that this request is for; nil for none.
  private final var load: (any RequestedLoad)?
  /// The request whose outcome this one receives; it is cancelled with this one.
  private(set) final var source: AnyRequest?
  /// The token fetches that wait for this request. It must not wait for any of them.
  private(set) final var fetches: [TokenFetch] = []
  /// The work in progress for this request.
  private(set) final var work: RequestWork?
  private final var currentProgress = RequestProgress()

  /// The index of this request in ``RunningRequests`` while it is under way.
  private(set) final var position = -1

  /// Creates a request that is under way.
  ///
  /// - Parameter exchange: the exchange to run; nil for a request that receives the outcome of others.
  init(scope: RequestScope, exchange: Exchange?) {
    self.scope = scope
    self.exchange = exchange
    scope.keepAlive(self)
    // It begins now, as a part of the fetches that the current task is a part of.
    if exchange?.mayBePartOfFetch == true { addFetches(TokenFetch.waiting) }
  }

  /// Runs another exchange instead, with the configuration of now; nothing was sent of the former one.
  final func replaceExchange(by exchange: Exchange) {
    precondition(!isCompleted, "AnyRequest.replaceExchange: the request has ended")
    self.exchange = exchange
  }

  /// Notes where it is while it is under way.
  final func note(position: Int) { self.position = position }

  /// Notifies the load that an attempt has failed, and that another one may follow.
  final func notifyLoad(ofRetryAfter error: ResourceError) { load?.retries(after: error) }

  /// Passes the outcome of this request to the load of a resource.
  final func assign(to load: any RequestedLoad) {
    self.load = load
  }

  /// Adds fetches that this request is a part of; returns whether there are new ones.
  @discardableResult
  final func addFetches(_ others: [TokenFetch]) -> Bool {
    let new = others.filter { other in !fetches.contains { $0 === other } }
    fetches += new
    return !new.isEmpty
  }

  /// Waits for another request, whose outcome this one receives.
  final func depend(on other: AnyRequest) {
    source = other
    if !fetches.isEmpty { other.noteWait(of: fetches) }
  }

  deinit {
    // Safe on any thread, and all there is to stop: a deallocated request has no waiters.
    work?.cancelTask()
    if case .read(let channel) = currentProgress.reports { channel.close() }
  }

  /// The progress of the exchange, 0…1; it never decreases, and is 1 on completion, even of a
  /// failed request.
  ///
  /// If the server does not send a length, progress is an estimate that approaches 1.
  public final var progress: Double {
    watchReports()
    return currentProgress.fraction
  }

  /// The wait before the next attempt; nil while the request does not wait.
  ///
  /// The request waits because the server asked for it (`Retry-After`), or to space the attempts of
  /// ``Service/Configuration/retryPolicy``.
  public private(set) final var wait: RequestWait?

  /// Whether a hook or a task waits for the end or the progress.
  final var isAwaited: Bool { changeListeners { $0.isAwaited() } }

  /// Whether the request is completed, in success, failure or cancellation.
  public final var isCompleted: Bool { ending != nil }

  /// Whether the request is completed in success.
  final var hasSucceeded: Bool {
    ending?.fetched != nil
  }

  /// Whether its hooks for the end are being called.
  final var isCallingHooks: Bool { scope.hookCalls.caller === self }

  /// Ends the request with an error of kind `.cancelled`; does nothing after completion.
  ///
  /// If the request loads a resource, this cancels that load as ``AnyResource/cancelLoad()`` does,
  /// for all callers that joined it.
  public final func cancel() { fail(with: cancellation) }

  private final var cancellation: ResourceError {
    ResourceError(.cancelled, "The request was cancelled.", timestamp: scope.clock.date)
  }

  /// Whether it is the load of a resource that waits for it.
  final var isWantedLoad: Bool { load?.isWanted == true }

  /// Ends the retries of this request: one that waits is cancelled, and nothing is sent after the attempt that is
  /// under way, nor once a retry is authorized.
  final func endRetries() {
    if wait == nil { mayRetry = false } else { cancel() }
  }

  /// Ends the request in failure.
  final func fail(with error: ResourceError) {
    complete(.failure(error))
  }

  /// Ends the request; only the first call has an effect.
  final func complete(_ ending: LoadOutcome) {
    guard self.ending == nil else { return }
    scope.queue.together { finish(ending) }
  }

  /// Ends the request: notifies first the resource and its observers, then the waiters of the
  /// request.
  final func end(with outcome: LoadOutcome) {
    // Together, so that the request has ended by the time that observers are notified of its response.
    scope.queue.together {
      // Still its load, so that an edit which is replayed on the response cannot cancel it.
      load?.received(outcome)
      // Released at the end: it may hold a resource, and deallocating that may run user code.
      let load = self.load.take()
      if ending == nil { finish(outcome) }
      withExtendedLifetime(load) {}
    }
  }

  private final func finish(_ ending: LoadOutcome) {
    let released = markEnded(ending)
    if let source = released.source { source.cancelWithSources() }
    notifyEnd(of: released.work, released.load)
    withExtendedLifetime(released) {}
  }

  /// What a request held that has ended. Released after its events were posted: deallocating it may run code of the
  /// program, whose hooks come after those that were added before.
  private typealias Released = (
    work: RequestWork?, source: AnyRequest?, load: (any RequestedLoad)?
  )

  /// Records the end. It runs no code of the program: a whole chain is marked before any part of it is notified.
  private final func markEnded(_ ending: LoadOutcome) -> Released {
    self.ending = ending
    endReports()
    scope.running?.remove(self)
    return (work.take(), source.take(), load.take())
  }

  private final func notifyEnd(of work: RequestWork?, _ load: (any RequestedLoad)?) {
    load?.cancelled()
    setWait(nil)
    advance(to: 1)
    // Posted even if only wait hooks were added: their captures are released after the events
    // of the end. The queue holds the request, which may have no other owner by then.
    if !listeners.isEmpty { scope.queue.post(self) }
    // Last, because cancelling its task may run code of the program, which is to find that all has ended.
    work?.stop()
  }

  /// Cancels a request, and with it the one whose outcome it receives, and so on: one after another, because there
  /// may be more of them than calls fit on the stack.
  private final func cancelWithSources() {
    var ended: [(request: AnyRequest, released: Released)] = []
    var next: AnyRequest? = self
    while let request = next, !request.isCompleted {
      let released = request.markEnded(.failure(request.cancellation))
      ended.append((request, released))
      next = released.source
    }
    for (request, released) in ended.reversed() {
      request.scope.queue.together { request.notifyEnd(of: released.work, released.load) }
    }
  }

  /// Notifies the hooks and waiters of the end.
  final func performPosted() {
    guard let ending else { return }
    var listeners = RequestListeners()
    swap(&listeners, &self.listeners)
    scope.hookCalls.callHooks(of: self) { listeners.end(ending) }
  }

  /// Reports progress; a value that is not greater than the last one is ignored.
  final func advance(to value: Double) {
    guard currentProgress.advance(to: value), !listeners.progress.isEmpty else { return }
    scope.queue.post { [hooks = listeners.progress, fraction = currentProgress.fraction] in
      for hook in hooks { hook(fraction) }
    }
  }

  /// Begins a wait before the next attempt, or ends it if nil.
  final func setWait(_ new: RequestWait?) {
    // What logs a wait may have ended the request, and a chain that has ended may still learn of one.
    guard new != wait, new == nil || !isCompleted else { return }
    wait = new
    load?.waits()
    if let hook = listeners.listWait {
      scope.queue.post { hook(new) }
    }
    guard !listeners.waits.isEmpty else { return }
    scope.queue.post { [hooks = listeners.waits] in
      for hook in hooks { hook(new) }
    }
  }

  /// The closure that the transport reports progress to.
  final func makeReporter() -> @Sendable (TransferProgress) -> Void {
    if let channel = currentProgress.channel { return channel.report }
    let channel = scope.makeChannel()
    currentProgress.setChannel(channel)
    // Progress may have been observed before there was anything to send.
    if !listeners.progress.isEmpty { watchReports() }
    return channel.report
  }

  private final func endReports() {
    switch currentProgress.endReports() {
    case .none: break
    case .read(let channel): channel.close()
    case .unread(let channel): scope.recycle(channel)
    }
  }

  /// Begins to read the transport's reports, because progress is observed.
  final func watchReports() {
    if let channel = currentProgress.beginReading() { awaitReport(in: channel) }
  }

  private final func awaitReport(in channel: ProgressChannel) {
    scope.isolation.launch(isCounted: false, channel.next) { [weak self] report in
      guard let self, !isCompleted, let report else { return }
      advance(to: RequestProgress.estimate(of: report))
      awaitReport(in: channel)
    }
  }

  final func changeListeners<Result>(_ change: (inout RequestListeners) -> Result) -> Result {
    var changed = RequestListeners()
    swap(&changed, &listeners)
    defer { swap(&changed, &listeners) }
    return change(&changed)
  }

  /// Calls the hook of a list whenever ``wait`` changes, as ``onWait(_:)`` does, and before the hooks
  /// that were added there.
  final func reportWaits(toList hook: @escaping (_ wait: RequestWait?) -> Void) {
    guard !isCompleted, listeners.setListWait(hook) else {
      onWait(hook)
      return
    }
    if let wait {
      scope.queue.post { hook(wait) }
    }
  }
}

extension AnyRequest: SecretHolding {}

extension AnyRequest {
  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the listeners.
  final func checkInvariants() { listeners.checkInvariants() }
}

// MARK: - Work

extension AnyRequest {
  /// Performs an operation off the store's actor, and receives its result on the actor.
  ///
  /// A request may do this several times, one after another, until it has ended.
  ///
  /// - Parameters:
  ///   - timeout: how long the operation may take; nil for no limit.
  ///   - activity: what the operation is.
  ///   - operation: the operation; it is cancelled with the request.
  ///   - completion: receives the result, unless the request has ended or was deallocated, or its
  ///     deadline has passed, by then.
  final func run<Value: Sendable>(
    within timeout: Duration? = nil, _ activity: RequestWork.Activity = .attempt,
    _ operation: @escaping @Sendable @concurrent () async -> Value,
    completion: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    // Code of the program may have ended it just now, such as the handler of a task that was cancelled.
    guard !isCompleted else { return }
    let work = RequestWork(for: self, within: timeout, activity)
    self.work = work
    let hasBegun: Bool
    if fetches.isEmpty {
      hasBegun = work.perform(operation, then: completion)
    } else {
      // What follows an earlier step is received outside of the fetches that the request is a part of.
      hasBegun = TokenFetch.$current.withValue(fetches) {
        work.perform(isPartOfFetch: true, operation, then: completion)
      }
    }
    // Posted, because the event that is being delivered may be about to report that the request has begun.
    if !hasBegun { scope.queue.post { self.cancel() } }
  }

  /// Whether the persistent cache is read for it, before anything is sent.
  final var readsCache: Bool {
    if case .readingCache? = work?.activity { true } else { false }
  }

  /// Ends the work, whose result is received now.
  final func endWork() { work = nil }

  /// Notes that the deadline of its work has passed. That ends the request, unless the work is a read of the
  /// persistent cache, which ends instead.
  final func expire() {
    guard let exchange, let work, work.expire() else { return }
    end(with: .failure(exchange.timedOut()))
    scope.deadlines.endTimerIfIdle()
  }
}

// MARK: - Pauses

extension AnyRequest {
  /// Begins to send the request; returns whether that is the first time.
  final func beginSending() -> Bool {
    defer { isSent = true }
    return !isSent
  }

  /// Decides whether what the server has asked of all requests lets this one be sent.
  final func decideAboutPause(of exchange: Exchange) -> OriginPause.Decision {
    let settings = exchange.settings.value
    let decision = scope.originLimits.decide(
      of: exchange.key.url, at: scope.clock.now, settings.retryPolicy, timeout: settings.timeout)
    asksAboutPause = decision == .ask
    return decision
  }

  /// Notes that a server has asked for a wait, or has responded without that.
  final func notePause(after error: ResourceError) {
    guard error.kind == .rateLimited else {
      // An attempt without a response says nothing.
      if error.status != nil { liftPause() }
      return
    }
    asksAboutPause = false
    guard let delay = error.retryAfter, let exchange else { return }
    let retries = exchange.settings.value.retryPolicy
    guard retries.sharesPauses else { return }
    let now = scope.clock.now
    // A decoration may send the request to another host than the one by which requests are paused.
    let url = error.isRedirected ? error.url : nil
    scope.originLimits.pause(
      url ?? exchange.key.url, until: now + delay, at: now, by: error.status, retries)
  }

  /// Notes that a server does not ask for a wait any more, if this request was sent to find that out.
  final func liftPause() {
    guard asksAboutPause, let exchange else { return }
    asksAboutPause = false
    scope.originLimits.lift(exchange.key.url, exchange.settings.value.retryPolicy)
  }
}
