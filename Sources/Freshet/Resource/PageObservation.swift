/// A list, which observes the resources of its pages.
protocol PageObserver: AnyObject {
  /// Called after each event of a page but `.observerAdded`; the page is already in the new state.
  func pageChanged(_ page: AnyResource, event: ResourceEvent)
}

/// The observation of all pages of a list.
///
/// An object of its own, because a list that was a ``ResourceObserver`` itself would be one publicly.
final class PageObservation: Observation {
  private weak var list: (any PageObserver)?

  init(of list: any PageObserver) {
    self.list = list
    super.init(owner: nil)
  }

  override var identity: ObjectIdentifier? { ObjectIdentifier(self) }
  override var isAlive: Bool { list != nil }

  override func notify(_ notice: Notice) -> Bool {
    // A list begins to observe a page where it knows its state.
    if case .resource(.observerAdded) = notice.event { return true }
    guard let list else { return false }
    list.pageChanged(notice.subject(), event: notice.resourceEvent)
    return true
  }
}

extension AnyResource {
  /// Lets a list observe this page of it; the same list once.
  final func addObserver(_ list: PageObservation) {
    guard observersIfAny?.serial(of: ObjectIdentifier(list)) == nil else { return }
    add(ResourceListener(list))
  }

  /// Ends the observation by a list.
  final func removeObserver(_ list: PageObservation) { remove(list) }
}
