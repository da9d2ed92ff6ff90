/// Splices in the order in which they were made, each to be applied to the array that the one
/// before it left.
///
/// Stored with their count, and without an array if there are none: every call on a generic array
/// looks up its type at run time. With items that are replaced in place, that saved 10 % of a changed page.
struct SpliceLog<Item: Sendable> {
  private var splices: [PagedChange<Item>.Splice]?
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var inOrder: [PagedChange<Item>.Splice] { splices ?? [] }

  init() {}

  init(_ splices: [PagedChange<Item>.Splice]) {
    self.splices = splices
    count = splices.count
  }

  // Inlined for the reason of ``ShownItems``, with the others here: saves 6 % of a change.
  @inline(__always)
  mutating func append(_ splice: PagedChange<Item>.Splice) {
    if splices == nil { splices = [splice] } else { splices?.append(splice) }
    count += 1
  }

  /// Removes items from each splice that are equal to those they replace, and splices of which
  /// nothing is left.
  @inline(__always)
  mutating func trim(by areEqual: ((Item, Item) -> Bool)?) {
    guard let areEqual, let all = splices else { return }
    var log = SpliceLog()
    for splice in all {
      let trimmed = splice.trimmed(by: areEqual)
      // Usually there is one splice, which stays as it is: not making its log again saves 6 % of a merge.
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

  @inline(__always)
  mutating func take() -> SpliceLog {
    guard !isEmpty else { return self }
    defer { self = SpliceLog() }
    return self
  }

  func checkInvariants() {
    precondition(count == inOrder.count, "\(count) splices counted, of \(inOrder.count)")
    precondition(inOrder.allSatisfy { $0.offset >= 0 }, "a splice before the first item")
  }
}

extension PagedChange where Item: Sendable {
  /// Composes splices to one change, without items that are equal to those they replace; nil if nothing is left.
  ///
  /// Called outside of any access to the list, because the comparison may run code that reads it.
  ///
  /// - Parameter isRenumbered: whether the items have other indices: that is a change even without splices.
  @inline(__always)
  init?(
    composing log: SpliceLog<Item>, firstItemIndex: Int, isRenumbered: Bool,
    areEqual: ((Item, Item) -> Bool)?
  ) {
    var log = log
    log.trim(by: areEqual)
    if log.count > 1 {
      let composition = SpliceComposition(log.inOrder)
      log = SpliceLog(composition.splices(areEqual: isRenumbered ? nil : areEqual))
    }
    guard !log.isEmpty || isRenumbered else { return nil }
    self.init(log.inOrder, firstItemIndex: firstItemIndex)
  }
}
