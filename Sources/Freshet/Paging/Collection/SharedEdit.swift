/// An optimistic edit that is made in several resources: in that of an item and the pages of the lists that show
/// the item, or in those pages alone where the item has no resource.
final class SharedEdit<Detail: Sendable> {
  private struct Made {
    // Not its identifier: another resource has that once this one is deallocated.
    weak var resource: AnyResource?
    var update: ContentUpdate?

    var isPending: Bool { update?.isPending != false }
  }

  /// Changes the content of the resource; nil once it has ended, because what it captures may keep the
  /// resource.
  private(set) var change: ((inout Detail) -> Void)?
  /// The change of an item, if the edit was made in a list: a closure of that list's items.
  private var itemChange: (link: ObjectIdentifier, change: Any)?
  private var made: [Made] = []
  private var hasEnded = false
  /// The request whose hooks were being called when it was made first; nil for none.
  private weak var caller: AnyRequest?

  /// Its number, wherever it is made.
  let id: EditID

  init(
    _ id: EditID, itemChange: (link: ObjectIdentifier, change: Any)? = nil,
    _ change: @escaping (inout Detail) -> Void
  ) {
    self.id = id
    self.itemChange = itemChange
    self.change = change
  }

  /// The change of an item, if the edit was made in the list of this link.
  func itemChange<Item>(of link: any DetailSharing<Detail>) -> ((inout Item) -> Void)? {
    guard let itemChange, itemChange.link == ObjectIdentifier(link) else { return nil }
    return itemChange.change as? (inout Item) -> Void
  }

  /// Whether it is neither committed nor rolled back wherever it was made.
  var isPending: Bool {
    !hasEnded && (made.isEmpty || made.contains(where: \.isPending))
  }

  /// Whether it was made in a resource: that of the item, or a page.
  func isMade(in resource: AnyResource) -> Bool {
    made.contains { $0.resource === resource }
  }

  /// Whether it was made there, and is neither committed nor rolled back.
  func isPending(in resource: AnyResource) -> Bool {
    made.contains { $0.resource === resource && $0.isPending }
  }

  /// Commits it or rolls it back wherever it was made.
  func end(_ ending: EditEnding) {
    // First, because what follows from the first one re-enters this method.
    hasEnded = true
    // Released last: deallocating what they capture may re-enter this method.
    let changes = (change, itemChange)
    (change, itemChange) = (nil, nil)
    // Lists have what the resource has adopted, and that contains the edit.
    let isContained = made.contains { made in
      (made.resource as? Resource<Detail>)?.hasAdoptedResponse(editedBy: caller) == true
    }
    for made in made {
      ending == .commit && !isContained ? made.update?.commit() : made.update?.rollBack()
    }
    withExtendedLifetime(changes) {}
  }

  func make(in resource: AnyResource, _ edit: @escaping ContentEdit) {
    if made.isEmpty {
      let hookCalls = resource.store.scope.hookCalls
      caller = hookCalls.caller ?? hookCalls.adoptedRequest(by: nil)
    }
    // First, because what follows from the edit re-enters this method. Again in a page that was wiped: its former
    // update would count as pending with the new one, which has the same number.
    // Held until the change is made: one may be the last reference, and deallocating it may add to these.
    let known = (made, resources: made.map(\.resource))
    made.removeAll { $0.resource === resource }
    made.append(Made(resource: resource))
    let update = resource.beginEdit(id, edit)
    let index = made.firstIndex { $0.resource === resource }
    if let index { made[index].update = update }
    withExtendedLifetime(known) {}
  }

  /// The handle that ends all that was made of it, and all that will be.
  func handle(_ queue: EventQueue) -> ContentUpdate {
    ContentUpdate(isEndedByOthers: { !self.isPending }) { ending in
      // Together, so that observers are notified of one change.
      queue.together { self.end(ending) }
    }
  }
}

extension SharedEdit {
  func checkInvariants() {
    precondition(hasEnded == (change == nil), "\(id): it has ended and is kept, or the reverse")
    precondition(!hasEnded || itemChange == nil, "\(id): what an ended edit captures is kept")
    let resources = made.compactMap(\.resource).map { ObjectIdentifier($0) }
    precondition(Set(resources).count == resources.count, "\(id): made twice in a resource")
  }
}

/// The optimistic edits of items by their identities, until they are ended.
final class PendingItemEdits<Content: Sendable> {
  typealias Pending = (id: AnyHashable, edit: SharedEdit<Content>)

  private var all: [AnyHashable: [SharedEdit<Content>]] = [:]

  func append(_ edit: SharedEdit<Content>, of id: AnyHashable) {
    all[id, default: []].append(edit)
  }

  /// The pending edits of the items of a page that were not made in it, in the order in which the edits began; those
  /// that have ended are forgotten.
  ///
  /// - Parameter ids: returns the identities of the items. Called only if there may be such an edit.
  func missing(in page: AnyResource, having ids: () -> [AnyHashable]) -> [Pending] {
    guard !all.isEmpty else { return [] }
    // Released last: deallocating what they capture may re-enter this method.
    let known = all
    defer { withExtendedLifetime(known) {} }
    for (id, edits) in known {
      // First: asking one may deallocate a resource, and that may add edits.
      let ended = edits.filter { !$0.isPending }
      guard !ended.isEmpty else { continue }
      all[id]?.removeAll { edit in ended.contains { $0 === edit } }
      if all[id]?.isEmpty == true { all[id] = nil }
    }
    let missing = all.flatMap { id, edits in
      edits.filter { !$0.isMade(in: page) }.map { (id: id, edit: $0) }
    }
    guard !missing.isEmpty else { return [] }
    let ids = Set(ids())
    return missing.filter { ids.contains($0.id) }.sorted { $0.edit.id < $1.edit.id }
  }

  /// Removes the edits of an item.
  ///
  /// - Complexity: O(1) on average.
  func removeAll(of id: AnyHashable) -> [SharedEdit<Content>] {
    guard let index = all.index(forKey: id) else { return [] }
    return all.remove(at: index).value
  }

  func checkInvariants(withoutEditsOf ids: Set<AnyHashable> = []) {
    let edits = all.values.flatMap { $0 }
    for edit in edits { edit.checkInvariants() }
    precondition(Set(edits.map(\.id)).count == edits.count, "an edit twice")
    precondition(all.values.allSatisfy { !$0.isEmpty }, "an item without edits")
    precondition(ids.isDisjoint(with: all.keys), "an edit waits for a resource that there is")
  }
}
