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
