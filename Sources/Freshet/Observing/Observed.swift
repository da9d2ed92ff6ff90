/// A subject that emits events, and notifies its observers of them through the queue of its store.
///
/// The path of an event: ``emit(_:)`` makes the notice and posts it, the queue delivers it in its
/// turn, and ``notify(_:)`` notifies the observers one by one.
protocol Observed: EventSource, Trackable {
  associatedtype Event
  /// The stored form of an observer.
  associatedtype Element: Listener
  /// The observers, in the order in which they were added; nil before the first.
  var observersIfAny: ObserverList<Element>? { get }
  /// Makes the list of observers, where there is none.
  func makeObservers() -> ObserverList<Element>
  /// The event queue of the store.
  var queue: EventQueue { get }
  /// The notice of an event, for the observers.
  func notice(of event: Event) -> Notice
  /// The first notice that a new observer receives.
  var addedNotice: Notice { get }
  /// The stored form of an observation.
  func listener(_ observation: Observation) -> Element
  /// Called when an observer was added: from now on the subject must be kept alive for it.
  func becameObserved()
  /// Called when an observer was removed or deallocated, and no other one exists; also again.
  func becameUnobserved()
  /// Called after that if the program has removed the last observer, and not if it is only noticed that
  /// the last one was deallocated: what has happened since is none of its.
  func lastObserverRemoved()
  /// Reports the properties that an event has changed to those that track them.
  func report(_ notice: Notice, to tracked: TrackedProperties)
  /// Called before observers are notified of an event, and before a new one is notified of its
  /// first: changes that they were not notified of yet come before that.
  func willNotify()
}

extension Observed {
  /// Does nothing, as for a subject that has no properties.
  func report(_ notice: Notice, to tracked: TrackedProperties) {}

  /// Does nothing.
  func willNotify() {}

  /// Does nothing.
  func becameObserved() {}

  /// Does nothing.
  func becameUnobserved() {}

  /// Does nothing.
  func lastObserverRemoved() {}
}

// MARK: - Emitting

// What is inlined here is compiled where the type of the subject is known: code for subjects of any type
// looks up a witness for each call to one, and pays that for every event and every observer. Saves 18 % of a
// cold page, and 10 % of one that is confirmed.

extension Observed {
  /// Emits an event, now or after the waiting deliveries. The observers that were added before
  /// receive it.
  @inline(__always)
  func emit(_ event: Event) {
    if isWatched { queue.post(notice(of: event)) }
  }

  @inline(__always)
  func deliver(_ notice: Notice) {
    willNotify()
    notify(notice)
  }

  /// Notifies the observers and those that track properties, in a delivery.
  @inline(__always)
  func notify(_ notice: Notice) {
    if let trackedIfAny, trackedIfAny.isAnyRead { report(notice, to: trackedIfAny) }
    guard let observersIfAny else { return }
    if observersIfAny.notify(notice, removing: { removeReleased($0) }) {
      becameUnobserved()
    }
  }

  /// Activates an observer, which receives events from now on, and notifies it that it was added.
  @inline(__always)
  func activate(_ serial: ObserverSerial) {
    guard let observersIfAny, observersIfAny.contains(serial) else { return }
    willNotify()
    // An observer that was just notified may have removed it.
    guard let observer = observersIfAny.activate(serial), observer.notify(addedNotice) else {
      return removeReleased(serial)
    }
  }
}

// MARK: - Adding and removing

extension Observed {
  /// The observers; the list is made if there is none.
  @inline(__always)
  var observers: ObserverList<Element> { observersIfAny ?? makeObservers() }

  /// Whether any observer is listed. It may have been deallocated unnoticed.
  @inline(__always)
  var hasObservers: Bool { observersIfAny?.isEmpty == false }

  /// Whether events matter to anything outside: an observer is listed, or properties are tracked.
  @inline(__always)
  var isWatched: Bool { hasObservers || isTracked }

  /// Adds an observer and notifies it of that.
  ///
  /// - Parameter old: an observer that is removed before that.
  @discardableResult
  @inline(__always)
  func add(_ listener: Element, replacing old: ObserverSerial? = nil) -> ObserverSerial {
    queue.together {
      if let old { removeReleased(old) }
      for expired in observers.expiredWhenCrowded() { removeReleased(expired) }
      let serial = observers.append(listener)
      becameObserved()
      queue.post(added: serial, to: self)
      return serial
    }
  }

  /// Adds an object that observes for as long as it lives or, with an owner, for as long as that lives. The
  /// same object is added once; a further call only adds an owner.
  ///
  /// - Parameter make: the observer in its stored form. The closures that notify it are compiled where
  ///   the types of subject and event are known, so that delivering an event looks up neither.
  @inline(__always)
  func add(_ observer: AnyObject, owner: AnyObject?, _ make: () -> Element) {
    let known = observersIfAny?.serial(of: ObjectIdentifier(observer))
    if let known, observers.isAlive(known) {
      return observers.addOwner(owner ?? observer, to: known)
    }
    // Here `known` is an observer whose last owner was deallocated, perhaps another one at this address.
    add(make(), replacing: known)
  }

  /// Adds a closure that observes for as long as its owner lives.
  func add(owner: AnyObject, _ body: @escaping (Notice) -> Void) -> ObservationToken {
    let serial = add(listener(ClosureObservation(owner: owner, body)))
    return ObservationToken(queue) { [weak self] in self?.remove(serial) }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  func add(_ body: @escaping (Notice) -> Void) -> ObservationToken {
    ObservationToken(queue, owning: body) { add(owner: $0, $1) }
  }

  /// Removes an object that observes.
  func remove(_ observer: AnyObject) {
    if let known = observersIfAny?.serial(of: ObjectIdentifier(observer)) { remove(known) }
  }

  /// Removes an observer: it receives nothing from now on, and is notified of the removal after the
  /// waiting deliveries.
  func remove(_ serial: ObserverSerial) { remove(serial, isReleased: false) }

  /// Removes an observer whose owners were deallocated, or which another one replaces: the program has not
  /// removed it.
  func removeReleased(_ serial: ObserverSerial) { remove(serial, isReleased: true) }

  private func remove(_ serial: ObserverSerial, isReleased: Bool) {
    guard let listener = observersIfAny?.remove(serial) else { return }
    queue.post { [self] in
      listener.notifyRemoved(addedNotice)
      guard observers.sweep() || !observers.hasLiving else { return }
      becameUnobserved()
      if !isReleased { lastObserverRemoved() }
    }
  }

  /// Removes one owner from all of its observers, and the observers that have no other owner.
  func remove(ownedBy owner: AnyObject) {
    guard let observersIfAny else { return }
    for serial in observersIfAny.serials(ownedBy: owner) {
      if !observersIfAny.removeOwner(owner, from: serial) { remove(serial) }
    }
  }
}

extension Observed where Element == Observation {
  @inline(__always)
  func listener(_ observation: Observation) -> Observation { observation }
}

// MARK: - Lists

/// A list: a subject with an event type of its own.
protocol ObservedList: Observed where Event: Sendable, Element == Observation {}

extension ObservedList {
  @inline(__always)
  func notice(of event: Event) -> Notice {
    Notice(source: self, event: .list(ContentBox(event)))
  }

  /// Adds an object that observes; see ``Observed/add(_:owner:_:)``.
  func add<Observer: AnyObject>(
    _ observer: Observer, owner: AnyObject?,
    _ body: @escaping (_ observer: Observer, _ notice: Notice) -> Void
  ) {
    add(observer, owner: owner) { ObjectObservation(observer, owner: owner, body) }
  }
}
