/// The handle of one observation by a closure.
///
/// Not `Sendable`: it belongs to the actor of the store, like everything that it came from. It may be
/// dropped anywhere; a closure that it owns is released with it, on the same thread.
public final class ObservationToken {
  var stop: (() -> Void)?
  /// The observation that this token owns: held here and not in the list, so that a closure which
  /// captures what it observes does not keep that for ever.
  private var owned: AnyObject?

  init(stop: (() -> Void)? = nil) {
    self.stop = stop
  }

  /// Ends the observation; the closure is not called any more. A second call does nothing.
  public func remove() {
    stop.take()?()
    _ = owned.take()
  }
}

extension ObservationToken {
  /// What a list is to keep of an observation: the observation itself, or where a token is its owner, a
  /// weak reference, because the token keeps it.
  static func entry<Notice>(
    for observation: Observation<Notice>, ownedBy owner: AnyObject
  ) -> Observation<Notice> {
    guard let token = owner as? ObservationToken else { return observation }
    token.owned = observation
    return TokenObservation(observation)
  }
}

/// An observation that a token keeps.
private final class TokenObservation<Notice>: Observation<Notice> {
  private weak var observation: Observation<Notice>?

  init(_ observation: Observation<Notice>) {
    self.observation = observation
    super.init(owner: nil)
  }

  override func isAlive() -> Bool { observation != nil }
  override func tell(_ notice: Notice) -> Bool { observation?.tell(notice) ?? false }
  override func tellStopped(_ notice: Notice) { observation?.tellStopped(notice) }
  override func addOwner(_ owner: AnyObject) { observation?.addOwner(owner) }
  override func removeOwner(_ owner: AnyObject) -> Bool {
    observation?.removeOwner(owner) ?? false
  }
  override func isOwned(by owner: AnyObject) -> Bool {
    observation?.isOwned(by: owner) ?? false
  }
}
