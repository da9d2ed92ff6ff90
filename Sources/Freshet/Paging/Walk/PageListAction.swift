/// An action for a paged collection to perform.
enum PageListAction {
  case nothing
  /// Load a page if needed, and report its status.
  case visit(PageVisit)
  case observe(AnyResource)
  case stopObserving(AnyResource)
  case cancel(AnyResource)
  /// Release one load of a page: it is cancelled unless another user wants it.
  case releaseLoad(AnyResource, ResourceState.LoadID)
  case invalidate(AnyResource)
  case wipe(AnyResource)
  /// Change the merged array.
  case splice([ItemEdit])
  case deliverChanges
  /// Keep showing the merged array as it is now, without later changes.
  case freeze
  /// Show the changes since, instead of ``PageList/frozen``.
  case unfreeze
  /// Notify the observers of the state at an end.
  case notify(PagedCollectionState, ListSide)
  /// Notify the observers of the state of a refresh.
  case notifyRefresh(PagedCollectionState)
  case notifyInvalidation
  /// Record when a refresh was completed.
  case completeRefresh
  /// Release content, outside of any access to the list.
  case release(AnyObject)
}

struct PageVisit {
  enum Target {
    /// This page.
    case page(AnyResource)
    /// The previous page of this one.
    case previous(of: AnyResource)
    /// The page before the chain, which was dropped.
    indirect case dropped(ResourceKey, AnyDecoder)
    /// The page that many pages after the next page of this one.
    case counted(after: AnyResource, distance: Int)
  }

  enum Purpose {
    /// The walk is at the page, and waits for it.
    case walk
    /// The walk will reach the page later, and does not wait for it.
    case ahead
    /// The page is shown as the persistent cache has it, however old that is, and not requested.
    case restore
  }

  let target: Target
  let side: ListSide
  /// The loads that make another one unnecessary: their content is not requested again, however soon it expires, if
  /// they were made for this walk.
  let need: ResourceState.Need
  let purpose: Purpose
  /// How a load asks for the page.
  let mode: LoadMode
}

/// Actions in the order in which they are to be performed.
struct ActionQueue {
  private var actions: [PageListAction] = []
  private var head = 0
  /// The index after the actions that change what can be read: those come first.
  private var changesEnd = 0

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
    if actions.count == 1 {
      changesEnd = 0
      return actions.popLast()
    }
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
