/// What follows from the decisions of the state.
extension AnyResource {
  /// Holds what a change has replaced until the events of the change have been delivered.
  final func hold<Replaced>(_ replaced: Replaced) {
    if !store.queue.isIdle { store.queue.post { withExtendedLifetime(replaced) {} } }
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
      if cancellation.loads.isEmpty { return }
      let cancelled = removeLoads(cancellation.loads)
      cancelled.cancel()
      hold((cancelled, cancelled.removeHooks()))
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
}

extension AnyResource: PostedWork {
  /// Counts the bytes of the content.
  final func performPosted() {
    store.registry?.setBytes(state.data?.byteCount ?? 0, of: self)
  }
}
