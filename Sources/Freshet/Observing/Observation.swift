/// An observer that is an object, for all that a plain weak reference does not tell.
class Observation<Notice>: Listener {
  /// The owners that were named; nil for none.
  private final var owners: Owners?

  init(owner: AnyObject?) {
    owners = owner.map(Owners.init)
  }

  func identity() -> ObjectIdentifier? { nil }
  func isAlive() -> Bool { hasOwner }
  /// Itself: it knows what it holds, and lets go of that once it has been told that it was removed.
  final func callee() -> Observation<Notice>? { self }

  static func identity(of callee: Observation<Notice>) -> ObjectIdentifier? { callee.identity() }
  static func isAlive(_ callee: Observation<Notice>) -> Bool { callee.isAlive() }
  static func isOwned(_ callee: Observation<Notice>, by owner: AnyObject) -> Bool {
    callee.isOwned(by: owner)
  }
  static func addOwner(_ owner: AnyObject, to callee: Observation<Notice>) -> Self? {
    callee.addOwner(owner)
    return nil
  }
  static func removeOwner(_ owner: AnyObject, from callee: Observation<Notice>) -> Bool {
    callee.removeOwner(owner)
  }
  static func tell(_ callee: Observation<Notice>, _ notice: Notice) -> Bool { callee.tell(notice) }

  func tell(_ notice: Notice) -> Bool { false }

  func tellStopped(_ notice: Notice) {}

  final var hasOwner: Bool { owners?.isAnyAlive ?? false }

  func addOwner(_ owner: AnyObject) {
    guard !isOwned(by: owner) else { return }
    if let owners { owners.append(owner) } else { owners = Owners(owner) }
  }

  func removeOwner(_ owner: AnyObject) -> Bool {
    owners?.remove(owner)
    return isAlive()
  }

  func isOwned(by owner: AnyObject) -> Bool {
    owners?.contains(owner) ?? false
  }
}

/// The owners of an observer, held weakly. Nearly always there is one.
private final class Owners {
  private weak var first: AnyObject?
  private var others: [Weak<AnyObject>] = []

  init(_ first: AnyObject) {
    self.first = first
  }

  var isAnyAlive: Bool {
    first != nil || (!others.isEmpty && others.contains { $0.object != nil })
  }

  func contains(_ owner: AnyObject) -> Bool {
    first === owner || others.contains { $0.object === owner }
  }

  func append(_ owner: AnyObject) {
    if first == nil {
      first = owner
    } else {
      keepOthers { _ in true }
      others.append(Weak(owner))
    }
  }

  func remove(_ owner: AnyObject) {
    if first === owner { first = nil }
    if !others.isEmpty { keepOthers { $0 !== owner } }
  }

  /// Looks at references that are held until the others are complete: one may be the last one, whose end
  /// may come back here.
  private func keepOthers(where isKept: (AnyObject) -> Bool) {
    let held = others.compactMap(\.object)
    others = held.filter(isKept).map { Weak($0) }
    withExtendedLifetime(held) {}
  }
}

/// An observer that is a closure; it lives as long as one of its owners.
final class ClosureObservation<Notice>: Observation<Notice> {
  /// Nil once the observer was removed: what the closure captures goes with it.
  private var body: ((Notice) -> Void)?

  init(owner: AnyObject, body: @escaping (Notice) -> Void) {
    self.body = body
    super.init(owner: owner)
  }

  override func tell(_ notice: Notice) -> Bool {
    guard hasOwner, let body else { return false }
    body(notice)
    return true
  }

  override func tellStopped(_ notice: Notice) {
    _ = body.take()
  }
}
