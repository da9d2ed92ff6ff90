/// An event on its way to the observers of what has emitted it.
///
/// Of one type for all subjects, so that the queue and the observers are written, and compiled, once; see
/// ``AnyEntity``. Who makes a notice and who receives it know the types: a subject's own observers only.
struct Notice {
  /// An event, whatever emits it.
  enum Event {
    /// An event of a resource: as a value, because these are many.
    case resource(ResourceEvent)
    /// An event of a list: a ``ContentBox`` of it.
    case list(AnyObject)
  }

  /// What has emitted the event.
  let source: any EventSource
  let event: Event

  /// What has emitted the event, as the type that it has.
  @inline(__always)
  func subject<Subject: AnyObject>(_ type: Subject.Type = Subject.self) -> Subject {
    unsafeDowncast(source, to: Subject.self)
  }

  /// The event of a list, as the type that it has.
  func listEvent<ListEvent: Sendable>(_ type: ListEvent.Type = ListEvent.self) -> ListEvent {
    guard case .list(let box) = event else {
      preconditionFailure("Notice.listEvent: \(event) is of a resource")
    }
    return unsafeDowncast(box, to: ContentBox<ListEvent>.self).value
  }
}
