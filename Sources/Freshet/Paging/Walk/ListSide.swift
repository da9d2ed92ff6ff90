/// The sides of a list.
enum ListSide {
  case start
  case end
}

/// One end of a list.
struct ListEdge {
  /// The loading state.
  var state = PagedCollectionState.idle
  /// The page that the walk waits for.
  var awaited: AnyResource?
  /// The page beyond the loaded ones: at the end from when it is known, at the start from when it is requested; nil
  /// once it is in the chain.
  var beyond: AnyResource?
}
