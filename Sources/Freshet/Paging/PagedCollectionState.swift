/// What a paged collection is doing, and why it does no more.
public enum PagedCollectionState: Sendable {
  /// Nothing: what was asked for is there, and there may be more.
  case idle
  /// A page is being loaded.
  case loading
  /// A page, counted from 0, could not be loaded; the items of all others stay. ``PagedCollection/retry()`` asks for
  /// that page again.
  case failed(ResourceError, page: Int)
  /// The whole list is there.
  case ended
  /// Something other than the end of the list stopped the walk.
  case incomplete(IncompleteWalk)

  /// Whether a page is being loaded.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }
}

extension PagedCollectionState {
  /// Whether this says nothing that the other does not.
  func isSame(as other: PagedCollectionState) -> Bool {
    switch (self, other) {
    case (.idle, .idle), (.loading, .loading), (.ended, .ended): true
    case (.failed(let left, let page), .failed(let right, let otherPage)):
      page == otherPage && left.timestamp == right.timestamp && left.kind == right.kind
    case (.incomplete(let left), .incomplete(let right)): left == right
    default: false
    }
  }
}

extension PagedCollectionState: CustomStringConvertible {
  /// The state as `pagewalk --events` prints it.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed(let error, let page): "failed(page \(page + 1), \(error.kind.rawValue))"
    case .ended: "ended"
    case .incomplete(let walk): "incomplete(\(walk))"
    }
  }
}
