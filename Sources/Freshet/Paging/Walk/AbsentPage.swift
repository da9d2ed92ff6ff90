/// The page after the last one of a list, which the server has refused, and what made that the end.
struct AbsentPage {
  /// What makes the last page the end where the next one does not exist.
  struct Facts: Equatable {
    /// The page that does not exist.
    let page: ObjectIdentifier
    /// The last page, which names it.
    let last: ObjectIdentifier
    /// How many items the server had sent in the last page.
    let receivedCount: Int
    /// What ends the list after the last page.
    let end: ListEnd
  }

  let facts: Facts
  /// When it may be requested again.
  let retryTime: Duration
  /// Whether it was invalidated since: it is visited whatever is wanted, as a page in the chain is.
  var isInvalidated = false

  /// Whether this is still about the page after the last one, and makes that the end.
  ///
  /// - Parameter facts: the present ones; nil if no page follows.
  func holds(for facts: Facts?) -> Bool {
    // One that was invalidated is not an end until it is visited, whatever the last page says by then.
    isInvalidated ? self.facts.page == facts?.page : self.facts == facts
  }

  /// Whether a demand may request it again.
  func mayBeRequested(at now: Duration) -> Bool { !isInvalidated && retryTime <= now }
}

extension PageList {
  /// Whether the server has said that the page beyond the end does not exist.
  @inline(__always)
  var isNextAbsent: Bool { absentPage?.isInvalidated == false }

  /// What would make the list end before a page, if that does not exist; nil for none.
  func absenceFacts(of page: AnyResource?) -> AbsentPage.Facts? {
    guard let page, chain.linkedCount > 0 else { return nil }
    let last = chain.slots[chain.linkedCount - 1]
    return AbsentPage.Facts(
      page: page.id, last: last.id, receivedCount: last.receivedCount, end: last.end)
  }
}
