/// What the observers of a list are told, whatever the type of its items.
///
/// So the list of observers is written, and compiled, once; see ``AnyEntity``.
struct ListNotice {
  /// The collection or paginator.
  let list: AnyObject
  /// A ``ContentBox`` of the event.
  private let box: AnyObject

  init<Event: Sendable>(_ list: AnyObject, _ event: Event) {
    self.list = list
    box = ContentBox(event)
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

  /// - Parameter body: tells the observer.
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
