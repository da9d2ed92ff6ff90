import Foundation

/// The number of an edit among those of one resource.
typealias EditID = Int

/// Local edits that a server has not confirmed yet, on top of the content that it sent.
///
/// What is shown is always the base with every edit applied in the order in which they were made;
/// rolling one back therefore replays the later ones without it.
struct OptimisticEdits {
  private struct Edit {
    let id: EditID
    let change: ContentEdit
    /// Once committed, the newest load at that time: what later loads bring contains the edit.
    var committedDuring: Int?
  }

  /// The content without the edits.
  private(set) var base: AnyEntity
  private var edits: [Edit] = []

  init(base: AnyEntity) {
    self.base = base
  }

  var isEmpty: Bool { edits.isEmpty }

  /// The base with all edits applied.
  ///
  /// - Complexity: O(*e*) in the number of edits, each with a copy of the content.
  var shown: AnyEntity {
    var shown = base
    for edit in edits { shown.content = edit.change(shown.content) }
    return shown
  }

  /// The content that the server sent, or nil once it has accepted an edit on top of that.
  var confirmable: AnyEntity? {
    edits.contains { $0.committedDuring != nil } ? nil : base
  }

  mutating func append(_ id: EditID, _ change: @escaping ContentEdit) {
    edits.append(Edit(id: id, change: change))
  }

  /// Whether an edit is neither committed nor rolled back.
  func isPending(_ id: EditID) -> Bool { pendingIndex(id) != nil }

  private func pendingIndex(_ id: EditID) -> Int? {
    edits.firstIndex { $0.id == id && $0.committedDuring == nil }
  }

  /// Marks an edit as accepted by the server; false if it is not pending.
  mutating func commit(_ id: EditID, during newestLoad: Int) -> Bool {
    guard let index = pendingIndex(id) else { return false }
    edits[index].committedDuring = newestLoad
    return true
  }

  /// Removes an edit; false if it is not pending.
  mutating func rollBack(_ id: EditID) -> Bool {
    guard let index = pendingIndex(id) else { return false }
    edits.remove(at: index)
    return true
  }

  /// Makes the committed edits before the first pending one a part of the base.
  ///
  /// The base is then no longer what the server sent, so it loses its validators. Not to be called
  /// while a load is in flight, whose response may be from before the edit.
  mutating func foldCommitted() {
    let committed = edits.prefix { $0.committedDuring != nil }
    guard !committed.isEmpty else { return }
    for edit in committed { base.content = edit.change(base.content) }
    base.dropValidators()
    edits.removeFirst(committed.count)
  }

  /// Replaces the base by what a load brought; edits that this must contain are dropped.
  mutating func replaceBase(_ entity: AnyEntity, receivedBy load: Int) {
    base = entity
    edits.removeAll { edit in edit.committedDuring.map { $0 < load } ?? false }
  }

  /// Moves the timestamp and headers of the base, and what is derived from them.
  mutating func confirmBase(_ confirmation: AnyEntity.Confirmation) {
    base.confirm(confirmation)
  }
}
