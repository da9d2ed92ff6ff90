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

  // Into the walks along the list: a call takes a tenth of the time of a notification.
  @inline(__always)
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

    @inline(__always)
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
  @inline(__always)
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
