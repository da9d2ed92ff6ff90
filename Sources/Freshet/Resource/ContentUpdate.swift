/// The handle of one optimistic update.
///
/// Keep the handle until the update is committed or rolled back: in the hooks of the request that
/// sends the change to the server, for example. Releasing the handle does neither: the update stays
/// applied to what loads bring, until ``Resource/overrideLocalContent(_:)-(Content)`` or
/// ``AnyResource/wipe()`` ends it. It is not rolled back, because the last reference may be
/// released on any thread, and the resource belongs to its actor.
public final class ContentUpdate {
  private var settle: ((_ isCommitted: Bool) -> Void)?
  private let isPending: () -> Bool

  /// Makes a handle.
  ///
  /// - Parameters:
  ///   - isPending: whether the update did not end in another way than by this handle.
  ///   - settle: commits the update or rolls it back; called once.
  init(isPending: @escaping () -> Bool, settle: @escaping (_ isCommitted: Bool) -> Void) {
    self.isPending = isPending
    self.settle = settle
  }

  /// Makes the handle of an update that only this handle settles.
  convenience init(settle: @escaping (_ isCommitted: Bool) -> Void) {
    self.init(isPending: { true }, settle: settle)
  }

  /// Whether the update was committed or rolled back, or ended with its content.
  ///
  /// ``Resource/overrideLocalContent(_:)-(Content)``, ``AnyResource/wipe()`` and the deallocation
  /// of the resource end it too.
  public var isSettled: Bool { settle == nil || !isPending() }

  /// Commits the update, which the server has accepted, and posts no event.
  ///
  /// Does nothing if the update ``isSettled``.
  public func commit() {
    settle.take()?(true)
  }

  /// Removes the update from the content and applies the later ones again; observers receive
  /// `.newData(.localOverride)`.
  ///
  /// Does nothing if the update ``isSettled``.
  public func rollBack() {
    settle.take()?(false)
  }
}
