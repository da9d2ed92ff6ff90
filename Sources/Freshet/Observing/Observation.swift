/// One observer of one subject, and what keeps it observing.
///
/// `Notice` is what the observer is told: the subject and the event.
class Observation<Notice> {
  /// How far an observation has come.
  enum Phase {
    /// The observer is listed and not told so yet; what was posted before is not for it.
    case added
    /// The observer was told that it was added, and hears every event.
    case active
    /// The observer was removed; it hears nothing more, not even events already posted.
    case removed
  }

  final var phase = Phase.added
  final var isRemoved: Bool { phase == .removed }
  /// The owners that were named; nil for none, as most observers have it that are objects.
  private final var owners: Owners?

  init(owner: AnyObject?) {
    owners = owner.map(Owners.init)
  }

  /// What tells this observer from others of the same subject, where it can be added only once.
  var identity: ObjectIdentifier? { nil }

  /// Tells the observer, if something still keeps it; otherwise returns false.
  func tell(_ notice: Notice) -> Bool { false }

  /// Tells the observer that it was removed, and lets go of what it held.
  func tellStopped(_ notice: Notice) {}

  /// Whether something still keeps the observer here. Asking changes nothing.
  var isAlive: Bool { hasOwner }

  final var hasOwner: Bool { owners?.isAnyAlive ?? false }

  func addOwner(_ owner: AnyObject) {
    guard !isOwned(by: owner) else { return }
    if let owners { owners.append(owner) } else { owners = Owners(owner) }
  }

  func removeOwner(_ owner: AnyObject) {
    owners?.remove(owner)
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
      others = others.filter { $0.object != nil } + [Weak(owner)]
    }
  }

  func remove(_ owner: AnyObject) {
    if first === owner { first = nil }
    if !others.isEmpty { others.removeAll { $0.object == nil || $0.object === owner } }
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
    body = nil
  }
}
