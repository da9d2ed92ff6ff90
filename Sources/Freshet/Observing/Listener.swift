/// An observer of one subject, as the list of the subject keeps it, with what keeps it observing.
///
/// What the list asks of an observer it asks of a ``Callee``, a strong reference that it has taken out
/// before. That may be the last one by the time that it is released, and the end of an observer or of an
/// owner is code of the program, which may come back to the list.
protocol Listener {
  /// What the observer is notified of: the subject and the event.
  associatedtype Notice
  /// The observer to notify: held strongly for as long as that takes, because the list may change then.
  associatedtype Callee

  /// The observer to notify; nil where it was deallocated and nobody could be notified of that.
  ///
  /// Mutating, although it changes nothing: a plain member is called on a copy of what the list has, and
  /// to copy a weak reference takes longer than to notify the observer.
  mutating func callee() -> Callee?

  /// What tells this observer from others of the same subject, where it can be added only once.
  static func identity(of callee: Callee) -> ObjectIdentifier?
  /// Whether something still keeps the observer in the list. Asking changes nothing.
  static func isAlive(_ callee: Callee) -> Bool
  static func isOwned(_ callee: Callee, by owner: AnyObject) -> Bool

  /// Lets an object keep the observer too.
  ///
  /// - Returns: what the list has to keep in place of what it has; nil for the same.
  static func addOwner(_ owner: AnyObject, to callee: Callee) -> Self?
  /// Removes one owner, and returns whether the observer is still kept.
  ///
  /// An object without owners only says whether it is that one: there is nothing to remove, and the
  /// caller, who removes it from the list, ends it.
  static func removeOwner(_ owner: AnyObject, from callee: Callee) -> Bool

  /// Notifies the observer, if something still keeps it; otherwise returns false.
  static func tell(_ callee: Callee, _ notice: Notice) -> Bool
  /// Notifies the observer that it was removed, and releases what it held.
  func tellStopped(_ notice: Notice)
}
