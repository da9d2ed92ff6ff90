/// The optimistic edits of a list's items by their identities, until they are ended.
final class PendingItemEdits<Item: Sendable> {
  private var all: [(id: AnyHashable, edit: SharedEdit<[Item]>)] = []

  func append(_ edit: SharedEdit<[Item]>, of id: AnyHashable) { all.append((id, edit)) }

  /// The pending edits that were not made in a page; those that have ended are forgotten.
  func missing(in page: AnyResource) -> [(id: AnyHashable, edit: SharedEdit<[Item]>)] {
    // Released last: deallocating what they capture may re-enter this method.
    let known = all
    defer { withExtendedLifetime(known) {} }
    all = known.filter { $0.edit.isPending }
    return all.filter { !$0.edit.isMade(in: page) }
  }

  /// Stops the program if an invariant does not hold. For tests; O(*e*) in the edits.
  func checkInvariants() {
    for known in all { known.edit.checkInvariants() }
    precondition(Set(all.map(\.edit.id)).count == all.count, "an edit twice")
  }
}
