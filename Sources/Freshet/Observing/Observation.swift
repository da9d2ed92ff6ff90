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
  /// The owners that were named. Most observers have none or one.
  private var owners: Owners

  init(owner: AnyObject?) {
    owners = owner.map { .one(Weak($0)) } ?? .none
  }

  /// What tells this observer from others of the same subject, where it can be added only once.
  var identity: ObjectIdentifier? { nil }

  /// Tells the observer, if something still keeps it; otherwise returns false.
  func tell(_ notice: Notice) -> Bool { false }

  /// Tells the observer that it was removed, and lets go of what it held.
  func tellStopped(_ notice: Notice) {}

  /// Whether something still keeps the observer here. Asking changes nothing.
  var isAlive: Bool { hasOwner }

  final var hasOwner: Bool {
    switch owners {
    case .none: false
    case .one(let owner): owner.object != nil
    case .many(let all): all.contains { $0.object != nil }
    }
  }

  func addOwner(_ owner: AnyObject) {
    guard !isOwned(by: owner) else { return }
    switch owners {
    case .none: owners = .one(Weak(owner))
    case .one(let first): owners = .many([first, Weak(owner)].filter { $0.object != nil })
    case .many(let all): owners = .many(all.filter { $0.object != nil } + [Weak(owner)])
    }
  }

  func removeOwner(_ owner: AnyObject) {
    switch owners {
    case .none: return
    case .one(let first): if first.object === owner { owners = .none }
    case .many(let all): owners = .many(all.filter { $0.object != nil && $0.object !== owner })
    }
  }

  func isOwned(by owner: AnyObject) -> Bool {
    switch owners {
    case .none: false
    case .one(let first): first.object === owner
    case .many(let all): all.contains { $0.object === owner }
    }
  }

  private enum Owners {
    case none
    case one(Weak<AnyObject>)
    case many([Weak<AnyObject>])
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
