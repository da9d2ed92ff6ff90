/// Which elements run and which wait for a turn, if only so many of a kind may run at once: a value.
///
/// The transport limits its connections to each host with it. libcurl could do that as well, but between its
/// versions it differs in which of those that wait runs when another ends, and whether any does; and it counts
/// the connections to all hosts through one proxy as those to one host.
struct TurnQueue<Key: Hashable, Element> {
  private struct Turns {
    var runningCount = 0
    /// Those that wait, and nil for each that has had its turn: it is not kept for as long as others wait.
    private var line: [Element?] = []
    /// The index of the first that waits.
    private var head = 0

    var isAnyWaiting: Bool { head < line.count }

    mutating func append(_ element: Element) { line.append(element) }

    /// Removes and returns the one that has waited longest; nil if none waits.
    ///
    /// - Complexity: amortized O(1).
    mutating func popFirst() -> Element? {
      guard isAnyWaiting else { return nil }
      let first = line[head].take()
      head += 1
      // No more are moved than have had their turn.
      if 2 * head >= line.count {
        line.removeFirst(head)
        head = 0
      }
      return first
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
      let waiting = line[head...].compactMap { $0 }
      (line, head) = (waiting.filter { !isRemoved($0) }, 0)
      return waiting.filter(isRemoved)
    }

    /// Stops the program if an invariant does not hold. For tests; O(*w*) in those that wait.
    func checkInvariants() {
      precondition(head == 0 || 2 * head < line.count, "memory of those that have had their turn")
      precondition(line[..<head].allSatisfy { $0 == nil }, "one that has had its turn is kept")
      precondition(line[head...].allSatisfy { $0 != nil }, "one that waits is lost")
    }
  }

  private let limit: Int
  private var turns: [Key: Turns] = [:]

  init(limit: Int) {
    precondition(limit > 0, "TurnQueue.init: nothing could ever run with a limit of \(limit)")
    self.limit = limit
  }

  /// Whether nothing runs and nothing waits.
  var isEmpty: Bool { turns.isEmpty }

  /// How many elements of each kind run.
  var runningCounts: [Key: Int] { turns.mapValues(\.runningCount) }

  /// Adds an element.
  ///
  /// - Returns: whether it runs now; otherwise it waits for ``end(_:)``.
  /// - Complexity: amortized O(1).
  mutating func begin(_ element: Element, of key: Key) -> Bool {
    let runs = (turns[key]?.runningCount ?? 0) < limit
    if runs {
      turns[key, default: Turns()].runningCount += 1
    } else {
      turns[key]?.append(element)
    }
    return runs
  }

  /// Removes those that wait and for which this is true.
  ///
  /// - Returns: them, in their order.
  /// - Complexity: O(*n*) in those that wait.
  mutating func removeWaiting(_ key: Key, where isRemoved: (Element) -> Bool) -> [Element] {
    turns[key]?.removeAll(where: isRemoved) ?? []
  }

  /// Ends one that runs.
  ///
  /// - Returns: the one that runs in its place: the one that has waited longest; nil if none waits.
  /// - Complexity: amortized O(1).
  mutating func end(_ key: Key) -> Element? {
    if let next = turns[key]?.popFirst() { return next }
    turns[key]?.runningCount -= 1
    if turns[key]?.runningCount == 0 { turns[key] = nil }
    return nil
  }

  /// Stops the program if an invariant does not hold. For tests; O(*w*) in those that wait.
  func checkInvariants() {
    for turn in turns.values {
      turn.checkInvariants()
      precondition((1...limit).contains(turn.runningCount), "\(turn.runningCount) of a kind run")
      precondition(turn.runningCount == limit || !turn.isAnyWaiting, "one waits for nothing")
    }
  }
}
