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
  /// - Returns: whether it runs now; otherwise it waits for ``end(_:where:)``.
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
  /// - Parameter isWanted: whether one that waits is to run at all; the others are dropped.
  /// - Returns: the one that runs in its place: of those that are wanted, the one that has waited longest.
  /// - Complexity: amortized O(1).
  mutating func end(_ key: Key, where isWanted: (Element) -> Bool) -> Element? {
    guard var turn = turns.removeValue(forKey: key) else { return nil }
    var next: Element?
    while next == nil, turn.head < turn.waiting.count {
      let element = turn.waiting[turn.head]
      turn.head += 1
      if isWanted(element) { next = element }
    }
    if turn.head == turn.waiting.count { (turn.waiting, turn.head) = ([], 0) }
    if next == nil { turn.runningCount -= 1 }
    if turn.runningCount > 0 { turns[key] = turn }
    return next
  }
}
