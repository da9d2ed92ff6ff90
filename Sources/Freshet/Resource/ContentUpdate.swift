/// The handle of one optimistic update.
///
/// Keep the handle until the update is committed or rolled back: in the hooks of the request that
/// sends the change to the server, for example. Releasing the handle does neither: the update stays
/// applied to the content that loads deliver, until ``Resource/overrideLocalContent(_:)-(Content)``
/// or ``AnyResource/wipe()`` ends it. It is not rolled back, because the last reference may be
/// released on any thread, and the resource belongs to its actor.
public final class ContentUpdate {
  private var end: ((_ ending: EditEnding) -> Void)?
  private let isEndedByOthers: () -> Bool

  /// Creates a handle.
  ///
  /// - Parameters:
  ///   - isEndedByOthers: whether the update ended in another way than by this handle.
  ///   - end: commits the update or rolls it back; called once.
  init(isEndedByOthers: @escaping () -> Bool, end: @escaping (_ ending: EditEnding) -> Void) {
    self.isEndedByOthers = isEndedByOthers
    self.end = end
  }

  /// Whether the update is neither committed nor rolled back.
  ///
  /// It ends with its content too: ``Resource/overrideLocalContent(_:)-(Content)``,
  /// ``AnyResource/wipe()`` and the deallocation of the resource end it.
  public var isPending: Bool { end != nil && !isEndedByOthers() }

  /// Commits the update, after the server has accepted it.
  ///
  /// No event is sent.
  ///
  /// If the resource adopts the response to the request (see ``Resource/load(using:)``), that response
  /// contains the update, and the update is not applied to it. So commit in a hook of that request, as a
  /// ``Mutation`` does; without a hook, commit before the resource adopts the response. An update that is
  /// committed later is applied to the response.
  ///
  /// Does nothing unless the update ``isPending``.
  public func commit() {
    end.take()?(.commit)
  }

  /// Rolls the update back: removes it from the content and applies the later ones again.
  ///
  /// Observers receive `.newData(.localOverride)`.
  ///
  /// Does nothing unless the update ``isPending``.
  public func rollBack() {
    end.take()?(.rollBack)
  }
}

/// How a handle ends its optimistic edit.
enum EditEnding {
  case commit
  case rollBack
}
