/// An observer of one subject, as the subject's list stores it, with its owners.
protocol Listener {
  /// The observer itself.
  associatedtype Observer: Notifiable

  /// The observer, held strongly while it is used: the list may change then. Nil if it was
  /// deallocated, and could not be notified of that.
  ///
  /// Mutating although it changes nothing, like the members of a list's entry: a plain member is called on a copy of
  /// the stored value, with its weak reference. Saves 45 % of `notify.objects`.
  mutating func observer() -> Observer?

  /// Adds an object as an owner that keeps the observer too.
  ///
  /// - Returns: the value to store in place of the present one; nil for the same.
  static func addOwner(_ owner: AnyObject, to observer: Observer) -> Self?
  /// Notifies the observer that it was removed, and releases what it held.
  func notifyRemoved(_ notice: Notice)
}

/// An observer that a list uses and notifies: a strong reference that was loaded before.
///
/// It may be the last reference when it is released, and deallocating an observer or an owner runs
/// code of the program, which may call the list again.
protocol Notifiable {
  /// Identifies this observer among the others of the same subject, if it can be added only
  /// once.
  var identity: ObjectIdentifier? { get }
  /// Whether an owner still keeps the observer in the list. What was held for owners that were deallocated may be
  /// released by this.
  var isAlive: Bool { get }
  func isOwned(by owner: AnyObject) -> Bool
  /// Removes one owner, and returns whether the observer is still kept.
  ///
  /// An object without owners only returns whether it is that one: there is nothing to remove, and
  /// the caller removes it from the list.
  func removeOwner(_ owner: AnyObject) -> Bool
  /// Notifies the observer, if an owner still keeps it; otherwise returns false.
  func notify(_ notice: Notice) -> Bool
}

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
