/// An observer of one subject, as the list of the subject keeps it, with what keeps it observing.
protocol Listener {
  /// The observer itself.
  associatedtype Observer: Notifiable

  /// The observer, held strongly for as long as it is asked or notified: the list may change then. Nil
  /// where it was deallocated and could not be notified of that.
  ///
  /// Mutating, although it changes nothing: a plain member is called on a copy of what the list has, and
  /// to copy a weak reference takes longer than to notify the observer.
  mutating func observer() -> Observer?

  /// Lets an object keep the observer too.
  ///
  /// - Returns: what the list has to keep in place of what it has; nil for the same.
  static func addOwner(_ owner: AnyObject, to observer: Observer) -> Self?
  /// Notifies the observer that it was removed, and releases what it held.
  func notifyRemoved(_ notice: Notice)
}

/// An observer that a list asks and notifies: a strong reference that it has taken before.
///
/// That may be the last one by the time that it is released, and the end of an observer or of an owner
/// is code of the program, which may come back to the list.
protocol Notifiable {
  /// What identifies this observer among others of the same subject, where it can be added only
  /// once.
  var identity: ObjectIdentifier? { get }
  /// Whether something still keeps the observer in the list. Asking changes nothing.
  var isAlive: Bool { get }
  func isOwned(by owner: AnyObject) -> Bool
  /// Removes one owner, and returns whether the observer is still kept.
  ///
  /// An object without owners only says whether it is that one: there is nothing to remove, and the
  /// caller removes it from the list.
  func removeOwner(_ owner: AnyObject) -> Bool
  /// Notifies the observer, if something still keeps it; otherwise returns false.
  func notify(_ notice: Notice) -> Bool
}
