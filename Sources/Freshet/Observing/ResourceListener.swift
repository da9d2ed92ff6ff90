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

  mutating func identity() -> ObjectIdentifier? {
    if let observation { return observation.identity() }
    return object.map { ObjectIdentifier($0) }
  }

  mutating func isAlive() -> Bool { observation?.isAlive() ?? (object != nil) }

  /// Whether this is a list that observes its pages.
  mutating func isList() -> Bool { object is any PageObserver }

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

  mutating func addOwner(_ owner: AnyObject) {
    if let observation {
      observation.addOwner(owner)
    } else if let object, object !== owner {
      observation = ObjectObservation(object, owner: owner, ownsItself: true)
      self.object = nil
    }
  }

  func removeOwner(_ owner: AnyObject) -> Bool {
    observation?.removeOwner(owner) ?? (object !== owner && object != nil)
  }

  mutating func isOwned(by owner: AnyObject) -> Bool {
    observation?.isOwned(by: owner) ?? (object === owner)
  }
}
