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
    let known = observers.observation(of: ObjectIdentifier(observer))
    if let known, known.isAlive {
      known.addOwner(owner ?? observer)
      return self
    }
    // Here `known` is an observer whose last owner has gone, perhaps another one at this address.
    begin(
      ObjectObservation(addedAfter: store.queue.newest, observer: observer, owner: owner),
      replacing: known)
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
    let observation = ClosureObservation<ResourceNotice>(
      addedAfter: store.queue.newest, owner: owner
    ) { notice in
      body(notice.resource, notice.event)
    }
    begin(observation)
    return ObservationToken { [weak self, weak observation] in
      if let observation { self?.end(observation) }
    }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public final func observe(
    _ body: @escaping (_ resource: AnyResource, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    let token = ObservationToken()
    let inner = addObserver(owner: token, body)
    token.stop = inner.stop
    return token
  }

  /// Takes an observer off, whoever owns it; it hears nothing more, not even of an event that is just
  /// being delivered.
  public final func removeObserver(_ observer: some ResourceObserver) {
    if let known = observers.observation(of: ObjectIdentifier(observer)) { end(known) }
  }

  /// Takes one owner away from everything that it owns here: observers without another owner go, and
  /// an observer that is itself the given object goes too.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  public final func removeObservers(ownedBy owner: AnyObject) {
    for observation in observers.owned(by: owner) {
      observation.removeOwner(owner)
      if !observation.isAlive { end(observation) }
    }
  }

  /// Whether anything observes this resource.
  ///
  /// - Complexity: O(1), beside observers that have gone and are not noticed yet.
  public final var isObserved: Bool {
    // Only looks: the registry asks in the middle of its own changes.
    (0..<observers.endIndex).contains { !observers[$0].isRemoved && observers[$0].isAlive }
  }

  // MARK: Delivery

  /// Posts an event to the observers.
  final func emit(_ event: ResourceEvent) {
    store.queue.post { [self] number in deliver(event, number: number) }
  }

  private func deliver(_ event: ResourceEvent, number: Int) {
    let notice = ResourceNotice(resource: self, event: event)
    // Observers that are added meanwhile stand behind this end.
    let end = observers.endIndex
    var index = 0
    while index < end {
      let observation = observers[index]
      index += 1
      if observation.isRemoved || observation.addedAfter >= number { continue }
      if !observation.tell(notice) { self.end(observation) }
    }
    observers.sweep()
  }

  private func begin(
    _ observation: Observation<ResourceNotice>, replacing old: Observation<ResourceNotice>? = nil
  ) {
    store.queue.together {
      if let old { end(old) }
      for gone in observers.goneWhenCrowded() { end(gone) }
      observers.append(observation)
      store.queue.post { [self] _ in
        guard !observation.isRemoved else { return }
        if !observation.tell(ResourceNotice(resource: self, event: .observerAdded)) {
          end(observation)
        }
      }
    }
  }

  private func end(_ observation: Observation<ResourceNotice>) {
    guard !observation.isRemoved else { return }
    observers.remove(observation)
    store.queue.post { [self] _ in
      observation.tellStopped(ResourceNotice(resource: self, event: .observerAdded))
      observers.sweep()
    }
  }
}

/// An observer that is an object.
final class ObjectObservation: Observation<ResourceNotice> {
  private weak var observer: (any ResourceObserver)?
  /// The same object, held for its owners. Once they have gone it is held until that is noticed, so
  /// that it can be told.
  private var kept: (any ResourceObserver)?
  private let object: ObjectIdentifier
  /// Whether it observes for as long as it lives, whatever happens to its owners.
  private var ownsItself: Bool

  init(addedAfter: Int, observer: any ResourceObserver, owner: AnyObject?) {
    self.observer = observer
    object = ObjectIdentifier(observer)
    let isOwnOwner = owner == nil || owner === observer
    ownsItself = isOwnOwner
    kept = isOwnOwner ? nil : observer
    super.init(addedAfter: addedAfter, owner: isOwnOwner ? nil : owner)
  }

  override var identity: ObjectIdentifier? { object }
  override var isAlive: Bool { observer != nil && (ownsItself || hasOwner) }

  override func tell(_ notice: ResourceNotice) -> Bool {
    let isOwned = hasOwner
    guard let observer, ownsItself || isOwned else { return false }
    if !isOwned { kept = nil }
    observer.resourceChanged(notice.resource, event: notice.event)
    return true
  }

  override func tellStopped(_ notice: ResourceNotice) {
    observer?.stoppedObserving(notice.resource)
    kept = nil
  }

  override func addOwner(_ owner: AnyObject) {
    if owner === observer {
      ownsItself = true
    } else {
      kept = observer
      super.addOwner(owner)
    }
  }

  override func removeOwner(_ owner: AnyObject) {
    if owner === observer {
      ownsItself = false
    } else {
      super.removeOwner(owner)
      // With nothing left it is about to be told that it was removed, and released then.
      if ownsItself, !hasOwner { kept = nil }
    }
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    super.isOwned(by: owner) || (ownsItself && owner === observer)
  }
}

/// The handle of one observation by a closure.
///
/// Not `Sendable`: it belongs to the actor of the store, like everything that it came from. It may be
/// dropped anywhere.
public final class ObservationToken {
  fileprivate(set) var stop: (() -> Void)?

  init(stop: (() -> Void)? = nil) {
    self.stop = stop
  }

  /// Ends the observation; the closure is not called any more. A second call does nothing.
  public func remove() {
    stop.take()?()
  }
}
