/// Changes of the content beside loads, where its type is not known.
extension AnyResource {
  /// Changes the content before the server has accepted the change.
  ///
  /// - Parameter id: its number; edits are applied in the order of these.
  /// - Returns: the handle that commits the edit or rolls it back.
  final func beginEdit(_ id: EditID, _ edit: @escaping ContentEdit) -> ContentUpdate {
    make(held(edit), id)
    let caller = adoptedRequest
    return ContentUpdate { [weak self] in
      self?.state.edits?.isPending(id) != true
    } end: { [weak self, weak caller] ending in
      guard let self else { return }
      guard ending == .commit, !hasAdoptedResponse(editedBy: caller) else {
        return change { $0.rollBack(id) }
      }
      let adopting = inFlight.adopting
      commit(id, containedIn: adopting?.request === caller ? nil : adopting?.id)
    }
  }

  /// The request whose hooks are being called, and whose response this resource adopts or has adopted;
  /// nil for none.
  final var adoptedRequest: AnyRequest? {
    store.scope.hookCalls.adoptedRequest(by: self) ?? inFlight.adopting?.request
  }

  /// Whether the hooks of a request are being called whose response this resource has adopted, which contains
  /// an edit that is committed in these hooks.
  ///
  /// - Parameter caller: the request whose hooks were being called when the edit was made; nil for none.
  final func hasAdoptedResponse(editedBy caller: AnyRequest?) -> Bool {
    store.scope.hookCalls.adoptedRequest(by: self).map { $0 !== caller } ?? false
  }

  /// Adds an edit, and applies it to the content: the others are applied again only if it is before them.
  private func make(_ edit: @escaping ContentEdit, _ id: EditID) {
    guard let content = state.data?.content, state.isNewestEdit(id) else {
      return changeApplyingEdits { $0.edit(id, edit) }
    }
    let earlier = store.appliedEdits.results.count
    let edited = applyEdits { edit(content) }
    attachment?.dataWillChange()
    let action = decide { $0.edit(id, edit, making: edited) }
    let results = store.appliedEdits.takeResults(after: earlier)
    perform(action)
    hold((content, results))
  }

  private func commit(_ id: EditID, containedIn load: ResourceState.LoadID?) {
    guard decide({ $0.commit(id, containedIn: load) }) else { return }
    changeApplyingEdits { $0.foldCommitted() }
  }

  /// Changes the content below the pending edits, because another resource has newer content.
  ///
  /// - Parameters:
  ///   - id: a number of that resource's among those of edits.
  ///   - load: the load that brought that content.
  ///   - isNew: whether it is different from the accepted content.
  final func amend(
    _ id: EditID, asOf load: ResourceState.LoadID, isNew: Bool, _ edit: @escaping ContentEdit
  ) {
    changeApplyingEdits { $0.amend(id, asOf: load, isNew: isNew, held(edit)) }
  }

  /// Shows content of another resource, as stale, until a load has brought some.
  ///
  /// - Parameter load: the load that brought it there: what this resource has wiped since does not come back.
  final func showPlaceholder(_ entity: AnyEntity, asOf load: ResourceState.LoadID) {
    change { $0.showPlaceholder(entity, asOf: load) }
  }

  /// The content without the edits that the server has not accepted; nil without content.
  ///
  /// - Complexity: O(*e*) in the edits, each with a copy of the content.
  final var acceptedContent: AnyContent? { read { $0.acceptedContent } }

  /// The content with the edits before one of them; nil without content.
  final func content(before id: EditID) -> AnyContent? {
    read { $0.edits?.content(before: id) ?? $0.data?.content }
  }

  /// Reads what edits make, of a copy of the state: deallocating what they make may change this resource.
  private func read(_ body: (ResourceState) -> AnyContent?) -> AnyContent? {
    let content = callEdits { body(state) }
    // Within a change it is held until that is made.
    if store.appliedEdits.isIdle {
      withExtendedLifetime(store.appliedEdits.takeResults(after: 0)) {}
    }
    return content
  }

  /// An edit whose results are held until the change is made, because deallocating them may change
  /// a resource.
  private func held(_ edit: @escaping ContentEdit) -> ContentEdit {
    { [store] content in
      let edited = edit(content)
      store.appliedEdits.hold(edited)
      return edited
    }
  }
}

/// The edits that are being applied in a store, one within another, and what they have made.
///
/// What an edit makes is held until the change is made that the edit is a part of: deallocating it may run
/// code of the program that changes a resource, which an edit may not.
final class AppliedEdits {
  /// The content that edits have made, in order.
  private(set) var results: [AnyContent] = []
  private var depth = 0

  /// Whether no edit is being applied.
  var isIdle: Bool { depth == 0 }

  /// A change begins to apply edits.
  func begin() { depth += 1 }

  /// The newest of the changes has applied its edits.
  func end() { depth -= 1 }

  /// Holds what an edit has made.
  func hold(_ result: AnyContent) { results.append(result) }

  /// The results after the first ones, which are held no longer.
  func takeResults(after count: Int) -> [AnyContent] {
    guard results.count > count else { return [] }
    defer { results.removeLast(results.count - count) }
    return Array(results[count...])
  }

  /// Stops the program if an edit has not ended, or what it made is held for no change. For tests.
  func checkInvariants() {
    precondition(isIdle && results.isEmpty, "an edit has not ended: \(depth), \(results.count)")
  }
}
