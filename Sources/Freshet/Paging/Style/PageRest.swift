/// What is known of the pages after a page, beside its link to the next one.
enum PageRest: Sendable, Hashable {
  /// The style counts them, if their number is known.
  case counted(PageStyle.Counting)
  /// Nothing was recognized, so there are taken to be none.
  case presumedEnd(PresumedEnd)

  /// Whether it is known how many pages there are.
  func isKnown(totalCount: Int?) -> Bool {
    if case .counted(let counting) = self { counting.end(total: totalCount) != nil } else { true }
  }
}
