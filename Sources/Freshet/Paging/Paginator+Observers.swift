/// What the observers of paginators are told.
struct PaginatorNotice<Item: Sendable> {
  let paginator: Paginator<Item>
  let event: PaginatorEvent
}

extension Paginator: Observed {
  var queue: EventQueue { store.queue }
  var addedNotice: PaginatorNotice<Item> {
    PaginatorNotice(paginator: self, event: .observerAdded)
  }

  func emit(_ event: PaginatorEvent) {
    guard !observers.isEmpty else { return }
    emit(PaginatorNotice(paginator: self, event: event))
  }

  /// Adds an observer, which is told `.observerAdded` and then every later event, for as long as it
  /// lives. The same object is added once.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public func addObserver(_ observer: some PaginatorObserver<Item>) -> Self {
    let known = observers.serial(of: ObjectIdentifier(observer))
    if let known, observers.isAlive(known) { return self }
    begin(PaginatorObservation(observer: observer), replacing: known)
    return self
  }

  /// Adds a closure that is called with `.observerAdded` and then with every later event, until its
  /// owner has gone or the token is told to stop. The owner is held weakly, the closure strongly.
  ///
  /// - Complexity: amortised O(1).
  @discardableResult
  public func addObserver(
    owner: AnyObject,
    _ body: @escaping (_ paginator: Paginator, _ event: PaginatorEvent) -> Void
  ) -> ObservationToken {
    begin(owner: owner) { body($0.paginator, $0.event) }
  }

  /// Adds a closure that observes for as long as the returned token lives.
  public func observe(
    _ body: @escaping (_ paginator: Paginator, _ event: PaginatorEvent) -> Void
  ) -> ObservationToken {
    begin { body($0.paginator, $0.event) }
  }

  /// Takes an observer off; it hears nothing more, not even of an event that is just being delivered.
  public func removeObserver(_ observer: some PaginatorObserver<Item>) {
    if let known = observers.serial(of: ObjectIdentifier(observer)) { end(known) }
  }

  /// Takes off everything that the owner owns here.
  public func removeObservers(ownedBy owner: AnyObject) {
    endObservations(ownedBy: owner)
  }

  /// Adds a closure that is called with the items of every page that becomes the current one, until its
  /// owner has gone or the token is told to stop.
  ///
  /// - Parameters:
  ///   - owner: held weakly.
  ///   - body: gets the items of the page and its number.
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

  /// Adds a closure that is called with every failure of a page that was asked for, until its owner has
  /// gone or the token is told to stop.
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

/// An observer that is an object, and owns itself.
private final class PaginatorObservation<Item: Sendable>: Observation<PaginatorNotice<Item>> {
  private weak var observer: (any PaginatorObserver<Item>)?
  private let object: ObjectIdentifier

  init(observer: any PaginatorObserver<Item>) {
    self.observer = observer
    object = ObjectIdentifier(observer)
    super.init(owner: nil)
  }

  override func identity() -> ObjectIdentifier? { object }
  override func isAlive() -> Bool { observer != nil }

  override func tell(_ notice: PaginatorNotice<Item>) -> Bool {
    guard let observer else { return false }
    observer.paginatorChanged(notice.paginator, event: notice.event)
    return true
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    owner === observer
  }
}
