/// The one event queue of a store: it puts all events into one causal order.
///
/// An event that is posted during the delivery of another one waits until that has ended; otherwise
/// it is delivered before `post` returns. So delivery never nests, however long a chain of
/// reactions is, and every observer receives the same order.
final class EventQueue {
  /// A delivery that waits for its turn.
  private enum Delivery {
    case nothing
    case event(Notice)
    case observerAdded(ObserverSerial, to: any EventSource)
    case call(() -> Void)
    case work(any PostedWork)
    // No observer is notified of it; it is released in its turn.
    case held(AnyObject)
  }

  private var isDelivering = false
  /// The deliveries that wait, in order, after `head` others.
  ///
  /// Taken out to be changed: a property that is changed by calls is checked for exclusive access also each
  /// time that it is read, which took 15 % of an event to one observer.
  private var waiting: [Delivery] = []
  private var head = 0

  /// Whether everything that was posted has been delivered.
  var isIdle: Bool { !isDelivering }

  // What is posted is consumed, and not retained for the queue and released afterwards. With lists that post themselves
  // and no closure, that saved 3 % of a cold page and 2 % of one that is confirmed.

  /// Calls a closure now, or after the waiting deliveries: a hook, or what follows from an event.
  ///
  /// - Complexity: O(1) plus the call.
  func post(_ call: consuming @escaping () -> Void) {
    guard deliversHere else { return append(.call(consume call)) }
    isDelivering = true
    call()
    finish()
  }

  /// Like ``post(_:)``, but a call that is made at once keeps ``TokenFetch/current``: what the program asks for in the
  /// fetch of a token is a part of that fetch.
  ///
  /// - Complexity: O(1) plus the call.
  func perform(_ call: consuming @escaping () -> Void) {
    guard !isDelivering else { return append(.call(consume call)) }
    isDelivering = true
    call()
    finishCall()
  }

  /// Performs work now, or after the waiting deliveries.
  func post(_ work: consuming any PostedWork) {
    guard deliversHere else { return append(.work(consume work)) }
    isDelivering = true
    work.performPosted()
    finish()
  }

  /// Delivers an event now, or after the waiting deliveries. Only ``Observed/emit(_:)`` calls it.
  func post(_ notice: consuming Notice) {
    guard deliversHere else { return append(.event(consume notice)) }
    isDelivering = true
    notice.deliver()
    finish()
  }

  /// Notifies an observer that it was added, now or after the waiting deliveries.
  func post(added observer: ObserverSerial, to source: consuming any EventSource) {
    guard deliversHere else { return append(.observerAdded(observer, to: consume source)) }
    isDelivering = true
    source.activate(observer)
    finish()
  }

  /// Holds an object until all earlier events have been delivered: deallocating it may run code of
  /// the program, whose effects must come after those events.
  ///
  /// Call it after those events were posted; outside a delivery they have been delivered by then.
  func hold(_ object: consuming AnyObject) {
    if isDelivering { append(.held(consume object)) }
  }

  /// Performs a change that posts several events, and delivers them after its end.
  ///
  /// So no observer is notified in the middle of a change, and reactions to the first event come
  /// after the last one.
  func together<Result>(_ change: () -> Result) -> Result {
    guard !isDelivering else { return change() }
    isDelivering = true
    defer { finishCall() }
    return change()
  }

  /// Whether a delivery begins in this call: not within another one, nor in a fetch of a token. What observers and
  /// hooks begin is not part of that.
  private var deliversHere: Bool { !isDelivering && TokenFetch.current.isEmpty }

  /// Delivers what a delivery has caused.
  private func finish() {
    // Most deliveries cause no others. Asking first saves 15 % of an event to one observer.
    if !waiting.isEmpty { drain() }
    isDelivering = false
  }

  /// Delivers what a call outside of a delivery has posted; the call may be part of a token fetch.
  private func finishCall() {
    if !waiting.isEmpty, !TokenFetch.current.isEmpty {
      TokenFetch.$current.withValue([]) { drain() }
    }
    finish()
  }

  private func append(_ delivery: consuming Delivery) {
    var all = waiting.take()
    all.append(delivery)
    waiting = all
    guard !isDelivering else { return }
    isDelivering = true
    finishCall()
  }

  private func popFirst() -> Delivery {
    var all = waiting.take()
    var next = Delivery.nothing
    swap(&next, &all[head])
    head += 1
    // Keeps the memory of a very long chain of reactions in proportion to the waiting deliveries.
    if head >= 1024, head * 2 >= all.count {
      all.removeFirst(head)
      head = 0
    }
    waiting = all
    return next
  }

  private func drain() {
    while head < waiting.count {
      switch popFirst() {
      case .nothing, .held: break
      case .event(let notice): notice.deliver()
      case .observerAdded(let observer, let source): source.activate(observer)
      case .call(let call): call()
      case .work(let work): work.performPosted()
      }
    }
    var empty = waiting.take()
    empty.removeAll(keepingCapacity: empty.capacity <= 1024)
    waiting = empty
    head = 0
  }
}

extension EventQueue {
  /// Stops the program if an invariant does not hold. For tests; O(*d*) in the deliveries that wait.
  func checkInvariants() {
    precondition(isDelivering || waiting.isEmpty && head == 0, "something waits for nothing")
    precondition(0...waiting.count ~= head && head < max(1024, waiting.count), "\(head)")
    for delivery in waiting[..<head] {
      guard case .nothing = delivery else { preconditionFailure("a delivery is held after it") }
    }
  }
}

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

  // Inlined, with the next one, where the types are known: a call looks them up. Saves 4 % of a change.

  /// The source of the event, with its own type.
  @inline(__always)
  func subject<Subject: AnyObject>(_ type: Subject.Type = Subject.self) -> Subject {
    unsafeDowncast(source, to: Subject.self)
  }

  /// The event of a list, with its own type.
  @inline(__always)
  func listEvent<ListEvent: Sendable>(_ type: ListEvent.Type = ListEvent.self) -> ListEvent {
    guard case .list(let box) = event else {
      preconditionFailure("Notice.listEvent: \(event) is of a resource")
    }
    return unsafeDowncast(box, to: ContentBox<ListEvent>.self).value
  }
}

/// Emits events through the queue, and notifies its observers of them in their turn.
protocol EventSource: AnyObject {
  /// Notifies the observers of an event that it has emitted.
  func deliver(_ notice: Notice)
  /// Notifies a new observer that it was added.
  func activate(_ observer: ObserverSerial)
}

/// Work after the events of its change, which is posted without a closure.
protocol PostedWork: AnyObject {
  /// Does the work, once the events that were posted before it have been delivered.
  func performPosted()
}

extension EventQueue: SecretHolding {}
