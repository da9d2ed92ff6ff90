/// Which elements run and which wait for a turn, where only so many of a kind may run at once: a value.
///
/// The transport limits its connections to each host with it. libcurl could do that as well, but between its
/// versions it differs in which of those that wait runs when another ends, and whether any does.
struct TurnQueue<Key: Hashable, Element> {
  private struct Turns {
    var runningCount = 0
    var waiting: [Element] = []
    /// The index of the first that waits.
    var head = 0
  }

  private let limit: Int
  private var turns: [Key: Turns] = [:]

  init(limit: Int) {
    precondition(limit > 0, "TurnQueue.init: nothing could ever run with a limit of \(limit)")
    self.limit = limit
  }

  /// Whether nothing runs and nothing waits.
  var isEmpty: Bool { turns.isEmpty }

  /// Adds an element.
  ///
  /// - Returns: whether it runs now; otherwise it waits for ``end(_:)``.
  /// - Complexity: amortized O(1).
  mutating func begin(_ element: Element, of key: Key) -> Bool {
    let runs = (turns[key]?.runningCount ?? 0) < limit
    if runs {
      turns[key, default: Turns()].runningCount += 1
    } else {
      turns[key]?.waiting.append(element)
    }
    return runs
  }

  /// Removes those that wait and for which this is true.
  ///
  /// - Returns: them, in their order.
  /// - Complexity: O(*n*) in those that wait.
  mutating func removeWaiting(_ key: Key, where isRemoved: (Element) -> Bool) -> [Element] {
    guard var turn = turns.removeValue(forKey: key) else { return [] }
    let waiting = turn.waiting[turn.head...]
    let removed = waiting.filter(isRemoved)
    (turn.waiting, turn.head) = (waiting.filter { !isRemoved($0) }, 0)
    turns[key] = turn
    return removed
  }

  /// Ends one that runs.
  ///
  /// - Returns: the one that runs in its place: the one that has waited longest; nil where none waits.
  /// - Complexity: amortized O(1).
  mutating func end(_ key: Key) -> Element? {
    guard var turn = turns.removeValue(forKey: key) else { return nil }
    guard turn.head < turn.waiting.count else {
      (turn.waiting, turn.head) = ([], 0)
      turn.runningCount -= 1
      if turn.runningCount > 0 { turns[key] = turn }
      return nil
    }
    defer { turns[key] = turn }
    turn.head += 1
    return turn.waiting[turn.head - 1]
  }

  /// Stops the program where an invariant does not hold. For tests; O(*k*) in the kinds.
  func checkInvariants() {
    for turn in turns.values {
      precondition((1...limit).contains(turn.runningCount), "\(turn.runningCount) of a kind run")
      precondition(turn.head <= turn.waiting.count, "more have had their turn than there were")
      precondition(
        turn.runningCount == limit || turn.head == turn.waiting.count, "one waits for nothing")
    }
  }
}
