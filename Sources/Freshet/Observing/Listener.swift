/// An observer of one subject, as the list of the subject keeps it, with what keeps it observing.
protocol Listener {
  /// What the observer is told: the subject and the event.
  associatedtype Notice
  /// What is told a notice: held strongly for as long as that takes, because the list may change then.
  associatedtype Callee

  // The next four are mutating, although they change nothing: a plain member is called on a copy of
  // what the list has, and to copy a weak reference takes longer than to tell the observer.

  /// What tells this observer from others of the same subject, where it can be added only once.
  mutating func identity() -> ObjectIdentifier?
  /// Whether something still keeps the observer here. Asking changes nothing.
  mutating func isAlive() -> Bool
  /// Whom to tell; nil where the observer has gone and there is nobody who could be told that.
  mutating func callee() -> Callee?
  mutating func isOwned(by owner: AnyObject) -> Bool

  /// Lets an object keep the observer too.
  mutating func addOwner(_ owner: AnyObject)

  /// Tells the observer, if something still keeps it; otherwise returns false.
  static func tell(_ callee: Callee, _ notice: Notice) -> Bool
  /// Tells the observer that it was removed, and lets go of what it held.
  func tellStopped(_ notice: Notice)

  /// Takes one owner away, and returns whether the observer is still kept.
  ///
  /// An object without owners only says whether it is that one: there is nothing to take away, and the
  /// caller, who takes it off the list, ends it.
  func removeOwner(_ owner: AnyObject) -> Bool
}
