extension PagedCollection: ObservedList {
  typealias Event = PagedCollectionEvent<Item>

  var queue: EventQueue { firstPage.store.queue }
  var addedNotice: Notice { notice(of: .observerAdded) }

  /// Makes the items at an event those that the splices delivered until then lead to.
  func willNotify() {
    deliverChanges()
  }

  /// Adds an observer, which receives `.observerAdded` and then every later event.
  ///
  /// Without an owner, the observer is held weakly and observes until it is deallocated. With an
  /// owner, it is held strongly until the owner is deallocated; each call adds one more owner, and
  /// the observer is removed with the last. The same object is added once: a further call only adds
  /// an owner, and the object does not receive `.observerAdded` again.
  ///
  /// - Complexity: amortized O(1); O(*w*) for an observer that has *w* owners.
  @discardableResult
  public func addObserver(
    _ observer: some PagedCollectionObserver<Item>, owner: AnyObject? = nil
  ) -> Self {
    add(observer, owner: owner) { $0.collectionChanged($1.subject(), event: $1.listEvent()) }
    return self
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner is deallocated or the returned token is cancelled.
  ///
  /// The owner is held weakly, the closure strongly. Releasing the token does not end the
  /// observation.
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject,
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    add(owner: owner) { body($0.subject(), $0.listEvent()) }
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later
  /// event, for as long as the returned token is held.
  ///
  /// The observation ends when the token is released, and with ``ObservationToken/cancel()``. The
  /// token holds the closure.
  ///
  /// - Returns: the token, to be kept for as long as events are wanted.
  /// - Complexity: amortized O(1).
  public func observe(
    _ body: @escaping (_ collection: PagedCollection, _ event: PagedCollectionEvent<Item>) -> Void
  ) -> ObservationToken {
    add { body($0.subject(), $0.listEvent()) }
  }

  /// Adds a closure that is called with each change of ``items`` from now on, for as long as the returned token
  /// is held.
  ///
  /// ```swift
  /// observation = gists.observeChanges { [tableView] in tableView.apply($0) }
  /// ```
  ///
  /// The first change starts from the items at the time of the call, even if that is in an observer, while
  /// earlier changes are undelivered.
  ///
  /// - Returns: the token, to be kept for as long as changes are wanted.
  /// - Complexity: amortized O(1).
  public func observeChanges(
    _ body: @escaping (_ change: PagedChange<Item>) -> Void
  ) -> ObservationToken {
    var changes = ChangesFromNow(of: self)
    return observe { list, event in
      if let change = changes.next(list, event) { body(change) }
    }
  }

  /// Removes an observer; it receives nothing more, not even an event that is being delivered.
  public func removeObserver(_ observer: some PagedCollectionObserver<Item>) {
    remove(observer)
  }

  /// Removes all observations of this collection, and of its pages, that the owner has.
  public func removeObservers(ownedBy owner: AnyObject) {
    remove(ownedBy: owner)
    pageObserversIfAny?.remove(ownedBy: owner)
  }
}
