import Observation

extension AnyResource: Observable {}

extension AnyResource {
  /// Adds an observer, which receives `.observerAdded` and then every later event.
  ///
  /// Without an owner, the observer is held weakly and observes until it is deallocated. With an
  /// owner, it is held strongly until the owner is deallocated; each call adds one more owner, and
  /// the observer is removed with the last. The same object is added once: a further call only adds
  /// an owner, and the object does not receive `.observerAdded` again.
  ///
  /// - Complexity: amortized O(1); O(*w*) for an observer that has *w* owners.
  @discardableResult
  public final func addObserver(
    _ observer: some ResourceObserver, owner: AnyObject? = nil
  ) -> Self {
    add(observer, owner: owner) { ResourceListener(observer, owner: owner) }
    return self
  }

  /// Removes an observer, even one that has owners.
  ///
  /// The observer receives nothing more, not even an event that is being delivered.
  public final func removeObserver(_ observer: some ResourceObserver) {
    remove(observer)
  }

  /// Removes an owner from the observers of this resource.
  ///
  /// Observers without another owner are removed, and so is the given object if it is an observer
  /// itself.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  public final func removeObservers(ownedBy owner: AnyObject) {
    remove(ownedBy: owner)
  }

  /// Removes the observers whose owners were all deallocated, and releases what they held.
  final func removeReleasedObservers() {
    guard let observersIfAny, !observersIfAny.isEmpty else { return }
    store.queue.together {
      for released in observersIfAny.released() { removeReleased(released) }
    }
  }

  /// Whether this resource has an observer.
  ///
  /// - Complexity: O(1), apart from observers whose deallocation was not noticed yet.
  public final var isObserved: Bool {
    observersIfAny?.hasLiving ?? false
  }

  /// Whether anything but the lists that the resource is a page of observes it.
  final var isObservedByProgram: Bool {
    observersIfAny?.hasLiving { !$0.isList } ?? false
  }
}

extension AnyResource: Observed {
  typealias Event = Notice.Event

  final func notice(of event: Notice.Event) -> Notice { Notice(source: self, event: event) }

  final var addedNotice: Notice { notice(of: .resource(.observerAdded)) }
  final func listener(_ observation: Observation) -> ResourceListener {
    ResourceListener(observation)
  }
  final func becameObserved() { store.registry?.becameObserved(self) }
  final func becameUnobserved() { store.registry?.becameUnobserved(self) }
  final func lastObserverRemoved() {
    // Last, because a rule of the program, or what ends with an evicted resource, may observe it again.
    guard state.isLoading, currentConfiguration.value.cancelsUnobservedLoads, !isObserved
    else { return }
    for id in unawaitedLoads() { cancelled(id) }
  }

  final var queue: EventQueue { store.queue }

  final func update(_ tracked: TrackedProperties) {
    tracked.update(isLoading: state.isLoading, latestError: state.error)
  }

  /// Reports that the load waits, which has no event, to those that track whether there is one.
  final func reportWait() {
    guard let trackedIfAny, trackedIfAny.isRead(.isLoading) else { return }
    queue.post { trackedIfAny.changed(.isLoading) }
  }

  final func report(_ notice: Notice, to tracked: TrackedProperties) {
    if notice.changesContent { tracked.changed(.content) }
    switch notice.resourceEvent {
    case .newData, .notModified:
      tracked.changed(.details)
      tracked.changed(.freshness)
    case .invalidated: tracked.changed(.freshness)
    case .observerAdded, .requested, .requestCancelled, .error: break
    }
    update(tracked)
  }
}

/// An observer of a resource: 24 bytes, because there may be many.
struct ResourceListener: Listener {
  /// An object that observes for as long as it lives, as most do; nothing else is kept of it.
  private weak var object: (any ResourceObserver)?
  /// Any other observer.
  private var observation: Observation?

  init(_ observer: some ResourceObserver, owner: AnyObject?) {
    if let owner, owner !== observer {
      observation = Self.observation(observer, owner: owner)
    } else {
      object = observer
    }
  }

  init(_ observation: Observation) {
    self.observation = observation
  }

  private static func observation(
    _ observer: some ResourceObserver, owner: AnyObject?
  ) -> Observation {
    ObjectObservation(
      observer, owner: owner, { $0.resourceChanged($1.subject(), event: $1.resourceEvent) },
      removed: { $0.stoppedObserving($1.subject()) })
  }

  mutating func observer() -> Observer? {
    if let observation { return .observation(observation) }
    guard let object else { return nil }
    return .object(object)
  }

  static func addOwner(_ owner: AnyObject, to observer: Observer) -> ResourceListener? {
    switch observer {
    case .object(let observer) where observer === owner: return nil
    case .object(let observer):
      let observation = observation(observer, owner: nil)
      observation.addOwner(owner)
      return ResourceListener(observation)
    case .observation(let observation):
      observation.addOwner(owner)
      return nil
    }
  }

  func notifyRemoved(_ notice: Notice) {
    observation?.notifyRemoved(notice)
    object?.stoppedObserving(notice.subject())
  }

  enum Observer: Notifiable {
    case object(any ResourceObserver)
    case observation(Observation)

    var identity: ObjectIdentifier? {
      switch self {
      case .object(let observer): ObjectIdentifier(observer)
      case .observation(let observation): observation.identity
      }
    }

    var isAlive: Bool {
      switch self {
      case .object: true
      case .observation(let observation): observation.isAlive
      }
    }

    /// Whether this is a list that observes its pages.
    var isList: Bool {
      if case .observation(let observation) = self { observation is PageObservation } else { false }
    }

    func isOwned(by owner: AnyObject) -> Bool {
      switch self {
      case .object(let observer): observer === owner
      case .observation(let observation): observation.isOwned(by: owner)
      }
    }

    func removeOwner(_ owner: AnyObject) -> Bool {
      switch self {
      case .object(let observer): observer !== owner
      case .observation(let observation): observation.removeOwner(owner)
      }
    }

    func notify(_ notice: Notice) -> Bool {
      switch self {
      case .object(let observer):
        observer.resourceChanged(notice.subject(), event: notice.resourceEvent)
        return true
      case .observation(let observation): return observation.notify(notice)
      }
    }
  }
}

extension Notice {
  /// The event of a resource.
  var resourceEvent: ResourceEvent {
    switch event {
    case .resource(let event): return event
    case .derived: return .notModified
    case .list: preconditionFailure("Notice.resourceEvent: the event is of a list")
    }
  }

  /// Whether the event has changed the content of a resource.
  var changesContent: Bool {
    switch event {
    case .resource(.newData), .derived: true
    case .resource, .list: false
    }
  }
}
