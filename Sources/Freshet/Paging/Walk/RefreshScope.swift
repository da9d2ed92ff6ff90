/// The pages of a list that a refresh requests again.
///
/// Each is requested with its validators, and an unchanged page costs a 304 and no event.
public enum RefreshScope: Sendable, Hashable, CaseIterable {
  /// The pages that are no longer fresh.
  case stale
  /// The first page, and if it has changed, those after it up to an unchanged one.
  ///
  /// New items at the top cost one request if pages follow from cursors, and as many as needed if they have moved the
  /// items of all pages.
  case firstPage
  /// All loaded pages.
  case all
}
