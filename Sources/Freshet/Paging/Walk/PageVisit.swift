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
