extension AnyRequest {
  /// Records that the current task waits for the end of this request. Called before anything is added for that end,
  /// because it may end the request: an authorization in progress is cancelled to begin again, and the handler of
  /// its task may cancel the request.
  private func noteWait() {
    let fetches = TokenFetch.waiting
    if !fetches.isEmpty { noteWait(of: fetches) }
  }

  /// Calls the hook once the request has ended.
  ///
  /// - Returns: the number to remove it with; nil if the request has ended.
  @discardableResult
  func whenEnded(_ hook: @escaping (LoadOutcome) -> Void) -> RequestListeners.HookID? {
    noteWait()
    guard let ending else { return changeListeners { $0.append(end: hook) } }
    scope.queue.post { [self] in
      hook(ending)
      withExtendedLifetime(self) {}
    }
    return nil
  }

  /// Removes a hook for the end, which is not called any more.
  ///
  /// - Returns: the hook, for the caller to release: that may run code of the program.
  func removeHook(_ id: RequestListeners.HookID) -> ((LoadOutcome) -> Void)? {
    changeListeners { $0.removeEnd(id) }
  }

  /// Calls the hook once the request has ended, or the load of that object from it before; it does not count as
  /// waiting for that. With a service that is deallocated it may be released without a call.
  func whenEndedUnawaited(for subject: AnyObject, _ hook: @escaping () -> Void) {
    guard isCompleted else {
      return changeListeners { $0.append(unawaitedEnd: hook, of: subject) }
    }
    scope.queue.post(hook)
  }

  /// Calls these hooks after the events that are waiting, because the load of that object has ended.
  func endUnawaited(for subject: AnyObject) {
    for hook in changeListeners({ $0.takeUnawaitedEnds(of: subject) }) { scope.queue.post(hook) }
  }

  /// Calls the hook with every step of progress, 0…1, increasing.
  ///
  /// The last step is 1 and precedes the completion hooks. A hook that is added after completion receives only that
  /// step.
  @discardableResult
  public func onProgress(_ hook: @escaping (Double) -> Void) -> Self {
    if isCompleted {
      scope.queue.post { hook(1) }
    } else {
      changeListeners { $0.append(progress: hook) }
      watchReports()
    }
    return self
  }

  /// Calls the hook whenever ``wait`` changes: with the wait when it begins, and with nil when it ends.
  ///
  /// A wait that the end of the request cuts short ends before the completion hooks are called. A
  /// hook that is added while the request waits receives that wait first; one that is added after
  /// completion is never called.
  @discardableResult
  public func onWait(_ hook: @escaping (_ wait: RequestWait?) -> Void) -> Self {
    guard !isCompleted else { return self }
    changeListeners { $0.append(wait: hook) }
    if let wait {
      scope.queue.post { hook(wait) }
    }
    return self
  }

  /// Calls the hook if the request ends in failure; a cancellation is a failure of kind `.cancelled`.
  @discardableResult
  public func onFailure(_ hook: @escaping (ResourceError) -> Void) -> Self {
    whenEnded { ending in
      if case .failure(let error) = ending { hook(error) }
    }
    return self
  }

  /// Calls the hook if the server confirmed the content that the resource already had (304).
  @discardableResult
  public func onNotModified(_ hook: @escaping () -> Void) -> Self {
    whenEnded { ending in
      if ending.fetched?.known != nil { hook() }
    }
    return self
  }

  /// Waits until the request is completed, in success, failure or cancellation, and its hooks have
  /// been called.
  ///
  /// Returns early if the waiting task is cancelled. That does not cancel the request, which other
  /// callers may wait for too.
  public func completed() async {
    noteWait()
    guard !isCompleted else { return }
    for await _ in changeListeners({ $0.makeWaiter() }) {}
  }
}
