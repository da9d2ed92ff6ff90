/// What the observers of resources are told.
struct ResourceNotice {
  let resource: AnyResource
  let event: ResourceEvent
}

extension AnyResource {
  /// Adds an observer, which is told `.observerAdded` and then every later event.
  ///
  /// Without an owner, the observer is held weakly and observes for as long as it lives. With one it
  /// is held strongly for as long as the owner lives; several owners may be added by several calls,
  /// and the observer goes with the last. The same object is added once: a further call only adds an
  /// owner, and is not told `.observerAdded` again.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public final func addObserver(
    _ observer: some ResourceObserver, owner: AnyObject? = nil
  ) -> Self {
    let known = observersIfAny?.serial(of: ObjectIdentifier(observer))
    if let known, observers.isAlive(known) {
      observers.addOwner(owner ?? observer, to: known)
      return self
    }
    // Here `known` is an observer whose last owner has gone, perhaps another one at this address.
    begin(ResourceListener(observer, owner: owner), replacing: known)
    return self
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner has gone or the token is told to stop.
  ///
  /// The owner is held weakly, the closure strongly.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public final func addObserver(
    owner: AnyObject, _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    token(
      ResourceListener(
        ObservationToken.entry(
          for: ResourceClosureObservation(owner: owner, body: body), ownedBy: owner)))
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public final func observe(
    _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    tokenOwned { addObserver(owner: $0, body) }
  }

  /// Takes an observer off, whoever owns it; it hears nothing more, not even of an event that is just
  /// being delivered.
  public final func removeObserver(_ observer: some ResourceObserver) {
    if let known = observersIfAny?.serial(of: ObjectIdentifier(observer)) { end(known) }
  }

  /// Takes one owner away from everything that it owns here: observers without another owner go, and
  /// an observer that is itself the given object goes too.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  public final func removeObservers(ownedBy owner: AnyObject) {
    if observersIfAny != nil { endObservations(ownedBy: owner) }
  }

  /// Whether anything observes this resource.
  ///
  /// - Complexity: O(1), beside observers that have gone and are not noticed yet.
  public final var isObserved: Bool {
    observersIfAny?.hasLiving ?? false
  }

  /// Whether anything but the lists that the resource is a page of observes it.
  final var isObservedByProgram: Bool {
    observersIfAny?.hasLiving { !ResourceListener.isList($0) } ?? false
  }

  /// Posts an event to the observers.
  final func emit(_ event: ResourceEvent) {
    if observersIfAny?.isEmpty == false { store.queue.post(event, of: self) }
  }
}

extension AnyResource: Observed {
  final var observers: ObserverList<ResourceListener> {
    if let observersIfAny { return observersIfAny }
    let made = ObserverList<ResourceListener>()
    observersIfAny = made
    return made
  }

  final func postAdded(_ serial: Int) { store.queue.post(observer: serial, addedTo: self) }
  final func becameObserved() { store.registry?.becameObserved(self) }
  final func becameUnobserved() { store.registry?.becameUnobserved(self) }
  final var queue: EventQueue { store.queue }
  final var addedNotice: ResourceNotice { ResourceNotice(resource: self, event: .observerAdded) }
}
