/// Optimistic edits. What is called here may call closures of the program.
extension ResourceState {
  /// The program changes the content before the server has agreed. Loads in flight continue: the
  /// edit is replayed on what they bring.
  ///
  /// - Parameter content: what it makes of the content, if it is the newest; nil to apply all edits.
  /// - Complexity: amortized O(1) for the newest, O(*e*) in the edits for others.
  mutating func edit(
    _ id: EditID, _ change: @escaping ContentEdit, making content: AnyContent? = nil
  ) -> Action {
    guard let shown = data else { return .nothing }
    changeEdits(of: shown) { $0.insert(id, change) }
    if let content { show(content) } else if let edits { show(edits) }
    return .notify(.newData(.localOverride))
  }

  /// Whether an edit with that number is applied after all others.
  func isNewestEdit(_ id: EditID) -> Bool { edits?.isNewest(id) ?? true }

  /// The server has agreed to an edit. Calls no edit.
  ///
  /// - Parameter load: a load in flight whose response contains the edit; nil if later loads alone do.
  /// - Returns: whether ``foldCommitted()`` is to follow.
  /// - Complexity: O(log *e*) in the edits.
  mutating func commit(_ id: EditID, containedIn load: LoadID? = nil) -> Bool {
    guard let shown = data, hasEdits else { return false }
    let newest = load.map { $0 - 1 } ?? newestLoad
    return changeEdits(of: shown) { [isLoading] in
      $0.commit(id, during: newest) && !isLoading && $0.canFold
    }
  }

  /// The edits that the server has agreed to become a part of the content below the others.
  mutating func foldCommitted() -> Action {
    guard var pending = edits else { return .nothing }
    pending.foldCommitted()
    // Without an event, so the content stays, even if an edit makes another one each time.
    show(pending, keeping: data?.content)
    return .nothing
  }

  /// An edit is rolled back.
  mutating func rollBack(_ id: EditID) -> Action {
    guard var pending = edits, pending.rollBack(id) else { return .nothing }
    if !isLoading { pending.foldCommitted() }
    show(pending)
    return .notify(.newData(.localOverride))
  }

  /// Another resource has newer content of the same: it counts as accepted, and the pending edits are
  /// applied to it.
  ///
  /// - Parameters:
  ///   - load: the load that brought it. What loads up to that one bring is changed in the same way.
  ///   - isNew: whether it is different from the accepted content.
  mutating func amend(
    _ id: EditID, asOf load: LoadID, isNew: Bool, _ change: @escaping ContentEdit
  ) -> Action {
    guard let shown = data, isNew || isLoading else { return .nothing }
    var pending = edits ?? OptimisticEdits(base: shown)
    pending.amend(id, asOf: load, change)
    if !isLoading { pending.foldCommitted() }
    show(pending)
    return isNew ? .notify(.newData(.localOverride)) : .nothing
  }

  /// The content without the edits that the server has not accepted; nil without content.
  var acceptedContent: AnyContent? { edits?.accepted ?? data?.content }

  /// The content whose validators a load may send: what the server sent, as long as no edit that the
  /// server has accepted is on top of it.
  var confirmable: AnyEntity? {
    if let edits { edits.confirmable } else { data }
  }
}
