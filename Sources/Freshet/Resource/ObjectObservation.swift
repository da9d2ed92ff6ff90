/// An observer of a resource that is an object with owners.
final class ObjectObservation: Observation {
  private weak var object: (any ResourceObserver)?
  /// The same object, held for its owners. Once they were deallocated it is held until that is noticed,
  /// so that it can be notified.
  private var kept: AnyObject?
  private let id: ObjectIdentifier
  /// Whether it observes for as long as it lives, whatever happens to its owners.
  private var ownsItself: Bool

  init(_ object: any ResourceObserver, owner: AnyObject, ownsItself: Bool) {
    self.object = object
    id = ObjectIdentifier(object)
    kept = object
    self.ownsItself = ownsItself
    super.init(owner: owner)
  }

  override var identity: ObjectIdentifier? { id }
  override var isAlive: Bool { object != nil && (ownsItself || hasOwner) }

  override func notify(_ notice: Notice) -> Bool {
    let isOwned = hasOwner
    guard let object, ownsItself || isOwned else { return false }
    if !isOwned { releaseKept() }
    object.resourceChanged(notice.subject(), event: notice.resourceEvent)
    return true
  }

  override func notifyRemoved(_ notice: Notice) {
    object?.stoppedObserving(notice.subject())
    releaseKept()
  }

  /// Releases the object after the access to the reference: its end may come back here.
  private func releaseKept() {
    let released = kept.take()
    withExtendedLifetime(released) {}
  }

  override func addOwner(_ owner: AnyObject) {
    if owner === object {
      ownsItself = true
    } else {
      kept = object
      super.addOwner(owner)
    }
  }

  override func removeOwner(_ owner: AnyObject) -> Bool {
    if owner === object {
      ownsItself = false
    } else {
      _ = super.removeOwner(owner)
      // With nothing left it is about to be notified that it was removed, and released then.
      if ownsItself, !hasOwner { releaseKept() }
    }
    return isAlive
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    super.isOwned(by: owner) || (ownsItself && owner === object)
  }
}
