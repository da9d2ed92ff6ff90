/// The sides of a list.
enum ListSide {
  case start
  case end
}

/// Something that there is for each side of a list.
struct ListSides<Value> {
  var start: Value
  var end: Value

  subscript(side: ListSide) -> Value {
    get { side == .end ? end : start }
    set { if side == .end { end = newValue } else { start = newValue } }
  }
}

/// What a list may do: the part of the options that decisions depend on.
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

/// How the resource of a page stands.
struct PageStatus {
  var isLoading = false
  var hasData = true
  /// Why the last load failed.
  var error: ResourceError?
  /// Whether the data was invalidated by the program.
  var isInvalidated = false
  /// When the data expires, on the service's monotonic clock; 0 where that is past.
  var freshUntil = Duration.zero
  /// When a page that does not exist may be asked for again.
  var absentUntil = Duration.zero
  /// The load that brought or confirmed the data.
  var confirmingLoad: ResourceState.LoadID = 0
}

/// The time at which something is asked for.
struct ListMoment {
  /// The clock of the service.
  var clock: any StoreClock
  /// The version of the service's configuration.
  var configuration: Int
  /// The number that the next load gets.
  var nextLoad: ResourceState.LoadID

  /// The monotonic time, which is read when it is needed: for most pages it is not.
  var now: Duration { clock.now }
}

/// A page to be looked at.
struct PageVisit {
  enum Target {
    /// This page.
    case page(AnyResource)
    /// The page that this one names as the previous one.
    case previous(of: AnyResource)
    /// The page before the chain, which was dropped.
    indirect case dropped(ResourceKey, AnyDecoder)
    /// The page so many places after the one that this page names as the next one.
    case counted(after: AnyResource, distance: Int)
  }

  let target: Target
  let side: ListSide
  /// What loads before this one brought counts as stale.
  let since: ResourceState.LoadID
  /// What loads from this one on brought was asked for by this walk: it is not asked for again, however
  /// soon it expires.
  var enough = ResourceState.LoadID.max
  /// Whether the walk will come to the page later, and does not wait for it.
  var isAhead = false
}

/// What a paged collection is to do.
enum PageListAction {
  case nothing
  /// Load a page if that is needed, and report how it stands.
  case visit(PageVisit)
  /// Observe a page.
  case observe(AnyResource)
  /// Stop observing a page.
  case stopObserving(AnyResource)
  /// Cancel the loads of a page.
  case cancel(AnyResource)
  /// Cancel one load of a page, unless it was joined by another user of the page.
  case cancelUnlessJoined(AnyResource, ResourceState.LoadID)
  /// Change the merged array.
  case splice([ItemEdit])
  /// Deliver the changes of the items.
  case deliverChanges
  /// Go on showing the merged array as it is now, whatever changes.
  case withhold
  /// Show what was changed since, instead of ``PageList/published``.
  case publish
  /// Notify the observers that a state changed.
  case notify(PagedStateChange)
  /// Record when a refresh was completed.
  case completeRefresh
  /// Release content, outside of any access to the list.
  case release(AnyObject)
}

/// Which state of a list changed, to what.
enum PagedStateChange {
  case end(PagedCollectionState)
  case start(PagedCollectionState)
  case refresh(PagedCollectionState)
}

/// Actions in the order in which they are to be performed.
struct ActionQueue {
  private var actions: [PageListAction] = []
  private var head = 0

  var hasAny: Bool { head < actions.count }

  mutating func append(_ action: PageListAction) { actions.append(action) }

  mutating func popFirst() -> PageListAction? {
    guard head < actions.count else { return nil }
    var action = PageListAction.nothing
    // What it holds is not released in here.
    swap(&action, &actions[head])
    head += 1
    if head == actions.count {
      // The memory is kept, because the next input needs it.
      actions.removeAll(keepingCapacity: actions.count < 64)
      head = 0
    }
    return action
  }
}
