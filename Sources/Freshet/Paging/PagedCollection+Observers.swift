/// What the observers of paged collections are told.
struct PagedCollectionNotice<Item: Sendable> {
  let collection: PagedCollection<Item>
  let event: PagedCollectionEvent<Item>
}

extension PagedCollection: Observed {
  var queue: EventQueue { firstPage.store.queue }
  var addedNotice: PagedCollectionNotice<Item> {
    PagedCollectionNotice(collection: self, event: .observerAdded)
  }

  func willActivate() {
    deliverChanges()
  }

  func emit(_ event: PagedCollectionEvent<Item>) {
    guard !observers.isEmpty else { return }
    queue.post { [self] in
      // Those before: the items at this event are what the splices told until then make of them.
      deliverChanges()
      deliver(PagedCollectionNotice(collection: self, event: event))
    }
  }

  /// Tells the observers of these splices, together with all that come before the delivery: so
  /// ``items`` is at the event what the splices make of it.
  func emit(_ splices: SpliceLog<Item>) {
    // Who is added before a refresh is published has yet to hear of all that it changes.
    guard !observers.isEmpty || published != nil else {
      return deliveredFirstItemIndex = chain.slots.firstItemIndex
    }
    guard !splices.isEmpty else { return }
    undelivered.append(splices)
    queue.post { [self] in deliverChanges() }
  }

  func deliverChanges() {
    // What a refresh changes may have to wait until it is complete.
    guard !undelivered.isEmpty, published == nil else { return }
    var splices = undelivered
    undelivered = SpliceLog()
    // Where the numbers of items change, equal ones with other numbers are a change too.
    let isRenumbered = deliveredFirstItemIndex != chain.slots.firstItemIndex
    if splices.count > 1 {
      let composition = SpliceComposition(splices.inOrder)
      splices = SpliceLog(composition.splices(areEqual: isRenumbered ? nil : chain.areEqual))
      guard !splices.isEmpty || isRenumbered else { return }
    }
    deliveredFirstItemIndex = chain.slots.firstItemIndex
    let change = PagedChange(splices.inOrder, firstItemIndex: chain.slots.firstItemIndex)
    deliver(PagedCollectionNotice(collection: self, event: .itemsChanged(change)))
  }

  /// Adds an observer, which is told `.observerAdded` and then every later event, for as long as it
  /// lives. The same object is added once.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public func addObserver(_ observer: some PagedCollectionObserver<Item>) -> Self {
    let known = observers.serial(of: ObjectIdentifier(observer))
    if let known, observers.isAlive(known) { return self }
    begin(PagedCollectionObservation(observer: observer), replacing: known)
    return self
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner has gone or the token is told to stop. The owner is held weakly, the closure strongly.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject,
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    begin(owner: owner) { body($0.collection, $0.event) }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public func observe(
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    begin { body($0.collection, $0.event) }
  }

  /// Takes an observer off; it hears nothing more, not even of an event that is just being delivered.
  public func removeObserver(_ observer: some PagedCollectionObserver<Item>) {
    if let known = observers.serial(of: ObjectIdentifier(observer)) { end(known) }
  }

  /// Takes off everything that the owner owns here.
  public func removeObservers(ownedBy owner: AnyObject) {
    endObservations(ownedBy: owner)
  }
}

/// An observer that is an object, and owns itself.
private final class PagedCollectionObservation<Item: Sendable>:
  Observation<PagedCollectionNotice<Item>>
{
  private weak var observer: (any PagedCollectionObserver<Item>)?
  private let object: ObjectIdentifier

  init(observer: any PagedCollectionObserver<Item>) {
    self.observer = observer
    object = ObjectIdentifier(observer)
    super.init(owner: nil)
  }

  override func identity() -> ObjectIdentifier? { object }
  override func isAlive() -> Bool { observer != nil }

  override func tell(_ notice: PagedCollectionNotice<Item>) -> Bool {
    guard let observer else { return false }
    observer.collectionChanged(notice.collection, event: notice.event)
    return true
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    owner === observer
  }
}
