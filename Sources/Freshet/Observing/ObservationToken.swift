/// The handle of one observation by a closure.
///
/// Not `Sendable`: it belongs to the actor of the store, like everything that it came from. It may be
/// dropped anywhere; a closure that it owns is released with it, on the same thread.
public final class ObservationToken {
  private var stop: (() -> Void)?
  /// The closure that this token owns: held here and not in the list, so that one which captures what it
  /// observes does not keep that for ever.
  private var body: ((Notice) -> Void)?

  init(stop: @escaping () -> Void) {
    self.stop = stop
  }

  /// Makes a token that owns a closure.
  ///
  /// - Parameter add: adds an observer whose owner is the token.
  init(
    owning body: @escaping (Notice) -> Void,
    _ add: (_ owner: ObservationToken, _ body: @escaping (Notice) -> Void) -> ObservationToken
  ) {
    self.body = body
    stop = add(self) { [weak self] in self?.body?($0) }.stop
  }

  /// Ends the observation; the closure is not called any more. A second call does nothing.
  public func remove() {
    stop.take()?()
    _ = body.take()
  }
}
