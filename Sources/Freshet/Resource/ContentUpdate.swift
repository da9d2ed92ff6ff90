/// The handle of one optimistic update.
///
/// Keep it until the update is settled, in the hooks of the request that sends it to the server, say. A
/// handle that is dropped settles nothing: the update stays shown, on top of what loads bring, until
/// ``Resource/overrideLocalContent(_:)-(Content)`` or ``AnyResource/wipe()`` ends it. It is not rolled
/// back then, because the last reference may go on any thread, and the resource belongs to its actor.
public final class ContentUpdate {
  private var settle: ((_ isCommitted: Bool) -> Void)?
  private let isPending: () -> Bool

  /// Makes a handle.
  ///
  /// - Parameters:
  ///   - isPending: whether nothing but this handle has settled the update.
  ///   - settle: commits the update or rolls it back; called once.
  init(isPending: @escaping () -> Bool, settle: @escaping (_ isCommitted: Bool) -> Void) {
    self.isPending = isPending
    self.settle = settle
  }

  /// Makes the handle of an update that only this handle settles.
  convenience init(settle: @escaping (_ isCommitted: Bool) -> Void) {
    self.init(isPending: { true }, settle: settle)
  }

  /// Whether the update was committed or rolled back, or has ended with the content: by
  /// ``Resource/overrideLocalContent(_:)-(Content)``, ``AnyResource/wipe()``, or the end of the
  /// resource.
  public var isSettled: Bool { settle == nil || !isPending() }

  /// Makes the update a part of the content: the server has accepted it. Does nothing once settled.
  public func commit() {
    settle.take()?(true)
  }

  /// Takes the update back and replays the later ones. Does nothing once settled.
  public func rollBack() {
    settle.take()?(false)
  }
}
