/// An observer in a list, with its serial number and phase: 8 bytes in addition to the listener.
struct ObserverEntry<Element: Listener> {
  enum Phase: Int {
    /// The observer is listed and was not notified of that yet; it does not receive earlier events.
    case added
    /// The observer was notified that it was added, and receives every event.
    case active
    /// The observer was removed; it receives nothing more, not even events that were posted before.
    case removed
  }

  var listener: Element
  /// The serial number, and the phase in the last two bits.
  private var bits: Int

  init(_ listener: Element, serial: ObserverSerial) {
    self.listener = listener
    bits = serial << 2
  }

  // Mutating for the reason that ``Listener/observer()`` is.
  var isListed: Bool { mutating get { phase != .removed } }
  var isActive: Bool { mutating get { phase == .active } }
  var serial: ObserverSerial { mutating get { bits >> 2 } }
  var phase: Phase {
    get { Phase(rawValue: bits & 3) ?? .removed }
    set { bits = bits & ~3 | newValue.rawValue }
  }

  /// The observer, if it is listed.
  mutating func listedObserver() -> Element.Observer? {
    isListed ? listener.observer() : nil
  }

  /// The observer to notify of an event.
  mutating func activeObserver() -> Element.Observer? {
    isActive ? listener.observer() : nil
  }
}
