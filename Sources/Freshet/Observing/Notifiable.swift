/// An observer that a list uses and notifies: a strong reference that was loaded before.
///
/// It may be the last reference when it is released, and deallocating an observer or an owner runs
/// code of the program, which may call the list again.
protocol Notifiable {
  /// Identifies this observer among the others of the same subject, where it can be added only
  /// once.
  var identity: ObjectIdentifier? { get }
  /// Whether an owner still keeps the observer in the list. Has no side effects.
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
