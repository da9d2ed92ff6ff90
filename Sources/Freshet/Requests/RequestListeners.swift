import Foundation

/// Who wants to hear of a request: a value, so that ending the request takes all of it at once.
struct RequestListeners {
  var ends = Hooks<LoadOutcome>()
  var progress = Hooks<Double>()
  var waits = Hooks<Date?>()
  var waiters = Waiters()

  /// Whether anybody wants to hear of the end.
  var waitsForEnd: Bool { !ends.isEmpty || !waiters.isEmpty }

  /// Tells those that want to hear of the end: first the hooks, then who waits.
  func end(_ ending: LoadOutcome, of request: AnyRequest) {
    var waiters = waiters
    ends.call(with: ending)
    waiters.resume()
    withExtendedLifetime(request) {}
  }
}

/// Closures that are called in the order in which they were added.
///
/// The first has a place of its own: most requests have one hook of a kind at most, and that takes no
/// memory for an array.
struct Hooks<Argument> {
  private var first: ((Argument) -> Void)?
  private var others: [(Argument) -> Void] = []

  /// Whether there are none.
  var isEmpty: Bool { first == nil }

  mutating func append(_ hook: @escaping (Argument) -> Void) {
    if first == nil { first = hook } else { others.append(hook) }
  }

  /// Calls all of them.
  func call(with argument: Argument) {
    first?(argument)
    for hook in others { hook(argument) }
  }
}
