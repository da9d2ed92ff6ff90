extension PagedCollection: ObservedList {
  var queue: EventQueue { firstPage.store.queue }
  var addedNotice: ListNotice { notice(of: .observerAdded) }

  private func notice(of event: PagedCollectionEvent<Item>) -> ListNotice {
    ListNotice(self, event)
  }

  /// Tells the observers. Not through ``Observed``, whose code is compiled here for lists of any kind and
  /// looks up at run time which one it is: the many events of a walk would pay for that.
  private func tell(_ event: PagedCollectionEvent<Item>) {
    observers.deliver(notice(of: event)) { end($0) }
  }

  func willActivate() {
    deliverChanges()
  }

  func emit(_ event: PagedCollectionEvent<Item>) {
    guard !observers.isEmpty else { return }
    queue.post { [self] in
      // Those before: the items at this event are what the splices told until then make of them.
      deliverChanges()
      tell(event)
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
    tell(.itemsChanged(change))
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
