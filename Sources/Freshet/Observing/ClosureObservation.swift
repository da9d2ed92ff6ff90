/// An observer that is a closure; it observes while one of its owners exists.
final class ClosureObservation: Observation {
  /// Nil once the observer was removed: the captures of the closure are released with it.
  private var body: ((Notice) -> Void)?
  private let object: ObjectIdentifier?

  init(owner: AnyObject, _ body: @escaping (Notice) -> Void) {
    self.body = body
    object = nil
    super.init(owner: owner)
  }

  /// An observer that is its own owner, and is notified through a closure.
  init<Observer: AnyObject>(
    of observer: Observer, _ body: @escaping (_ observer: Observer, _ notice: Notice) -> Void
  ) {
    object = ObjectIdentifier(observer)
    self.body = { [weak observer] notice in
      if let observer { body(observer, notice) }
    }
    super.init(owner: observer)
  }

  override var identity: ObjectIdentifier? { object }

  override func notify(_ notice: Notice) -> Bool {
    guard hasOwner, let body else { return false }
    body(notice)
    return true
  }

  override func notifyRemoved(_ notice: Notice) {
    _ = body.take()
  }
}
