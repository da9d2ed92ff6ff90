import Foundation

/// The base class of every ``Request``: a request whose content type is not known.
///
/// A request is already under way when it is handed out. It lives on the actor of its store. Hooks are
/// called there, in the order in which they were added, and those for its end at most once; one that
/// is added after completion is called before the call that adds it returns (or, from within an event
/// delivery, right after that). Hooks come after the resource events of the same completion.
///
/// The service keeps a running request alive: it continues when its handle is dropped, and ends
/// with the service unless something else holds it, such as the resource that it loads.
public class AnyRequest: PostedWork {
  final let scope: RequestScope
  /// The exchange to run; nil for a request that takes the outcome of others.
  private(set) final var exchange: Exchange?
  private(set) final var ending: LoadOutcome?
  /// The hooks and waiters. Taken out to be added to, as the deliveries of ``EventQueue`` are.
  private final var listeners = RequestListeners()
  /// Whether this request is sent to find out whether its server still asks for a wait.
  final var asksAboutPause = false
  /// The load of a resource that this request is for; nil for none.
  final var load: (any RequestedLoad)?
  /// The request whose outcome this one takes; it is cancelled with this one.
  final var source: AnyRequest?
  /// The token fetches that wait for this request. It must not wait for any of them.
  final var fetches: [TokenFetch] = []
  /// The work in progress for this request.
  final var work: Work?
  private final var reports = Reports.none

  /// The index of this request in ``RunningRequests`` while it is under way.
  final var position = -1

  /// The progress reports of the transport, which are read only once progress is observed.
  private enum Reports {
    case none
    case unread(ProgressChannel)
    case read(ProgressChannel)
  }

  /// - Parameter exchange: the exchange to run; nil for a request that takes the outcome of others.
  init(scope: RequestScope, exchange: Exchange?) {
    self.scope = scope
    self.exchange = exchange
    scope.hold(self)
    // It begins now, as a part of the fetches that the current task is a part of.
    if exchange?.mayBePartOfFetch == true { addFetches(TokenFetch.current) }
  }

  /// Runs another exchange instead, with the configuration of now; nothing was sent of the former one.
  final func replaceExchange(by exchange: Exchange) {
    precondition(!isCompleted, "AnyRequest.replaceExchange: the request has ended")
    self.exchange = exchange
  }

  deinit {
    // Safe on any thread, and all there is to stop: a deallocated request has no waiters.
    work?.task?.cancel()
    if case .read(let channel) = reports { channel.close() }
  }

  /// The progress of the exchange, 0…1; it never decreases, and is 1 on completion, also of a
  /// failed request.
  ///
  /// Where the server does not send a length, progress is an estimate that approaches 1.
  public final var progress: Double {
    watchReports()
    return reached
  }

  private final var reached = 0.0

  /// The wait before the next attempt, while there is one: because the server asked for it
  /// (`Retry-After`), or to space the attempts of ``Service/Configuration/retries``. Nil while the
  /// request does not wait.
  public final var wait: RequestWait? { currentWait }
  private final var currentWait: RequestWait?

  /// Whether a hook or a task waits for the end or the progress.
  final var isAwaited: Bool { listeners.isAwaited }

  /// Whether the request is completed, in success, failure or cancellation.
  public final var isCompleted: Bool { ending != nil }

  /// Ends the request with an error of kind `.cancelled`; does nothing after completion.
  ///
  /// Cancelling the load of a resource is ``AnyResource/cancelLoad()`` for that load, also for all
  /// other callers that joined it.
  public final func cancel() {
    fail(with: ResourceError(.cancelled, "The request was cancelled.", timestamp: scope.clock.date))
  }

  /// Ends the request in failure.
  final func fail(with error: ResourceError) {
    complete(.failure(error))
  }

