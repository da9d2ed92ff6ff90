import Foundation

/// The handle of one exchange with a server, whatever content it brings.
///
/// A request is already under way when it is handed out. It lives on the actor of its store. Every
/// hook is called there, at most once, in the order in which hooks were added; a hook that is added
/// after completion is called before the call that adds it returns (or, from within an event
/// delivery, right after that). Hooks come after the resource events of the same completion.
///
/// The service keeps a running request alive: it goes on when its handle is dropped, and ends with the
/// service unless something else holds it, such as the resource that it is a load of.
public class AnyRequest: PostedWork {
  final let scope: RequestScope
  final let exchange: Exchange?
  private(set) final var ending: LoadOutcome?
  private final var listeners = RequestListeners()
  /// The load of a resource that this request is for; nil for none.
  final var load: (any RequestedLoad)?
  /// The request whose outcome this one takes; it is cancelled with this one.
  final var source: AnyRequest?
  /// The fetches of tokens that wait for this request, which must not wait for any of them.
  final var fetches: [TokenAuthorizer.Fetch] = []
  /// What is done for this request just now.
  final var work: Work?
  private final var reports = Reports.none

  /// Where ``RunningRequests`` keep this request while it is under way.
  final var place = -1

  /// The progress that the transport reports, read once it is asked for.
  private enum Reports {
    case none
    case unread(ProgressChannel)
    case read(ProgressChannel)
  }

  /// - Parameter exchange: what the request is; nil for one that takes the outcome of others.
  init(scope: RequestScope, exchange: Exchange?) {
    self.scope = scope
    self.exchange = exchange
    scope.hold(self)
  }

  deinit {
    // Safe on any thread, and all that there is to stop: a request that nobody holds has no waiters.
    work?.task?.cancel()
    if case .read(let channel) = reports { channel.close() }
  }

  /// How far the exchange has come, 0…1; it never goes back and is 1 on completion, also of a failed
  /// request.
  ///
  /// Where the server does not tell a length, progress is an estimate that approaches 1.
  public final var progress: Double {
    watchReports()
    return reached
  }

  private final var reached = 0.0

  /// The wait before the next attempt, while there is one: because the server asked for it
  /// (`Retry-After`), or to space the attempts of ``Service/Configuration/retries``. Nil while the
  /// request does not wait.
  public final private(set) var wait: RequestWait?

  /// Whether the request has ended, in success, failure or cancellation.
  public final var isCompleted: Bool { ending != nil }

  /// Ends the request with an error of kind `.cancelled`; does nothing after completion.
  ///
  /// Cancelling the load of a resource is ``AnyResource/cancelLoad()`` for that load, also for
  /// all others who joined it.
  public final func cancel() {
    fail(with: ResourceError(.cancelled, "The request was cancelled.", timestamp: scope.clock.date))
  }

  /// Ends the request in failure.
  final func fail(with error: ResourceError) {
    complete(.failure(error))
  }

  /// Ends the request; only the first call counts.
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
      // Posted also where only hooks for waits were added: what they capture is released after the events
      // of the end. The queue holds the request, which may not be held otherwise by then.
      if !listeners.isEmpty { scope.queue.post(self) }
    }
  }

  /// Notifies of the end.
  final func performPosted() {
    guard let ending else { return }
    var listeners = RequestListeners()
    swap(&listeners, &self.listeners)
    listeners.end(ending)
  }

  /// Reports progress; values that are not ahead are passed over.
  final func advance(to value: Double) {
    guard value > reached else { return }
    reached = min(value, 1)
    guard !listeners.progress.isEmpty else { return }
    scope.queue.post { [hooks = listeners.progress, reached] in
      for hook in hooks { hook(reached) }
    }
  }

  /// Begins or, for nil, ends a wait before the next attempt.
  final func setWait(_ wait: RequestWait?) {
    guard wait != self.wait else { return }
    self.wait = wait
    guard !listeners.waits.isEmpty else { return }
    scope.queue.post { [hooks = listeners.waits] in
      for hook in hooks { hook(wait) }
    }
  }

  /// What the transport reports to.
  final func makeReporter() -> @Sendable (TransferProgress) -> Void {
    switch reports {
    case .unread(let channel), .read(let channel): return channel.report
    case .none:
      let channel = scope.running?.makeChannel() ?? ProgressChannel()
      reports = .unread(channel)
      // It may have been asked for before there was anything to send.
      if !listeners.progress.isEmpty { watchReports() }
      return channel.report
    }
  }

  private final func endReports() {
    switch reports {
    case .none: break
    case .read(let channel): channel.close()
    case .unread(let channel): scope.running?.takeBack(channel)
    }
    reports = .none
  }

  /// Begins to read what the transport reports; until it is asked for, that would be wasted work.
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

  /// Calls the hook once the request has ended.
  final func whenEnded(_ hook: @escaping (LoadOutcome) -> Void) {
    guard let ending else {
      noteWait()
      return listeners.ends.append(hook)
    }
    scope.queue.post { [self] in
      hook(ending)
      withExtendedLifetime(self) {}
    }
  }

  /// Calls the hook with every step of progress, 0…1, increasing; the last one is 1 and comes before
  /// the completion hooks. Added after completion, it receives just that 1.
  @discardableResult
  public final func onProgress(_ hook: @escaping (Double) -> Void) -> Self {
    if isCompleted {
      scope.queue.post { hook(1) }
    } else {
      listeners.progress.append(hook)
      watchReports()
    }
    return self
  }

  /// Calls the hook with ``wait`` whenever that changes: with the wait when one before the next
  /// attempt begins, and with nil when it has ended.
  ///
  /// A wait that is cut short by the end of the request ends before the completion hooks are called.
  /// Added while the request waits, the hook receives that wait first; added after completion, it is
  /// never called.
  @discardableResult
  public final func onWait(_ hook: @escaping (_ wait: RequestWait?) -> Void) -> Self {
    guard !isCompleted else { return self }
    listeners.waits.append(hook)
    if let wait {
      scope.queue.post { hook(wait) }
    }
    return self
  }

  /// Calls the hook if the request ends in failure; a cancellation is a failure of kind `.cancelled`.
  @discardableResult
  public final func onFailure(_ hook: @escaping (ResourceError) -> Void) -> Self {
    whenEnded { ending in
      if case .failure(let error) = ending { hook(error) }
    }
    return self
  }

  /// Calls the hook if the server confirmed the content that the resource already had.
  @discardableResult
  public final func onNotModified(_ hook: @escaping () -> Void) -> Self {
    whenEnded { ending in
      if case .notModified = ending { hook() }
    }
    return self
  }

  /// Waits until the request has ended and its hooks have been called, or the waiting task is
  /// cancelled. That does not cancel the request, which others may wait for too.
  public final func ended() async {
    guard !isCompleted else { return }
    noteWait()
    for await _ in listeners.waiters.make() {}
  }
}

/// A load that receives the outcome of a request.
protocol RequestedLoad: AnyObject {
  /// The request has brought new content, a confirmation or an error.
  func received(_ outcome: LoadOutcome)
  /// The request has ended without bringing anything.
  func cancelled()
}
