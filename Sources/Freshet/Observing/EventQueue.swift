/// What emits events through the queue, and notifies its observers of them in their turn.
protocol EventSource: AnyObject {
  /// Notifies the observers of an event that it has emitted.
  func deliver(_ notice: Notice)
  /// Notifies a new observer that it was added.
  func activate(_ observer: ObserverSerial)
}

/// What has work to do after the events of its change, which is posted without a closure.
protocol PostedWork: AnyObject {
  /// Does the work, once the events that were posted before it have been delivered.
  func performPosted()
}

/// The one event queue of a store: it puts all events into one causal order.
///
/// An event that is posted while another is being delivered waits until that has been; otherwise it is
/// delivered before `post` returns. So delivery never nests, however long a chain of reactions is,
/// and every observer receives the same order.
final class EventQueue {
  /// What waits to be delivered.
  private enum Delivery {
    case nothing
    // As values, because these are many.
    case event(Notice)
    case observerAdded(ObserverSerial, to: any EventSource)
    case call(() -> Void)
    case work(any PostedWork)
    // Nobody is notified of it; it is released in its turn.
    case held(AnyObject)
  }

  private var isDelivering = false
  private var waiting: [Delivery] = []
  private var head = 0

  /// Whether everything that was posted has been delivered.
  var isIdle: Bool { !isDelivering }

  /// Calls a closure now, or after what is waiting.
  ///
  /// - Complexity: O(1) beside the call.
  func post(_ call: @escaping () -> Void) {
    guard !isDelivering else { return waiting.append(.call(call)) }
    isDelivering = true
    call()
    finish()
  }

  /// Does work now, or after what is waiting.
  func post(_ work: any PostedWork) {
    guard !isDelivering else { return waiting.append(.work(work)) }
    isDelivering = true
    work.performPosted()
    finish()
  }

  /// Delivers an event now, or after what is waiting. To be called by ``Observed/emit(_:)``.
  func post(_ notice: Notice) {
    guard !isDelivering else { return waiting.append(.event(notice)) }
    isDelivering = true
    notice.source.deliver(notice)
    finish()
  }

  /// Notifies an observer that it was added, now or after what is waiting.
  func post(added observer: ObserverSerial, to source: any EventSource) {
    guard !isDelivering else { return waiting.append(.observerAdded(observer, to: source)) }
    isDelivering = true
    source.activate(observer)
    finish()
  }

  /// Holds an object until what was posted before has been delivered: its end may run code of the program,
  /// and what that sets off comes after those events.
  ///
  /// To be called when they have been posted; outside a delivery they are delivered by then.
  func hold(_ object: AnyObject) {
    if isDelivering { waiting.append(.held(object)) }
  }

  /// Runs a change that posts several events, and delivers them after its end.
  ///
  /// So no observer is notified of a change that is half done, and what it does about the first event
  /// comes after the last one.
  func together<Result>(_ change: () -> Result) -> Result {
    guard !isDelivering else { return change() }
    isDelivering = true
    defer { finish() }
    return change()
  }

  private func finish() {
    // Most deliveries set off nothing.
    if !waiting.isEmpty { drain() }
    isDelivering = false
  }

  private func drain() {
    while head < waiting.count {
      var next = Delivery.nothing
      swap(&next, &waiting[head])
      head += 1
      switch next {
      case .nothing, .held: break
      case .event(let notice): notice.source.deliver(notice)
      case .observerAdded(let observer, let source): source.activate(observer)
      case .call(let call): call()
      case .work(let work): work.performPosted()
      }
      // Keeps the memory of a very long chain of reactions in proportion to what waits.
      if head >= 1024, head * 2 >= waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
    }
    waiting.removeAll(keepingCapacity: waiting.capacity <= 1024)
    head = 0
  }
}
