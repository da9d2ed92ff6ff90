/// The handle of one optimistic update.
public final class ContentUpdate {
  private var settle: ((_ isCommitted: Bool) -> Void)?

  init(settle: @escaping (Bool) -> Void) {
    self.settle = settle
  }

  /// Whether the update was committed or rolled back.
  public var isSettled: Bool { settle == nil }

  /// Makes the update a part of the content: the server has accepted it. Does nothing once settled.
  public func commit() {
    settle.take()?(true)
  }

  /// Takes the update back and replays the later ones. Does nothing once settled.
  public func rollBack() {
    settle.take()?(false)
  }
}
