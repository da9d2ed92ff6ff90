extension Paginator: ObservedList {
  typealias Event = PaginatorEvent

  var queue: EventQueue { store.queue }
  var addedNotice: Notice { notice(of: .observerAdded) }

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
    _ observer: some PaginatorObserver<Item>, owner: AnyObject? = nil
  ) -> Self {
    add(observer, owner: owner) { $0.paginatorChanged($1.subject(), event: $1.listEvent()) }
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
    _ body: @escaping (_ paginator: Paginator, _ event: PaginatorEvent) -> Void
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
    _ body: @escaping (_ paginator: Paginator, _ event: PaginatorEvent) -> Void
  ) -> ObservationToken {
    add { body($0.subject(), $0.listEvent()) }
  }

  /// Removes an observer; it receives nothing more, not even an event that is being delivered.
  public func removeObserver(_ observer: some PaginatorObserver<Item>) {
    remove(observer)
  }

  /// Removes all observations of this paginator that the owner has.
  public func removeObservers(ownedBy owner: AnyObject) {
    remove(ownedBy: owner)
  }

  /// Adds a closure that is called with the items of every page that becomes the current one, until its
  /// owner is deallocated or the returned token is cancelled.
  ///
  /// Releasing the token does not end the observation.
  ///
  /// - Parameters:
  ///   - owner: held weakly.
  ///   - body: receives the paginator, the items of the page and its number.
  @discardableResult
  public func onSuccess(
    owner: AnyObject,
    _ body: @escaping (_ paginator: Paginator, _ items: [Item], _ page: Int) -> Void
  ) -> ObservationToken {
    addObserver(owner: owner) { paginator, event in
      guard case .loaded(let page) = event else { return }
      // By its number: another page may have become the current one since.
      body(paginator, paginator.slots.items(ofPage: page) ?? [], page)
    }
  }

  /// Adds a closure that is called with every failure of a page that was requested, until its owner
  /// is deallocated or the returned token is cancelled.
  ///
  /// The owner is held weakly. Releasing the token does not end the observation.
  @discardableResult
  public func onFailure(
    owner: AnyObject,
    _ body: @escaping (_ paginator: Paginator, _ error: ResourceError) -> Void
  ) -> ObservationToken {
    addObserver(owner: owner) { paginator, event in
      if case .failed(let error, _) = event { body(paginator, error) }
    }
  }
}

// MARK: - Asynchronous sequence

extension Paginator {
  /// ``slots`` now, and after each change, as an asynchronous sequence.
  ///
  /// Each access makes another sequence, which observes from then on. A consumer that is slower than the
  /// changes reads only the newest. Iterating loads nothing. A page that becomes the current one produces
  /// no element if the slots have it already: ``PaginatorEvent/loaded(page:)`` reports that.
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
