/// Something that has observers and tells them of events through the queue of its store.
protocol Observed: AnyObject {
  /// What an observer is told: the subject and the event.
  associatedtype Notice
  /// The observers, in the order in which they were added.
  var observers: ObserverList<Notice> { get set }
  /// The event queue of the store.
  var queue: EventQueue { get }
  /// What a new observer is told first.
  var addedNotice: Notice { get }
  /// Called when an observer was added: from now on it has to be kept for the observer's sake.
  func becameObserved()
  /// Called before a new observer is told its first notice: changes that older observers have yet to
  /// hear of are to be delivered now, because the new one begins with the state as it is.
  func willActivate()
}

extension Observed {
  /// Does nothing.
  func willActivate() {}

  /// Does nothing.
  func becameObserved() {}

  /// Whether anything observes this.
  ///
  /// Only looks: it is asked in the middle of other changes.
  ///
  /// - Complexity: O(1), beside observers that have gone and are not noticed yet.
  var hasObservers: Bool {
    (0..<observers.endIndex).contains { !observers[$0].isRemoved && observers[$0].isAlive }
  }

  /// Posts an event. It is heard by the observers that were added before.
  func emit(_ notice: Notice) {
    queue.post { [self] in deliver(notice) }
  }

  func deliver(_ notice: Notice) {
    // Observers that are added meanwhile stand behind this end.
    let end = observers.endIndex
    var index = 0
    while index < end {
      let observation = observers[index]
      index += 1
      guard observation.phase == .active else { continue }
      if !observation.tell(notice) { self.end(observation) }
    }
    observers.sweep()
  }

  /// Adds an observer and tells it so.
  func begin(_ observation: Observation<Notice>, replacing old: Observation<Notice>? = nil) {
    queue.together {
      if let old { end(old) }
      for gone in observers.goneWhenCrowded() { end(gone) }
      observers.append(observation)
      becameObserved()
      queue.post { [self] in
        guard !observation.isRemoved else { return }
        willActivate()
        // Those that were told just now may have removed it.
        guard !observation.isRemoved else { return }
        observation.phase = .active
        if !observation.tell(addedNotice) { end(observation) }
      }
    }
  }

  /// Adds a closure as an observer.
  func begin(owner: AnyObject, _ body: @escaping (Notice) -> Void) -> ObservationToken {
    token(ClosureObservation(owner: owner, body: body))
  }

  /// Adds a closure that observes for as long as the token lives.
  func begin(_ body: @escaping (Notice) -> Void) -> ObservationToken {
    tokenOwned { begin(owner: $0, body) }
  }

  /// Adds an observer, and returns what takes it off again.
  func token(_ observation: Observation<Notice>) -> ObservationToken {
    begin(observation)
    return ObservationToken { [weak self, weak observation] in
      if let observation { self?.end(observation) }
    }
  }

  /// Adds an observer that a token owns.
  func tokenOwned(_ begin: (_ owner: ObservationToken) -> ObservationToken) -> ObservationToken {
    let token = ObservationToken()
    token.stop = begin(token).stop
    return token
  }

  /// Takes an observer off: it hears nothing from now on, and is told that behind what is waiting.
  func end(_ observation: Observation<Notice>) {
    guard !observation.isRemoved else { return }
    observers.remove(observation)
    queue.post { [self] in
      observation.tellStopped(addedNotice)
      observers.sweep()
    }
  }

  /// Takes one owner away from everything that it owns here.
  func endObservations(ownedBy owner: AnyObject) {
    for observation in observers.owned(by: owner) {
      observation.removeOwner(owner)
      if !observation.isAlive { end(observation) }
    }
  }
}
