/// An observer that is an object, for everything beyond a plain weak reference.
class Observation: Listener, Notifiable {
  /// The explicit owners; nil for none.
  private final var owners: ObserverOwners?

  init(owner: AnyObject?) {
    owners = owner.map(ObserverOwners.init)
  }

  var identity: ObjectIdentifier? { nil }
  var isAlive: Bool { hasOwner }
  func notify(_ notice: Notice) -> Bool { false }
  func notifyRemoved(_ notice: Notice) {}

  /// This object: it releases what it holds once it was notified of its removal.
  final func observer() -> Observation? { self }

  final var hasOwner: Bool { owners?.isAnyAlive ?? false }

  static func addOwner(_ owner: AnyObject, to observer: Observation) -> Self? {
    observer.addOwner(owner)
    return nil
  }

  func addOwner(_ owner: AnyObject) {
    guard !isOwned(by: owner) else { return }
    if let owners { owners.append(owner) } else { owners = ObserverOwners(owner) }
  }

  func removeOwner(_ owner: AnyObject) -> Bool {
    owners?.remove(owner)
    return isAlive
  }

  func isOwned(by owner: AnyObject) -> Bool {
    owners?.contains(owner) ?? false
  }
}

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

/// The owners of an observer, held weakly. Nearly always there is one.
private final class ObserverOwners {
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

  /// Filters references that are held until the others are complete: one may be the last one, and
  /// deallocating its object may call this again.
  private func keepOthers(where isKept: (AnyObject) -> Bool) {
    let held = others.compactMap(\.object)
    others = held.filter(isKept).map { Weak($0) }
    withExtendedLifetime(held) {}
  }
}
