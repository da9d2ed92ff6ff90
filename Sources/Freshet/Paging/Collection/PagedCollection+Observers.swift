extension PagedCollection: ObservedList {
  var queue: EventQueue { firstPage.store.queue }
  var addedNotice: ListNotice { notice(of: .observerAdded) }

  private func notice(of event: PagedCollectionEvent<Item>) -> ListNotice {
    ListNotice(self, event)
  }

  /// Notifies the observers. Not through ``Observed``, whose code is compiled here for lists of any kind and
  /// looks up at run time which one it is: the many events of a walk would pay for that.
  private func notify(_ event: PagedCollectionEvent<Item>) {
    observers.deliver(notice(of: event)) { end($0) }
  }

  func willActivate() {
    deliverChanges()
  }

  func emit(_ event: PagedCollectionEvent<Item>) {
    guard !observers.isEmpty else { return }
    queue.post { [self] in
      // Those before: the items at this event are what the splices delivered until then make of them.
      deliverChanges()
      notify(event)
    }
  }

  /// Notifies the observers of the changes of the items, together with all that come before the
  /// delivery: so ``items`` is at the event what the splices make of it.
  func postChanges() {
    // Who is added before a refresh is published has yet to receive all that it changes.
    guard !observers.isEmpty || list.published != nil else {
      deliveredFirstItemIndex = firstItemIndex
      let splices = takeSplices()
      return withExtendedLifetime(splices) {}
    }
    queue.post { [self] in deliverChanges() }
  }

  /// The splices that observers have yet to be notified of.
  private func takeSplices() -> SpliceLog<Item> {
    published == nil ? merged.takeSplices() : published?.takeSplices() ?? SpliceLog()
  }

  func deliverChanges() {
    var splices = takeSplices()
    let firstItemIndex = firstItemIndex
    // Where the numbers of items change, equal ones with other numbers are a change too.
    let isRenumbered = deliveredFirstItemIndex != firstItemIndex
    guard !splices.isEmpty || isRenumbered else { return }
    if splices.count > 1 {
      let composition = SpliceComposition(splices.inOrder)
      let areEqual = isRenumbered ? nil : traits.areEqual
      splices = SpliceLog(composition.splices(areEqual: areEqual))
      guard !splices.isEmpty || isRenumbered else { return }
    }
    deliveredFirstItemIndex = firstItemIndex
    notify(.itemsChanged(PagedChange(splices.inOrder, firstItemIndex: firstItemIndex)))
  }

  /// Notifies the observers that pages were invalidated: once, however many there are.
  func postInvalidation() {
    guard !isInvalidationPosted else { return }
    isInvalidationPosted = true
    queue.post { [self] in
      isInvalidationPosted = false
      deliverChanges()
      notify(.invalidated)
      if options.reloadsWhenInvalidated, list.isStarted, observers.hasLiving { loadIfNeeded() }
    }
  }

  /// Adds an observer, which receives `.observerAdded` and then every later event, for as long as it
  /// lives. The same object is added once.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addObserver(_ observer: some PagedCollectionObserver<Item>) -> Self {
    add(observer) { $0.collectionChanged($1.list(), event: $1.event()) }
    return self
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner is deallocated or the token is removed. The owner is held weakly, the closure strongly.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject,
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    begin(owner: owner) { body($0.list(), $0.event()) }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public func observe(
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    tokenOwned { addObserver(owner: $0, body) }
  }

  /// Removes an observer; it receives nothing more, not even an event that is just being delivered.
  public func removeObserver(_ observer: some PagedCollectionObserver<Item>) {
    remove(observer)
  }

  /// Removes everything that the owner owns here.
  public func removeObservers(ownedBy owner: AnyObject) {
    endObservations(ownedBy: owner)
  }
}
