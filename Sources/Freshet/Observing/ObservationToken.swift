/// The handle of one observation by a closure.
///
/// Not `Sendable`: it belongs to the actor of the store, like everything that it came from. It may be
/// dropped anywhere.
public final class ObservationToken {
  var stop: (() -> Void)?

  init(stop: (() -> Void)? = nil) {
    self.stop = stop
  }

  /// Ends the observation; the closure is not called any more. A second call does nothing.
  public func remove() {
    stop.take()?()
  }
}
