/// Which pages of a list a refresh asks the server for again.
///
/// Each is asked for with its validators, and an unchanged page costs a 304 and no event.
public enum RefreshScope: Sendable, Hashable, CaseIterable {
  /// Those that are not fresh any more.
  case stale
  /// The first one; and where it has changed, those after it up to one that has not. So what came in
  /// at the top costs one request where pages follow from cursors, and as many as it takes where it
  /// has moved the items of all pages along.
  case firstPage
  /// All that are loaded.
  case all
}
