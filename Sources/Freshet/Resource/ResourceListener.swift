/// An observer of a resource: 24 bytes, because there may be many.
struct ResourceListener: Listener {
  /// An object that observes for as long as it lives, as most do; nothing else is kept of it.
  private weak var object: (any ResourceObserver)?
  /// Any other observer.
  private var observation: Observation<ResourceNotice>?

  enum Callee {
    case object(any ResourceObserver)
    case observation(Observation<ResourceNotice>)
  }

  init(_ observer: any ResourceObserver, owner: AnyObject?) {
    if let owner, owner !== observer {
      observation = ObjectObservation(observer, owner: owner, ownsItself: false)
    } else {
      object = observer
    }
  }

  init(_ observation: Observation<ResourceNotice>) {
    self.observation = observation
  }

  // Into the walks along the list: a call takes a tenth of the time of a notification.
  @inline(__always)
  mutating func callee() -> Callee? {
    if let observation { return .observation(observation) }
    guard let object else { return nil }
    return .object(object)
  }

  static func tell(_ callee: Callee, _ notice: ResourceNotice) -> Bool {
    switch callee {
    case .object(let observer):
      observer.resourceChanged(notice.resource, event: notice.event)
      return true
    case .observation(let observation): return observation.tell(notice)
    }
  }

  func tellStopped(_ notice: ResourceNotice) {
    observation?.tellStopped(notice)
    object?.stoppedObserving(notice.resource)
  }

  static func identity(of callee: Callee) -> ObjectIdentifier? {
    switch callee {
    case .object(let observer): ObjectIdentifier(observer)
    case .observation(let observation): observation.identity()
    }
  }

  static func isAlive(_ callee: Callee) -> Bool {
    switch callee {
    case .object: true
    case .observation(let observation): observation.isAlive()
    }
  }

  /// Whether this is a list that observes its pages.
  static func isList(_ callee: Callee) -> Bool {
    if case .object(let observer) = callee { observer is any PageObserver } else { false }
  }

  static func isOwned(_ callee: Callee, by owner: AnyObject) -> Bool {
    switch callee {
    case .object(let observer): observer === owner
    case .observation(let observation): observation.isOwned(by: owner)
    }
  }

  static func addOwner(_ owner: AnyObject, to callee: Callee) -> ResourceListener? {
    switch callee {
    case .object(let observer) where observer === owner: return nil
    case .object(let observer):
      return ResourceListener(ObjectObservation(observer, owner: owner, ownsItself: true))
    case .observation(let observation):
      observation.addOwner(owner)
      return nil
    }
  }

  static func removeOwner(_ owner: AnyObject, from callee: Callee) -> Bool {
    switch callee {
    case .object(let observer): observer !== owner
    case .observation(let observation): observation.removeOwner(owner)
    }
  }
}
