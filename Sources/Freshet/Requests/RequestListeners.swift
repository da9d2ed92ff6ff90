/// The hooks of a request, and who waits for its end: a value, so that the end of the request takes all of
/// it out at once.
struct RequestListeners {
  var ends: [(LoadOutcome) -> Void] = []
  var progress: [(Double) -> Void] = []
  var waits: [(RequestWait?) -> Void] = []
  var waiters = Waiters()

  /// Whether there is nothing that has to be notified, now or later.
  var isEmpty: Bool { ends.isEmpty && waits.isEmpty && progress.isEmpty && waiters.isEmpty }

  /// Notifies of the end: first the hooks, then who waits.
  mutating func end(_ ending: LoadOutcome) {
    for hook in ends { hook(ending) }
    waiters.resume()
  }
}
