/// An observer that is a closure; it observes while one of its owners exists.
final class ClosureObservation: Observation {
  /// Nil once the observer was removed: the captures of the closure are released with it.
  private var body: ((Notice) -> Void)?

  init(owner: AnyObject, _ body: @escaping (Notice) -> Void) {
    self.body = body
    super.init(owner: owner)
  }

  override func notify(_ notice: Notice) -> Bool {
    guard hasOwner, let body else { return false }
    body(notice)
    return true
  }

  override func notifyRemoved(_ notice: Notice) {
    _ = body.take()
  }
}
