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
