/// Actions in the order in which they are to be performed.
struct ActionQueue {
  private var actions: [PageListAction] = []
  private var head = 0
  /// The index after the actions that change what can be read: those come first.
  private var changesEnd = 0

  /// Stops the program if an invariant does not hold. For tests.
  func checkInvariants() {
    precondition(head <= changesEnd && changesEnd <= actions.count, "changes that come late")
    precondition(head == 0 || head < actions.count, "memory of what was performed")
  }

  var hasAny: Bool { head < actions.count }

  mutating func append(_ action: PageListAction) { actions.append(action) }

  /// Adds an action that changes what can be read. It is performed before others that wait, because
  /// those may run code of the program, which is to see items and pages of one state.
  mutating func appendChange(_ action: PageListAction) {
    actions.insert(action, at: changesEnd)
    changesEnd += 1
  }

  mutating func popFirst() -> PageListAction? {
    guard head < actions.count else { return nil }
    var action = PageListAction.nothing
    // Returned, so that the caller releases it.
    swap(&action, &actions[head])
    head += 1
    changesEnd = max(changesEnd, head)
    if head == actions.count {
      // The memory is kept, because the next input needs it.
      actions.removeAll(keepingCapacity: actions.count < 64)
      (head, changesEnd) = (0, 0)
    }
    return action
  }
}
