/// An observer of one subject, as the subject's list stores it, with its owners.
protocol Listener {
  /// The observer itself.
  associatedtype Observer: Notifiable

  /// The observer, held strongly while it is used: the list may change then. Nil if it was
  /// deallocated, and could not be notified of that.
  ///
  /// Mutating, although it changes nothing: a plain member is called on a copy of the stored value,
  /// and copying a weak reference takes longer than notifying the observer.
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
  /// Identifies this observer among the others of the same subject, where it can be added only
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
