/// The hooks and waiters of a request: a value, so that the end of the request takes all of them at
/// once.
struct RequestListeners {
  var ends: [(LoadOutcome) -> Void] = []
  var progress: [(Double) -> Void] = []
  var waits: [(RequestWait?) -> Void] = []
  var waiters = Waiters()

  /// Whether there is nothing to notify, now or later.
  var isEmpty: Bool { ends.isEmpty && waits.isEmpty && progress.isEmpty && waiters.isEmpty }

  /// Whether anything waits for the end or for progress; a wait before an attempt only informs.
  var isAwaited: Bool { !ends.isEmpty || !progress.isEmpty || !waiters.isEmpty }

  /// Notifies of the end: first the hooks, then the waiters.
  mutating func end(_ ending: LoadOutcome) {
    for hook in ends { hook(ending) }
    waiters.resume()
  }
}
