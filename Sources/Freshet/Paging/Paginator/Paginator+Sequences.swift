/// A paginator as an asynchronous sequence.
extension Paginator {
  /// ``slots`` now, and after each change, as an asynchronous sequence.
  ///
  /// Each access makes another sequence, which observes from then on. A consumer that is slower than the
  /// changes reads only the newest. Iterating loads nothing. A page that becomes the current one produces
  /// no element where the slots have it already: ``PaginatorEvent/loaded(page:)`` reports that.
  ///
  /// The sequence ends when the paginator is deallocated, which it does not prevent, and when the
  /// iterating task is cancelled. It may be iterated on any actor, by one task.
  ///
  /// - Complexity: O(*p* log *p*) in the loaded pages for each change, also of one that is not read.
  public var snapshots: AsyncStream<PaginatorSlots<Item>> {
    stream(.bufferingNewest(1)) { notice in
      switch notice.listEvent(Event.self) {
      case .observerAdded, .slotsChanged: notice.subject(Paginator.self).shownSlots
      case .loading, .loaded, .failed, .cancelled, .invalidated: nil
      }
    }
  }
}
