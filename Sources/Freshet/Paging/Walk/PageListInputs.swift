/// The store at an input of a list: its clock, configuration and next load.
struct ListMoment {
  var clock: any StoreClock
  /// The version of the service's configuration.
  var configuration: Int
  /// The number that the next load gets.
  var nextLoad: ResourceState.LoadID

  /// The monotonic time. Read when needed: for most pages it is not.
  var now: Duration { clock.now }
}

/// What has become of a page: the status of its resource, and the store as it is then.
struct PageReport {
  let page: AnyResource
  let moment: ListMoment
  var isLoading = false
  var hasData = true
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

/// The limits of a list: the part of the options that decisions depend on, clamped to what can be counted with; see
/// ``PagedCollection/Options/limits``.
struct PageListLimits {
  let prefetchDistance: Int
  let pageLimit: Int
  let itemLimit: Int
  // Each at least 1.
  let emptyPageLimit: Int
  let requestBudget: Int
  let retainedPageLimit: Int
  let concurrentLoads: Int

  let showsRefreshWhenComplete: Bool
  let allowsRepeatedPages: Bool
  let restartsExpiredChains: Bool
  let reloadsWhenInvalidated: Bool
}
