/// Splices in the order in which they were made, each to be applied to the array that the one
/// before it left.
///
/// Stored with their count, and without an array if there are none: every call on a generic array
/// looks up its type at run time, which takes longer than many a change.
struct SpliceLog<Item: Sendable> {
  private var splices: [PagedChange<Item>.Splice]?
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// The splices.
  var inOrder: [PagedChange<Item>.Splice] { splices ?? [] }

  init() {}

  init(_ splices: [PagedChange<Item>.Splice]) {
    self.splices = splices
    count = splices.count
  }

  mutating func append(_ splice: PagedChange<Item>.Splice) {
    if splices == nil { splices = [splice] } else { splices?.append(splice) }
    count += 1
  }

  /// Removes items from each splice that are equal to those they replace, and splices of which
  /// nothing is left.
  mutating func trim(by areEqual: ((Item, Item) -> Bool)?) {
    guard let areEqual, let all = splices else { return }
    var log = SpliceLog()
    for splice in all {
      let trimmed = splice.trimmed(by: areEqual)
      // Mostly there is one, of which all is left: not to make its log again saves 6 % of a merge.
      if count == 1, trimmed.removedItems.count == splice.removedItems.count { return }
      if !trimmed.isEmpty { log.append(trimmed) }
    }
    self = log
  }

  mutating func append(_ log: SpliceLog) {
    guard !isEmpty else { return self = log }
    splices? += log.inOrder
    count += log.count
  }

  /// Stops the program where an invariant does not hold. For tests; O(*s*) in the splices.
  func checkInvariants() {
    precondition(count == inOrder.count, "\(count) splices counted, of \(inOrder.count)")
    precondition(inOrder.allSatisfy { $0.offset >= 0 }, "a splice before the first item")
  }
}
