/// Events of the pages of a list.
extension PagedCollection {
  /// Adds a closure that is called with every later event of every page, until its owner is deallocated or the
  /// returned token is cancelled.
  ///
  /// Use it for views that show which page is loading, has failed or is stale.
  ///
  /// ```swift
  /// gists.addPageObserver(owner: self) { [weak self] gists, page, _ in
  ///   if let index = gists.pageIndex(of: page) { self?.redrawMargin(gists.itemRange(ofPage: index)) }
  /// }
  /// ```
  ///
  /// Events of the list that have the same cause come first, so the list is already in the new state.
  /// The page beyond ``pages`` that is being loaded is observed too. A page that becomes stale as
  /// time passes causes no event.
  ///
  /// The owner is held weakly, the closure strongly. Releasing the token does not end the
  /// observation. A list that is observed in no other way does not reload when it is invalidated.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addPageObserver(
    owner: AnyObject,
    _ body:
      @escaping (
        _ collection: PagedCollection, _ page: PageResource, _ event: ResourceEvent
      ) -> Void
  ) -> ObservationToken {
    pageObservers.add(owner: owner) { [weak self] notice in
      // Any other notice is that the observer was added.
      guard let self, case .list(let object) = notice.event, let event = object as? PageEvent
      else { return }
      body(self, unsafeDowncast(event.page, to: PageResource.self), event.event)
    }
  }

  /// Notifies those that observe the pages, after the events of the list that are posted now.
  func notifyPageObservers(_ page: PageResource, _ event: ResourceEvent) {
    guard let observers = pageObserversIfAny, observers.isWatched else { return }
    observers.emit(PageEvent(page, event))
  }
}

final class PageEvent {
  let page: AnyResource
  let event: ResourceEvent

  init(_ page: AnyResource, _ event: ResourceEvent) {
    self.page = page
    self.event = event
  }
}

/// The observers of a list's pages, apart from those of the list: nearly all lists have none.
final class PageObservers: Observed {
  let queue: EventQueue
  // Made with the first of them.
  private let list = ObserverList<Observation>()

  init(_ queue: EventQueue) {
    self.queue = queue
  }

  var observersIfAny: ObserverList<Observation>? { list }
  func makeObservers() -> ObserverList<Observation> { list }

  /// Nil: it has no properties.
  var trackedIfAny: TrackedProperties? { nil }
  /// No event of a page.
  var addedNotice: Notice { Notice(source: self, event: .list(self)) }

  func notice(of event: PageEvent) -> Notice { Notice(source: self, event: .list(event)) }
}
