/// The one event queue of a store: it puts all events into one causal order.
///
/// An event that is posted while another is being delivered waits behind it; otherwise it is
/// delivered before `post` returns. So delivery never nests, however long a chain of reactions is,
/// and every observer hears the same order.
final class EventQueue {
  /// What waits to be delivered.
  private enum Delivery {
    case nothing
    // As values, because these are many.
    case event(ResourceEvent, of: AnyResource)
    case observerAdded(ObserverList<ResourceListener>.Serial, to: AnyResource)
    case call(() -> Void)
    // Nobody is notified of it; it is released in its turn.
    case held(AnyObject)
  }

  private var isDelivering = false
  /// Whether anything waits: true from the first that is put into `waiting` until it has been emptied.
  /// A flag, because every delivery asks at its end, and to ask the array takes measurably longer.
  private var hasWaiting = false
  private var waiting: [Delivery] = []
  private var head = 0

  /// Whether everything that was posted has been delivered.
  var isIdle: Bool { !isDelivering }

  /// Delivers an event now, or behind those that are waiting.
  ///
  /// - Parameter deliver: tells the observers.
  /// - Complexity: O(1) beside the delivery.
  func post(_ deliver: @escaping () -> Void) {
    guard !isDelivering else { return append(.call(deliver)) }
    isDelivering = true
    deliver()
    finish()
  }

  /// Delivers an event of a resource now, or behind those that are waiting.
  func post(_ event: ResourceEvent, of resource: AnyResource) {
    guard !isDelivering else { return append(.event(event, of: resource)) }
    isDelivering = true
    resource.deliver(ResourceNotice(resource: resource, event: event))
    finish()
  }

  /// Lets an observer hear that it was added to a resource, now or behind what is waiting.
  func post(observer: ObserverList<ResourceListener>.Serial, addedTo resource: AnyResource) {
    guard !isDelivering else { return append(.observerAdded(observer, to: resource)) }
    isDelivering = true
    resource.activate(observer)
    finish()
  }

  /// Holds an object until what was posted before has been delivered: its end may run code of the program,
  /// and what that sets off comes after those events.
  ///
  /// To be called when they have been posted; outside a delivery they are delivered by then.
  func hold(_ object: AnyObject) {
    if isDelivering { append(.held(object)) }
  }

  /// Runs a change that posts several events, and delivers them behind its end.
  ///
  /// So no observer hears of a change that is half done, and what it does about the first event comes
  /// behind the last one.
  func together<Result>(_ change: () -> Result) -> Result {
    guard !isDelivering else { return change() }
    isDelivering = true
    defer { finish() }
    return change()
  }

  private func append(_ delivery: Delivery) {
    waiting.append(delivery)
    hasWaiting = true
  }

  private func finish() {
    // Most deliveries set off nothing.
    if hasWaiting { drain() }
    isDelivering = false
  }

  private func drain() {
    while head < waiting.count {
      let next = waiting[head]
      waiting[head] = .nothing
      head += 1
      switch next {
      case .nothing, .held: break
      case .event(let event, let resource):
        resource.deliver(ResourceNotice(resource: resource, event: event))
      case .observerAdded(let observer, let resource): resource.activate(observer)
      case .call(let deliver): deliver()
      }
      // Keeps the memory of a very long chain of reactions in proportion to what waits.
      if head >= 1024, head * 2 >= waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
    }
    waiting.removeAll(keepingCapacity: waiting.capacity <= 1024)
    head = 0
    hasWaiting = false
  }
}
