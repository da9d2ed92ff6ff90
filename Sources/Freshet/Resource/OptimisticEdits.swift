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
    var committedDuring: ResourceState.LoadID?

    /// Whether the server had accepted it before a load began.
    func isContained(in load: ResourceState.LoadID) -> Bool {
      committedDuring.map { $0 < load } ?? false
    }
  }

  /// The content without the edits.
  private(set) var base: AnyEntity
  /// Newer content of another resource, after the edits that were committed before it: all are committed.
  private var contained: [Edit] = []
  /// The edits above that, in the order of their numbers.
  private var edits: [Edit] = []

  init(base: AnyEntity) {
    self.base = base
  }

  var isEmpty: Bool { contained.isEmpty && edits.isEmpty }

  /// All edits, in the order in which they are applied.
  private var all: [Edit] { contained.isEmpty ? edits : contained + edits }

  /// The base with all edits applied.
  ///
  /// - Complexity: O(*e*) in the number of edits, each with a copy of the content.
  var shown: AnyEntity {
    var shown = base
    for edit in all { shown.content = edit.change(shown.content) }
    return shown
  }

  /// The content that the server sent, or nil once it has accepted an edit on top of that.
  var confirmable: AnyEntity? {
    all.contains { $0.committedDuring != nil } ? nil : base
  }

  /// Adds an edit, in the order of the numbers: one that is shared may be added later than it was made.
  ///
  /// - Complexity: amortized O(1) for the newest, O(*e*) for others.
  mutating func insert(_ id: EditID, _ change: @escaping ContentEdit) {
    edits.insert(Edit(id: id, change: change), at: edits.partitionPoint { $0.id > id })
  }

  /// Whether an edit with that number is applied after all others.
  func isNewest(_ id: EditID) -> Bool { edits.last.map { $0.id < id } ?? true }

  /// Adds newer content of another resource, instead of what was added with that number before. It stays
  /// until a later load has brought content.
  ///
  /// It contains the edits that the server has accepted, so it is above those and below the others.
  mutating func amend(
    _ id: EditID, asOf load: ResourceState.LoadID, _ change: @escaping ContentEdit
  ) {
    contained = all.filter { $0.id != id && $0.committedDuring != nil }
    contained.append(Edit(id: id, change: change, committedDuring: load))
    edits.removeAll { $0.committedDuring != nil }
  }

  /// Whether the server has accepted edits before a load began.
  func areContained(in load: ResourceState.LoadID) -> Bool {
    all.contains { $0.isContained(in: load) }
  }

  /// The base with the edits that the server has accepted.
  var accepted: AnyContent {
    all.reduce(base.content) { content, edit in
      edit.committedDuring == nil ? content : edit.change(content)
    }
  }

  /// The base with the edits before one of them.
  func content(before id: EditID) -> AnyContent {
    all.prefix { $0.id != id }.reduce(base.content) { content, edit in edit.change(content) }
  }

  /// Whether an edit is neither committed nor rolled back.
  ///
  /// - Complexity: O(log *e*).
  func isPending(_ id: EditID) -> Bool { pendingIndex(id) != nil }

  private func pendingIndex(_ id: EditID) -> Int? {
    let index = edits.partitionPoint { $0.id >= id }
    guard index < edits.count, edits[index].id == id, edits[index].committedDuring == nil else {
      return nil
    }
    return index
  }

  /// Marks an edit as accepted by the server; false if it is not pending.
  ///
  /// - Complexity: O(log *e*).
  mutating func commit(_ id: EditID, during newestLoad: ResourceState.LoadID) -> Bool {
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

  /// Whether there are committed edits before the first pending one.
  var canFold: Bool { !contained.isEmpty || edits.first?.committedDuring != nil }

  /// Makes the committed edits before the first pending one a part of the base.
  ///
  /// The base is then no longer what the server sent, so it loses its validators. Not to be called
  /// while a load is in flight, whose response may be from before the edit.
  mutating func foldCommitted() {
    guard canFold else { return }
    let committed = edits.prefix { $0.committedDuring != nil }
    for edit in contained + committed { base.content = edit.change(base.content) }
    base.dropValidators()
    contained = []
    edits.removeFirst(committed.count)
  }

  /// Replaces the base by what a load brought; edits that this must contain are dropped.
  mutating func replaceBase(_ entity: AnyEntity, receivedBy load: ResourceState.LoadID) {
    base = entity
    contained.removeAll { $0.isContained(in: load) }
    edits.removeAll { $0.isContained(in: load) }
  }

  /// Moves the timestamp and headers of the base, and what is derived from them.
  ///
  /// - Returns: whether the content is another one.
  mutating func confirmBase(_ known: KnownContent, as confirmed: AnyEntity) -> Bool {
    base.confirm(known, as: confirmed)
  }
}

extension OptimisticEdits {
  /// Stops the program if an invariant does not hold. For tests; O(*e*) in the edits.
  func checkInvariants() {
    precondition(Set(all.map(\.id)).count == all.count, "two edits of one number")
    precondition(
      zip(edits, edits.dropFirst()).allSatisfy { $0.id < $1.id },
      "the edits are not in the order of their numbers")
    precondition(contained.allSatisfy { $0.committedDuring != nil }, "a pending edit is contained")
  }
}
