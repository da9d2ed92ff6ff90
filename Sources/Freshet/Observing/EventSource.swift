/// Emits events through the queue, and notifies its observers of them in their turn.
protocol EventSource: AnyObject {
  /// Notifies the observers of an event that it has emitted.
  func deliver(_ notice: Notice)
  /// Notifies a new observer that it was added.
  func activate(_ observer: ObserverSerial)
}
