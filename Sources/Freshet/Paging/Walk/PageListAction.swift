/// The sides of a list.
enum ListSide {
  case start
  case end
}

/// A value for each side of a list.
struct ListSides<Value> {
  var start: Value
  var end: Value

  subscript(side: ListSide) -> Value {
    get { side == .end ? end : start }
    set { if side == .end { end = newValue } else { start = newValue } }
  }
}

/// The limits of a list: the part of the options that decisions depend on.
struct PageListLimits {
  var prefetchDistance = 5
  var pageLimit = 10_000
  var itemLimit = 1_000_000
  var requestBudget = 50
  var retainedPageLimit = Int.max
  var concurrentLoads = 1
  var showsRefreshWhenComplete = false
  var allowsRepeatedPages = false
  var restartsExpiredChains = true
  var reloadsWhenInvalidated = true
}

/// The status of a page's resource.
struct PageStatus {
  var isLoading = false
  var hasData = true
  /// Why the last load failed.
  var error: ResourceError?
  /// Whether the data was invalidated by the program.
  var isInvalidated = false
  /// When the data expires, on the service's monotonic clock; 0 if it has expired.
  var freshUntil = Duration.zero
  /// When a page that does not exist may be requested again.
  var absentUntil = Duration.zero
  /// The load that brought or confirmed the data.
  var confirmingLoad: ResourceState.LoadID = 0
}

/// The time of a demand.
struct ListMoment {
  /// The clock of the service.
  var clock: any StoreClock
  /// The version of the service's configuration.
  var configuration: Int
  /// The number that the next load gets.
  var nextLoad: ResourceState.LoadID

  /// The monotonic time. Read when needed: for most pages it is not.
  var now: Duration { clock.now }
}

/// A page to visit.
struct PageVisit {
  enum Target {
    /// This page.
    case page(AnyResource)
    /// The previous page of this one.
    case previous(of: AnyResource)
    /// The page before the chain, which was dropped.
    indirect case dropped(ResourceKey, AnyDecoder)
    /// The page that many places after the next page of this one.
    case counted(after: AnyResource, distance: Int)
  }

  let target: Target
  let side: ListSide
  /// Loads before this one count as stale.
  let since: ResourceState.LoadID
  /// Loads from this one on were made for this walk: their content is not requested again, however
  /// soon it expires.
  var enough = ResourceState.LoadID.max
  /// Whether the walk will reach the page later, and does not wait for it.
  var isAhead = false
}

/// An action for a paged collection to perform.
enum PageListAction {
  case nothing
  /// Load a page if needed, and report its status.
  case visit(PageVisit)
  /// Observe a page.
  case observe(AnyResource)
  /// Stop observing a page.
  case stopObserving(AnyResource)
  /// Cancel the loads of a page.
  case cancel(AnyResource)
  /// Release one load of a page: it is cancelled unless another user wants it.
  case releaseLoad(AnyResource, ResourceState.LoadID)
  /// Change the merged array.
  case splice([ItemEdit])
  /// Deliver the changes of the items.
  case deliverChanges
  /// Keep showing the merged array as it is now, without later changes.
  case withhold
  /// Show the changes since, instead of ``PageList/published``.
  case publish
  /// Notify the observers of the state at an end.
  case notify(PagedCollectionState, ListSide)
  /// Notify the observers of the state of a refresh.
  case notifyRefresh(PagedCollectionState)
  /// Record when a refresh was completed.
  case completeRefresh
  /// Release content, outside of any access to the list.
  case release(AnyObject)
}

/// Actions in the order in which they are to be performed.
struct ActionQueue {
  private var actions: [PageListAction] = []
  private var head = 0
  /// The index after the actions that change what can be read: those come first.
  private var changesEnd = 0

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
