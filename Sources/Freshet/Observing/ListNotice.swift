/// An event of a list for its observers, whatever the type of its items.
///
/// So the list of observers is written, and compiled, once; see ``AnyEntity``.
struct ListNotice {
  /// The collection or paginator.
  private let subject: AnyObject
  /// A ``ContentBox`` of the event.
  private let box: AnyObject

  init<Event: Sendable>(_ list: AnyObject, _ event: Event) {
    subject = list
    box = ContentBox(event)
  }

  /// The list. That it is of that type is up to the list, as for the event.
  @inline(__always)
  func list<List: AnyObject>(_ type: List.Type = List.self) -> List {
    unsafeDowncast(subject, to: List.self)
  }

  /// The event. That it is of that type is up to the list, whose observers are made for it.
  func event<Event: Sendable>(_ type: Event.Type = Event.self) -> Event {
    unsafeDowncast(box, to: ContentBox<Event>.self).value
  }
}

/// An observer of a list that is an object, and owns itself.
final class ListObservation: Observation<ListNotice> {
  private weak var observer: AnyObject?
  private let object: ObjectIdentifier
  private let body: (_ observer: AnyObject, _ notice: ListNotice) -> Void

  /// - Parameter body: notifies the observer.
  init<Observer: AnyObject>(
    _ observer: Observer, _ body: @escaping (_ observer: Observer, _ notice: ListNotice) -> Void
  ) {
    self.observer = observer
    object = ObjectIdentifier(observer)
    self.body = { body(unsafeDowncast($0, to: Observer.self), $1) }
    super.init(owner: nil)
  }

  override func identity() -> ObjectIdentifier? { object }
  override func isAlive() -> Bool { observer != nil }

  override func tell(_ notice: ListNotice) -> Bool {
    guard let observer else { return false }
    body(observer, notice)
    return true
  }

  override func isOwned(by owner: AnyObject) -> Bool {
    owner === observer
  }

  override func removeOwner(_ owner: AnyObject) -> Bool {
    owner !== observer && isAlive()
  }
}

/// A list: something whose observers receive list notices.
protocol ObservedList: Observed where Notice == ListNotice, Element == Observation<ListNotice> {}

extension ObservedList {
  /// Adds an object that observes for as long as it lives; the same object once.
  ///
  /// - Parameter body: notifies the observer. It is compiled where the types of list and event are
  ///   known, so that delivering an event looks up neither.
  func add<Observer: AnyObject>(
    _ observer: Observer, _ body: @escaping (_ observer: Observer, _ notice: ListNotice) -> Void
  ) {
    let known = observers.serial(of: ObjectIdentifier(observer))
    if let known, observers.isAlive(known) { return }
    begin(ListObservation(observer, body), replacing: known)
  }

  /// Removes an object that observes.
  func remove(_ observer: AnyObject) {
    if let known = observers.serial(of: ObjectIdentifier(observer)) { end(known) }
  }
}
