/// Something that has observers and tells them of events through the queue of its store.
protocol Observed: AnyObject {
  /// What an observer is told: the subject and the event.
  associatedtype Notice
  /// What its observers are kept as.
  associatedtype Element: Listener where Element.Notice == Notice
  /// The observers, in the order in which they were added.
  var observers: ObserverList<Element> { get }
  /// The event queue of the store.
  var queue: EventQueue { get }
  /// Posts that an observer was added, to ``activate(_:)``.
  func postAdded(_ serial: ObserverList<Element>.Serial)
  /// What a new observer is told first.
  var addedNotice: Notice { get }
  /// Called when an observer was added: from now on it has to be kept for the observer's sake.
  func becameObserved()
  /// Called when an observer was removed, or was deallocated, and no other is listed.
  func becameUnobserved()
  /// Called before a new observer is told its first notice: changes that older observers have yet to
  /// hear of are to be delivered now, because the new one begins with the state as it is.
  func willActivate()
}

extension Observed {
  /// Does nothing.
  func willActivate() {}

  /// Does nothing.
  func becameObserved() {}

  /// Does nothing.
  func becameUnobserved() {}

  func postAdded(_ serial: ObserverList<Element>.Serial) {
    queue.post { [self] in activate(serial) }
  }

  /// Posts an event. It is heard by the observers that were added before.
  func emit(_ notice: Notice) {
    queue.post { [self] in deliver(notice) }
  }

  func deliver(_ notice: Notice) {
    if observers.deliver(notice, ending: { end($0) }) { becameUnobserved() }
  }

  /// Adds an observer and tells it so.
  ///
  /// - Parameter old: an observer that goes before that.
  @discardableResult
  // Into the subject, where the kind of the list is known: code that is not specialised looks up a
  // witness for each call to a listener, and pays that for every observer.
  @inline(__always)
  func begin(
    _ listener: Element, replacing old: ObserverList<Element>.Serial? = nil
  ) -> ObserverList<Element>.Serial {
    queue.together {
      if let old { end(old) }
      for gone in observers.goneWhenCrowded() { end(gone) }
      let serial = observers.append(listener)
      becameObserved()
      postAdded(serial)
      return serial
    }
  }

  /// Lets an observer hear events from now on, and tells it that it was added.
  @inline(__always)  // for the same reason
  func activate(_ serial: ObserverList<Element>.Serial) {
    guard observers.contains(serial) else { return }
    willActivate()
    // Those that were told just now may have removed it.
    guard let callee = observers.activate(serial), Element.tell(callee, addedNotice) else {
      return end(serial)
    }
  }

  /// Adds an observer, and returns what takes it off again.
  func token(_ listener: Element) -> ObservationToken {
    let serial = begin(listener)
    return ObservationToken { [weak self] in self?.end(serial) }
  }

  /// Adds an observer that a token owns.
  func tokenOwned(_ begin: (_ owner: ObservationToken) -> ObservationToken) -> ObservationToken {
    let token = ObservationToken()
    token.stop = begin(token).stop
    return token
  }

  /// Takes an observer off: it hears nothing from now on, and is told that behind what is waiting.
  func end(_ serial: ObserverList<Element>.Serial) {
    guard let listener = observers.remove(serial) else { return }
    queue.post { [self] in
      listener.tellStopped(addedNotice)
      if observers.sweep() { becameUnobserved() }
    }
  }

  /// Takes one owner away from everything that it owns here.
  func endObservations(ownedBy owner: AnyObject) {
    for serial in observers.serials(ownedBy: owner) {
      if !observers.removeOwner(owner, from: serial) { end(serial) }
    }
  }
}

extension Observed where Element == Observation<Notice> {
  /// Adds a closure as an observer.
  func begin(owner: AnyObject, _ body: @escaping (Notice) -> Void) -> ObservationToken {
    token(
      ObservationToken.entry(
        for: ClosureObservation(owner: owner, body: body), ownedBy: owner))
  }
}
