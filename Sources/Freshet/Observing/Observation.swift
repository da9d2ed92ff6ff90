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
