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
