/// An observer that is an object, for as long as it or one of its owners lives.
final class ObjectObservation<Observer: AnyObject>: Observation {
  private weak var object: Observer?
  /// The same object, held for its owners. Once they were deallocated it is held until that is noticed,
  /// so that it can be notified.
  private var kept: Observer?
  private let id: ObjectIdentifier
  /// Whether it observes for as long as it lives, whatever happens to its owners.
  private var ownsItself: Bool
  private let body: (_ observer: Observer, _ notice: Notice) -> Void
  private let removed: (_ observer: Observer, _ notice: Notice) -> Void

  /// Creates the observer of an object.
  ///
  /// - Parameters:
  ///   - owner: nil, or the object itself, if it is to observe for as long as it lives.
  ///   - body: notifies the object of an event.
  ///   - removed: notifies it that it was removed.
  init(
    _ object: Observer, owner: AnyObject?,
    _ body: @escaping (_ observer: Observer, _ notice: Notice) -> Void,
    removed: @escaping (_ observer: Observer, _ notice: Notice) -> Void = { _, _ in }
  ) {
    self.object = object
    id = ObjectIdentifier(object)
    let owner = owner === object ? nil : owner
    ownsItself = owner == nil
    kept = owner.map { _ in object }
    self.body = body
    self.removed = removed
    super.init(owner: owner)
  }

  override var identity: ObjectIdentifier? { id }
  override var isAlive: Bool {
    let isOwned = hasOwner
    // Otherwise an object that observes for as long as it lives would live forever.
    if ownsItself, !isOwned { releaseKept() }
    return object != nil && (ownsItself || isOwned)
  }

  override func notify(_ notice: Notice) -> Bool {
    guard let object else { return false }
    if kept != nil || !ownsItself {
      let isOwned = hasOwner
      guard ownsItself || isOwned else { return false }
      if !isOwned { releaseKept() }
    }
    body(object, notice)
    return true
  }

  override func notifyRemoved(_ notice: Notice) {
    if let object { removed(object, notice) }
    releaseKept()
  }

  /// Releases the object after the access to the reference: deallocating it may re-enter this method.
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
    }
    // With nothing left it is about to be notified that it was removed, and released then.
    return isAlive
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    super.isOwned(by: owner) || (ownsItself && owner === object)
  }
}
