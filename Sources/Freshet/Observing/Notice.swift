/// An event on its way to the observers of its source.
///
/// One type for all subjects, so that the queue and the observers are written, and compiled, once;
/// see ``AnyEntity``. A subject makes its notices, and only its own observers receive them, so both
/// know the types.
struct Notice {
  /// An event of any source.
  enum Event {
    /// An event of a resource.
    case resource(ResourceEvent)
    /// `.notModified` of a resource whose content was derived again from the header fields.
    case derived
    /// An event of a list, or of one of its pages, as an object: a ``ContentBox`` of that of a list.
    case list(AnyObject)
  }

  /// The source of the event.
  let source: any EventSource
  let event: Event

  /// Notifies the observers of its source.
  func deliver() { source.deliver(self) }

  /// The source of the event, with its own type.
  func subject<Subject: AnyObject>(_ type: Subject.Type = Subject.self) -> Subject {
    unsafeDowncast(source, to: Subject.self)
  }

  /// The event of a list, with its own type.
  func listEvent<ListEvent: Sendable>(_ type: ListEvent.Type = ListEvent.self) -> ListEvent {
    guard case .list(let box) = event else {
      preconditionFailure("Notice.listEvent: \(event) is of a resource")
    }
    return unsafeDowncast(box, to: ContentBox<ListEvent>.self).value
  }
}