  /// Ends the request; only the first call has an effect.
  final func complete(_ ending: LoadOutcome) {
    guard self.ending == nil else { return }
    self.ending = ending
    endReports()
    scope.running?.remove(self)
    work.take()?.stop()
    scope.queue.together {
      source.take()?.cancel()
      load.take()?.cancelled()
      setWait(nil)
      advance(to: 1)
      // Posted also where only wait hooks were added: their captures are released after the events
      // of the end. The queue holds the request, which may have no other owner by then.
      if !listeners.isEmpty { scope.queue.post(self) }
    }
  }

  /// Notifies the hooks and waiters of the end.
  final func performPosted() {
    guard let ending else { return }
    var listeners = RequestListeners()
    swap(&listeners, &self.listeners)
    listeners.end(ending)
  }

  /// Reports progress; a value that is not greater than the last one is ignored.
  final func advance(to value: Double) {
    guard value > reached else { return }
    reached = min(value, 1)
    guard !listeners.progress.isEmpty else { return }
    scope.queue.post { [hooks = listeners.progress, reached] in
      for hook in hooks { hook(reached) }
    }
  }

  /// Begins a wait before the next attempt, or ends it if nil.
  final func setWait(_ wait: RequestWait?) {
    guard wait != currentWait else { return }
    currentWait = wait
    load?.waits()
    if let hook = listeners.listWait {
      scope.queue.post { hook(wait) }
    }
    guard !listeners.waits.isEmpty else { return }
    scope.queue.post { [hooks = listeners.waits] in
      for hook in hooks { hook(wait) }
    }
  }

  /// The closure that the transport reports progress to.
  final func makeReporter() -> @Sendable (TransferProgress) -> Void {
    switch reports {
    case .unread(let channel), .read(let channel): return channel.report
    case .none:
      let channel = scope.channels.make()
      reports = .unread(channel)
      // Progress may have been observed before there was anything to send.
      if !listeners.progress.isEmpty { watchReports() }
      return channel.report
    }
  }

  private final func endReports() {
    switch reports {
    case .none: break
    case .read(let channel): channel.close()
    case .unread(let channel): scope.channels.takeBack(channel)
    }
    reports = .none
  }

  /// Begins to read the transport's reports. Before progress is observed that would be wasted work.
  private final func watchReports() {
    guard case .unread(let channel) = reports else { return }
    reports = .read(channel)
    awaitReport(in: channel)
  }

  private final func awaitReport(in channel: ProgressChannel) {
    scope.isolation.launch(isCounted: false, channel.next) { [weak self] report in
      guard let self, !isCompleted, let report else { return }
      advance(to: ProgressEstimate.fraction(of: report))
      awaitReport(in: channel)
    }
  }

  /// Records that the current task waits for the end of this request.
  private final func noteWait() {
    let fetches = TokenFetch.current
    if !fetches.isEmpty { noteWait(of: fetches) }
  }

  private final func addListener<Added>(_ add: (inout RequestListeners) -> Added) -> Added {
    var changed = RequestListeners()
    swap(&changed, &listeners)
    defer { swap(&changed, &listeners) }
    return add(&changed)
  }

  /// Calls the hook once the request has ended.
  final func whenEnded(_ hook: @escaping (LoadOutcome) -> Void) {
    guard let ending else {
      noteWait()
      return addListener { $0.ends.append(hook) }
    }
    scope.queue.post { [self] in
      hook(ending)
      withExtendedLifetime(self) {}
    }
  }

  /// Calls the hook once the request has ended; it does not count as waiting for that. With a service that is
  /// deallocated it may be released without a call.
  final func whenEndedUnawaited(_ hook: @escaping () -> Void) {
    guard isCompleted else { return addListener { $0.unawaitedEnds.append(hook) } }
    scope.queue.post(hook)
  }

