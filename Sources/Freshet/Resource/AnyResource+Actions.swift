/// Changes of the state, and what follows from them.
extension AnyResource {
  /// Changes the state, and performs what it returns.
  ///
  /// What the change replaces is released after its events have been delivered: the end of content or of
  /// an error may run code of the program, which would come back to a state that is being changed, and
  /// what that code sets off comes after these events.
  ///
  /// - Parameter callsEdits: whether the change may call an optimistic edit. Then it is made on a copy,
  ///   because an edit may read this resource.
  final func change(
    callsEdits: Bool = false, _ change: (inout ResourceState) -> ResourceState.Action
  ) {
    requireNoEdit()
    if callsEdits || state.hasEdits { return changeCopy(change) }
    let (content, error) = (state.data?.content, state.error)
    attachment?.dataWillChange()
    perform(change(&state))
    if let content, content !== state.data?.content { store.queue.hold(content) }
    if let error { hold(error) }
  }

  private func changeCopy(_ change: (inout ResourceState) -> ResourceState.Action) {
    let old = state
    var next = old
    let earlier = store.appliedEdits.results.count
    let action = applyEdits { change(&next) }
    attachment?.dataWillChange()
    state = next
    let edited = store.appliedEdits.takeResults(after: earlier)
    perform(action)
    hold((old, edited))
  }

  /// Holds what a change has replaced until the events of the change have been delivered.
  final func hold<Replaced>(_ replaced: Replaced) {
    if !store.queue.isIdle { store.queue.post { withExtendedLifetime(replaced) {} } }
  }

  /// Stops the program in an edit of this resource: what that changed would be lost, because the edit
  /// works on a copy of the state.
  @inline(__always)
  final func requireNoEdit() {
    require(
      !isEditing,
      """
      an edit of \(self) changes that resource; an edit may read it and change nothing but the \
      content that it is given
      """)
  }

  /// Does what the state has decided.
  final func perform(_ action: ResourceState.Action) {
    switch action {
    case .nothing: break
    case .notify(.invalidated): notify(.resource(.invalidated))
    case .notify(let event): notifyEnd(.resource(event))
    case .notifyDerived: notifyEnd(.derived)
    case .cancel(let cancellation): perform(cancellation)
    }
  }

  /// Emits the event of a change that may have ended loads: of any but an invalidation.
  private func notifyEnd(_ event: Notice.Event) {
    let ended = removeEndedLoads()
    notify(event)
    if ended.mayEndOthers { hold((ended, ended.removeHooks())) }
  }

  private func perform(_ cancellation: ResourceState.Cancellation) {
    // Together, so that observers are notified of all of a change before anything that they do about it,
    // and the entry is removed before what is cancelled can end anything of the program.
    store.queue.together {
      if cancellation.removesEntry { forgetEntries() }
      if cancellation.isLast { emit(.resource(.requestCancelled)) }
      if let event = cancellation.event { notify(.resource(event)) }
      if !cancellation.loads.isEmpty { cancel(cancellation.loads) }
    }
  }

  /// Emits the event of a change.
  private func notify(_ event: Notice.Event) {
    emit(event)
    switch event {
    case .resource(.newData), .resource(.notModified), .derived: attachment?.contentChanged()
    case .resource, .list: break
    }
    guard case .resource(.newData) = event else { return }
    // After the event, because counting may evict others, whose end may have consequences.
    store.queue.post(self)
  }

  private func cancel(_ ids: [ResourceState.LoadID]) {
    let cancelled = state.isLoading ? inFlight.remove(ids) : inFlight.take()
    cancelled.cancel()
    hold((cancelled, cancelled.removeHooks()))
  }

  /// Removes the loads that an outcome has ended: the oldest ones.
  ///
  /// - Returns: these, to be released after the events of the change: an adopted request may end, and its
  ///   hooks come back here.
  private func removeEndedLoads() -> LoadsInFlight {
    state.isLoading ? inFlight.removeEnded { !state.counts($0) } : inFlight.take()
  }
}

extension AnyResource: PostedWork {
  /// Counts the bytes of the content.
  final func performPosted() {
    store.registry?.setBytes(state.data?.byteCount ?? 0, of: self)
  }
}
