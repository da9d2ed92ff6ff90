/// An observer that is an object with owners.
final class ObjectObservation: Observation<ResourceNotice> {
  private weak var observer: (any ResourceObserver)?
  /// The same object, held for its owners. Once they have gone it is held until that is noticed, so
  /// that it can be told.
  private var kept: AnyObject?
  private let object: ObjectIdentifier
  /// Whether it observes for as long as it lives, whatever happens to its owners.
  private var ownsItself: Bool

  init(_ observer: any ResourceObserver, owner: AnyObject, ownsItself: Bool) {
    self.observer = observer
    object = ObjectIdentifier(observer)
    kept = observer
    self.ownsItself = ownsItself
    super.init(owner: owner)
  }

  override func identity() -> ObjectIdentifier? { object }
  override func isAlive() -> Bool { observer != nil && (ownsItself || hasOwner) }

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

  override func removeOwner(_ owner: AnyObject) -> Bool {
    if owner === observer {
      ownsItself = false
    } else {
      _ = super.removeOwner(owner)
      // With nothing left it is about to be told that it was removed, and released then.
      if ownsItself, !hasOwner { kept = nil }
    }
    return isAlive()
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    super.isOwned(by: owner) || (ownsItself && owner === observer)
  }
}

/// An observer that is a closure.
///
/// Not a ``ClosureObservation``: a closure that takes its arguments one by one is called without the
/// detour that a generic one is.
final class ResourceClosureObservation: Observation<ResourceNotice> {
  /// Nil once the observer was removed: what the closure captures goes with it.
  private var body: ((_ resource: AnyResource, _ event: ResourceEvent) -> Void)?

  init(owner: AnyObject, body: @escaping (AnyResource, ResourceEvent) -> Void) {
    self.body = body
    super.init(owner: owner)
  }

  override func tell(_ notice: ResourceNotice) -> Bool {
    guard hasOwner, let body else { return false }
    body(notice.resource, notice.event)
    return true
  }

  override func tellStopped(_ notice: ResourceNotice) {
    _ = body.take()
  }
}