  /// Calls the hook with every step of progress, 0…1, increasing; the last one is 1 and comes
  /// before the completion hooks. A hook that is added after completion receives only that 1.
  @discardableResult
  public final func onProgress(_ hook: @escaping (Double) -> Void) -> Self {
    if isCompleted {
      scope.queue.post { hook(1) }
    } else {
      addListener { $0.progress.append(hook) }
      watchReports()
    }
    return self
  }

  /// Calls the hook whenever ``wait`` changes: with the wait when one before the next attempt
  /// begins, and with nil when it has ended.
  ///
  /// A wait that the end of the request cuts short ends before the completion hooks are called. A
  /// hook that is added while the request waits receives that wait first; one that is added after
  /// completion is never called.
  @discardableResult
  public final func onWait(_ hook: @escaping (_ wait: RequestWait?) -> Void) -> Self {
    guard !isCompleted else { return self }
    addListener { $0.waits.append(hook) }
    if let wait {
      scope.queue.post { hook(wait) }
    }
    return self
  }

  /// Calls the hook of a list whenever ``wait`` changes, as ``onWait(_:)`` does, and before the hooks
  /// that were added there.
  final func reportWaits(toList hook: @escaping (_ wait: RequestWait?) -> Void) {
    guard !isCompleted, listeners.listWait == nil else {
      onWait(hook)
      return
    }
    listeners.listWait = hook
    if let wait {
      scope.queue.post { hook(wait) }
    }
  }

  /// Calls the hook if the request ends in failure; a cancellation is a failure of kind `.cancelled`.
  @discardableResult
  public final func onFailure(_ hook: @escaping (ResourceError) -> Void) -> Self {
    whenEnded { ending in
      if case .failure(let error) = ending { hook(error) }
    }
    return self
  }

  /// Calls the hook if the server confirmed the content that the resource already had (304).
  @discardableResult
  public final func onNotModified(_ hook: @escaping () -> Void) -> Self {
    whenEnded { ending in
      if case .notModified = ending { hook() }
    }
    return self
  }

  /// Waits until the request is completed, in success, failure or cancellation, and its hooks have
  /// been called.
  ///
  /// Returns early if the waiting task is cancelled. That does not cancel the request, which other
  /// callers may wait for too.
  public final func completed() async {
    guard !isCompleted else { return }
    noteWait()
    for await _ in addListener({ $0.waiters.make() }) {}
  }
}

extension AnyRequest: CustomReflectable {
  /// Empty: the request and its response may hold secrets.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}

/// The hooks and waiters of a request: a value, so that the end of the request takes all of them at
/// once.
struct RequestListeners {
  var ends: [(LoadOutcome) -> Void] = []
  /// The hooks that only inform of the end.
  var unawaitedEnds: [() -> Void] = []
  var progress: [(Double) -> Void] = []
  var waits: [(RequestWait?) -> Void] = []
  /// That of the first list that has the request's resource as a page. In place, because nearly every
  /// request of a walk has just this one; it holds nothing of the program, so it needs no release after
  /// the end.
  var listWait: ((RequestWait?) -> Void)?
  var waiters = Waiters()

  /// Whether there is nothing to notify, now or later.
  var isEmpty: Bool {
    ends.isEmpty && unawaitedEnds.isEmpty && waits.isEmpty && progress.isEmpty && waiters.isEmpty
  }

  /// Whether anything waits for the end or for progress.
  var isAwaited: Bool { !ends.isEmpty || !progress.isEmpty || !waiters.isEmpty }

  /// Notifies of the end: first the hooks, then the waiters.
  mutating func end(_ ending: LoadOutcome) {
    for hook in ends { hook(ending) }
    for hook in unawaitedEnds { hook() }
    waiters.resume()
  }
}

/// A load that receives the outcome of a request.
protocol RequestedLoad: AnyObject {
  /// The request has ended with new content, a confirmation or an error.
  func received(_ outcome: LoadOutcome)
  /// The request has ended without an outcome.
  func cancelled()
  /// A wait before another attempt has begun or ended.
  func waits()
}
